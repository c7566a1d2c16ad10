/*
 * Merges one series into another profile. profile_merge() merges all.
 */
#ifndef PROFILE_MERGE_H
#define PROFILE_MERGE_H

#include "profile/profile.h"

/*
 * Adds one series of `from` to `p` as `name`, which must be new to `p`, and adds
 * the ledger. Returns the id of the new series. If a total would exceed 64
 * bits, returns SERIES_NONE and leaves `p` unchanged. The caller ensures that
 * the two profiles together have at most STACKS_MOST stacks.
 */
uint32_t merge_one_series(struct profile *p, const struct profile *from, uint32_t series,
                          struct slice name);

#endif
