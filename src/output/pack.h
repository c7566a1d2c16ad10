/*
 * Packs bytes that are kept for later: with zstd, the same bytes for the same bytes.
 */
#ifndef OUTPUT_PACK_H
#define OUTPUT_PACK_H

#include <pthread.h>
#include <stdbool.h>

#include "base/buf.h"
#include "base/vec.h"

/* How hard to pack: what is read soon, and what is kept. */
enum pack_level { PACK_FAST = 1, PACK_SMALL = 9 };

/* Appends the packed bytes. */
void pack(struct slice bytes, enum pack_level level, struct buf *out);

struct ZSTD_DCtx_s;

/*
 * What opening many texts keeps from one to the next: zstd asks the processor each time what it can
 * do, which takes as long as a small text in a virtual machine. Threads may share it.
 */
struct pack_opener {
    pthread_mutex_t lock;
    VEC(struct ZSTD_DCtx_s *) waiting; /* contexts that no thread uses */
};

void pack_opener_init(struct pack_opener *u);
void pack_opener_release(struct pack_opener *u);

/*
 * Appends what was packed. Returns false if `packed` is damaged, or would take more than `most`
 * bytes. `u` may be NULL.
 */
bool pack_open(struct pack_opener *u, struct slice packed, size_t most, struct buf *out);

#endif
