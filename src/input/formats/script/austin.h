/*
 * What the two formats of Austin, text and MOJO, have in common: whose sample
 * it is, what a frame of Python is called, and what the metrics mean.
 *
 * A sample measures time in microseconds, or memory in bytes, negative where
 * it was given back, or both and whether the thread was idle. Each is a series
 * of its own: "wall" takes every time, "cpu" that of threads that were not
 * idle; memory that was given back is "memory freed".
 *
 * Source: github.com/P403n1x87/austin, README and src/mojo.h.
 */
#ifndef INPUT_FORMATS_SCRIPT_AUSTIN_H
#define INPUT_FORMATS_SCRIPT_AUSTIN_H

#include <stdbool.h>
#include <stdint.h>

#include "input/build/builder.h"

enum austin_mode {
    AUSTIN_TIME, /* the input does not say what kind of time */
    AUSTIN_WALL,
    AUSTIN_CPU,
    AUSTIN_MEMORY,
    AUSTIN_FULL,
};

struct austin {
    struct builder b;
    enum austin_mode mode;
    bool reference; /* names as Austin's own text has them */
    bool frames;    /* the sample in hand has a frame */
    struct origin origin;
    uint32_t stack; /* of the sample in hand where it is known; AUSTIN_NO_STACK */
    struct buf text;
};

#define AUSTIN_NO_STACK UINT32_MAX

/* The numbers of a sample. */
struct austin_metrics {
    uint64_t time;  /* microseconds; of memory mode: unused */
    int64_t memory; /* bytes */
    bool idle;      /* in full mode */
};

void austin_init(struct austin *a, struct profile *profile, const struct input_options *options,
                 struct diag *diag);
void austin_release(struct austin *a);

/* A line of the header, "mode: wall": sets the mode or is a fact. */
void austin_header(struct austin *a, struct slice key, struct slice value);

/*
 * Begins a sample. `thread` is its name where it has one; `tid` its number,
 * with that of the interpreter in front where there are several. The texts
 * must live until the sample is added.
 */
void austin_begin(struct austin *a, struct slice pid, struct slice tid, struct slice thread);
/* The same in two steps, for threads that are met again: their first frames are made once. */
struct austin_owner {
    struct origin origin;
    uint32_t entries[2]; /* process and thread */
};
struct austin_owner austin_owner_of(struct austin *a, struct slice pid, struct slice tid,
                                    struct slice thread);
void austin_begin_of(struct austin *a, const struct austin_owner *owner);
/* The same for a sample whose stack is known, and whether it has a frame besides the first two. */
void austin_begin_at(struct austin *a, struct slice pid, struct slice tid, uint32_t stack,
                     bool frames);
/*
 * A frame as an entry of the builder, and that entry as the next frame, root
 * first. Without a name it is one that could not be read.
 */
uint32_t austin_entry(struct austin *a, struct slice file, struct slice function, uint64_t line);
void austin_push(struct austin *a, uint32_t entry);
/* Both in one. */
void austin_frame(struct austin *a, struct slice file, struct slice function, uint64_t line);
/* A frame that is no Python. */
void austin_special(struct austin *a, struct slice name, enum symbol_class class);
/* Ends the sample. False where told. */
bool austin_add(struct austin *a, const struct austin_metrics *m);

/* Behind the last sample. */
void austin_end(struct austin *a);

#endif
