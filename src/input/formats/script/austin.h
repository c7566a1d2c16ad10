/*
 * What the two formats of Austin, text and MOJO, share: the owner of a sample,
 * the names of Python frames, and the meaning of the metrics.
 *
 * A sample measures time in microseconds; or memory in bytes, negative if it
 * was freed; or both, with whether the thread was idle. Each is a series:
 * "wall" has all times, "cpu" the times of threads that were not idle; freed
 * memory is "memory freed".
 *
 * Source: github.com/P403n1x87/austin, README and src/mojo.h.
 */
#ifndef INPUT_FORMATS_SCRIPT_AUSTIN_H
#define INPUT_FORMATS_SCRIPT_AUSTIN_H

#include <stdbool.h>
#include <stdint.h>

#include "input/build/builder.h"

enum austin_mode {
    AUSTIN_TIME, /* the input does not state what kind of time */
    AUSTIN_WALL,
    AUSTIN_CPU,
    AUSTIN_MEMORY,
    AUSTIN_FULL,
};

struct austin {
    struct builder b;
    enum austin_mode mode;
    bool reference; /* names as in Austin's own text */
    bool frames;    /* the open sample has a frame */
    struct origin origin;
    uint32_t stack; /* of the open sample if it is known, else AUSTIN_NO_STACK */
    struct buf text;
};

#define AUSTIN_NO_STACK UINT32_MAX

/* The metrics of a sample. */
struct austin_metrics {
    uint64_t time;  /* microseconds; unused in memory mode */
    int64_t memory; /* bytes */
    bool idle;      /* in full mode */
};

void austin_init(struct austin *a, struct profile *profile, const struct input_options *options,
                 struct diag *diag);
void austin_release(struct austin *a);

/* Reads a line of the header, "mode: wall": sets the mode or adds a fact. */
void austin_header(struct austin *a, struct slice key, struct slice value);

/* The origin and the first frames of a thread, made once for all of its samples. */
struct austin_owner {
    struct origin origin;
    uint32_t entries[2]; /* process and thread */
};
struct austin_owner austin_owner_of(struct austin *a, struct slice pid, struct slice tid,
                                    struct slice thread);
void austin_begin_of(struct austin *a, const struct austin_owner *owner);
/*
 * Returns the builder's entry of a frame; a frame without a name is one that
 * Austin could not read. austin_push() appends an entry, root first.
 */
uint32_t austin_entry(struct austin *a, struct slice file, struct slice function, uint64_t line);
void austin_push(struct austin *a, uint32_t entry);
/* Adds the sample. Returns false after reporting an error. */
bool austin_add(struct austin *a, const struct austin_metrics *m);

/* Call it after the last sample. */
void austin_end(struct austin *a);

#endif
