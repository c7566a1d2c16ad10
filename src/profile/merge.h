/*
 * Merging a part of a profile into another; all of it is profile_merge().
 */
#ifndef PROFILE_MERGE_H
#define PROFILE_MERGE_H

#include "profile/profile.h"

/*
 * Adds one series of `from`, which is left as it was, under a name that is new
 * to `p`, and what the ledger says. Returns its id, or SERIES_NONE, leaving `p` as it
 * was, where a total would leave 64 bits. The caller sees to it that the stacks
 * of both together stay within STACKS_MOST.
 */
uint32_t merge_one_series(struct profile *p, const struct profile *from, uint32_t series,
                          struct slice name);

#endif
