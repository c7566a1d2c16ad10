/*
 * Recordings of perf that tests make, in either order of bytes: records are appended to the bytes.
 */
#ifndef SUPPORT_MADE_H
#define SUPPORT_MADE_H

#include "base/buf.h"
#include "input/formats/perf/perf_record.h"
#include "input/read.h"

enum {
    MADE_TYPE = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CALLCHAIN |
                PERF_SAMPLE_PERIOD | PERF_SAMPLE_IDENTIFIER,
    MADE_ATTR = 128, /* bytes of an event's description */
};

struct made {
    struct buf bytes;
    bool big;
};

#define WORDS(m, ...)                                                                              \
    made_words(m, (const uint64_t[]){__VA_ARGS__},                                                 \
               sizeof((const uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t))

/* A number of `size` bytes. */
void made_number(struct made *m, uint64_t value, unsigned size);

/* Numbers of eight bytes; WORDS() has them as arguments. */
void made_words(struct made *m, const uint64_t *words, size_t count);

/* The header of a record with `content` bytes, which follow. */
void made_record(struct made *m, uint32_t type, unsigned misc, size_t content);

/* A text in `size` bytes, filled with zeros. */
void made_text(struct made *m, const char *text, size_t size);

/*
 * A software event; big-endian machines count the bits of the flags from the most significant
 * one.
 */
void made_attr(struct made *m, uint64_t config, uint64_t type, uint64_t read_format);

/* The first bytes of a recording. */
void made_begin(struct made *m, bool big);

/* The start of a recording to a pipe, with one event whose samples have the id 7. */
void made_begin_pipe(struct made *m, bool big);

/* The end of a record that is not a sample: the thread, the time and the id. */
void made_end(struct made *m, uint32_t pid, uint64_t time);

/* Records of a name of a process and of a map of 0x1000 bytes; UINT32_MAX is the kernel. */
void made_comm(struct made *m, uint32_t pid, const char *comm, uint64_t time);

void made_map(struct made *m, uint32_t pid, uint64_t start, const char *path, uint64_t time);

/* A sample with weight 5 and a call chain of one kernel frame and two user frames. */
void made_sample(struct made *m, uint32_t pid, uint64_t time);

/* A recording with two records and features: their numbers, and the content of each. */
void made_recorded(struct made *m, const unsigned *features, const struct buf *contents,
                   size_t count);

/* Options to read one without the binaries of this machine. */
struct input_options made_options(void);

#endif
