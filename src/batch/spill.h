/*
 * Bytes that wait for the end of a run in a nameless file, not in memory: the
 * records of thousands of graphs. If there can be no such file, or the disk is
 * full, they wait in memory.
 */
#ifndef BATCH_SPILL_H
#define BATCH_SPILL_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/slice.h"

struct spill {
    const char *directory; /* where the file is made at the first bytes */
    pthread_mutex_t lock;  /* guards the following */
    int fd;                /* -1: no file */
    bool opened;           /* making the file was tried */
    uint64_t end;          /* bytes in the file */
};

/* Bytes in a spill. All zero: none. */
struct spilled {
    uint64_t at;
    size_t size;
    char *kept; /* the bytes, if they are in memory */
};

void spill_init(struct spill *s, const char *directory);
void spill_release(struct spill *s);

/* Keeps a copy of the bytes. Any thread may call it. */
void spill_put(struct spill *s, struct slice bytes, struct spilled *out);

/* Appends the bytes. Returns false, with nothing appended, if they cannot be read. */
bool spill_get(const struct spill *s, const struct spilled *bytes, struct buf *out);

/* Releases what is in memory. */
void spill_drop(struct spilled *bytes);

#endif
