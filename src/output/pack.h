/*
 * Packs bytes that are kept for later: with zstd, the same bytes for the same bytes.
 */
#ifndef OUTPUT_PACK_H
#define OUTPUT_PACK_H

#include <stdbool.h>

#include "base/buf.h"

/* How hard to pack: what is read soon, and what is kept. */
enum pack_level { PACK_FAST = 1, PACK_SMALL = 9 };

/* Appends the packed bytes. */
void pack(struct slice bytes, enum pack_level level, struct buf *out);

/*
 * Appends what was packed. Returns false if `packed` is damaged, or would take more than `most`
 * bytes.
 */
bool pack_open(struct slice packed, size_t most, struct buf *out);

#endif
