/*
 * A report appears whole or not at all.
 *
 * It is built in a hidden directory beside its place, whose name carries the
 * process id, and put into place in one step at the end. Killed at any moment,
 * a run leaves the previous report as it was; the next run removes what dead
 * runs left behind.
 */
#ifndef BATCH_STAGE_H
#define BATCH_STAGE_H

#include <pthread.h>
#include <stdbool.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/slice.h"
#include "base/vec.h"

struct stage {
    struct arena memory;
    const char *place;     /* where the report goes; no link, no slashes at the end */
    const char *directory; /* where it is built */
    bool open;             /* it is there and not yet in place */
    int lock_fd;           /* of the directory, locked while the run lives; -1 for none */
    pthread_mutex_t lock;
    VEC(struct slice) files; /* written so far, relative; in no order */
    struct buf failure;      /* why the report cannot be written; empty while it can */
};

/*
 * Looks at the place and makes the directory to build in. `place` must be
 * absent, empty or an earlier report, or `force` be set; where it is a link,
 * the directory behind it is meant. Returns false where that cannot be;
 * s->failure says why.
 */
bool stage_open(struct stage *s, const char *place, bool force);

/*
 * Writes one file of the report, `path` being relative; any thread may call
 * it. The first failure is kept as s->failure; from then on nothing is written.
 */
bool stage_write(struct stage *s, const char *path, struct slice bytes);

/* Takes a file back that was written. */
void stage_remove(struct stage *s, struct slice path);

/* True where nothing can be written any more; any thread may ask. */
bool stage_failed(struct stage *s);

/* Writes the manifest and puts the report into place; what was there is removed. */
bool stage_commit(struct stage *s);

/* Removes what was built unless it was committed, and releases the memory. */
void stage_close(struct stage *s);

#endif
