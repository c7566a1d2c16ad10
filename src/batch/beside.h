/*
 * The part of a reuse record about files beside the inputs: what readers looked for there
 * (input/core/consulted.h), with the states in which it was.
 *
 * A record holds only while all of these are as they were, for the same user with the same home
 * directory, where perf keeps its cache of binaries. So the records of recordings are those of one
 * machine, and differ on others, where the report itself is the same.
 */
#ifndef BATCH_BESIDE_H
#define BATCH_BESIDE_H

#include <pthread.h>

#include "base/buf.h"
#include "base/slice.h"
#include "input/core/consulted.h"

/* The states of the kernel's files in this run; /proc/kallsyms takes long to read. */
struct beside {
    pthread_mutex_t lock;
    struct consulted kernel;
};

void beside_init(struct beside *b);
void beside_release(struct beside *b);

/* Appends what was consulted for one input. */
void beside_write(const struct consulted *c, struct buf *out);

/*
 * Reads what beside_write() wrote, from the front of `in`. Returns true if everything is as it was;
 * with NULL for `b` nothing is compared. Returns false if the bytes are damaged. Any thread may
 * call it.
 */
bool beside_read(struct beside *b, struct slice *in);

#endif
