/*
 * Decides which inputs of a report are read and drawn at the same time, so that together they fit
 * into memory.
 *
 * Inputs are first read side by side, each within a share of the memory. One that needs more is
 * read again alone, within its own limit (--max-memory). So the machine and the number of threads
 * decide when an input is read, but not whether it fails.
 */
#ifndef BATCH_ADMISSION_H
#define BATCH_ADMISSION_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "input/read.h"

struct admission {
    pthread_rwlock_t lock; /* held for writing by an input that is alone */
    uint64_t share;        /* bytes; UINT64_MAX if inputs are never read side by side */
};

/*
 * `most` is the largest limit of an input. If the shares are smaller, memory that is freed goes
 * back to the system at once. Call it before threads are created.
 */
void admission_init(struct admission *g, unsigned threads, uint64_t most);
void admission_release(struct admission *g);

void admission_leave(struct admission *g);

/* An input to be read. */
struct admission_input {
    const char *path, *shown;            /* the name in messages */
    const struct input_options *reading; /* limits.held: bytes of earlier inputs that are kept */
    unsigned threads;                    /* that read this input */
};

/*
 * Waits for admission, then reads an input into `p`, which must be initialised. `diag` is about the
 * input. Call admission_leave() when the profile is not needed any more.
 */
enum input_result admission_read(struct admission *g, const struct admission_input *in,
                                 struct profile *p, struct diag *diag);

#endif
