/*
 * Divides work into shares that are about equally large.
 *
 * The heaviest item goes first, always into the share that is lightest so far. The
 * result depends on the weights alone, so that every machine that computes it finds
 * the same shares.
 */
#ifndef BATCH_PARTITION_H
#define BATCH_PARTITION_H

#include <stddef.h>
#include <stdint.h>

/* Writes to `share[i]` the share, below `shares`, that item i belongs to; `shares` is not 0. */
void partition_divide(const uint64_t *weights, size_t count, unsigned shares, unsigned *share);

#endif
