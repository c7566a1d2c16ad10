/*
 * Merges single series. profile_merge() merges all series of a profile.
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

/*
 * Adds the entries of the series `from` to `series`, another one of the same profile. Returns false
 * and changes nothing if the total would exceed 64 bits.
 */
bool merge_within(struct profile *p, uint32_t series, uint32_t from);

#endif
