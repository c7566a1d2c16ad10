/*
 * A short name for what a graph was drawn from.
 */
#ifndef PROFILE_DIGEST_H
#define PROFILE_DIGEST_H

#include "base/buf.h"
#include "profile/profile.h"

/*
 * Appends 16 hexadecimal digits made from the profile's function names, the
 * number of its stack prefixes, and of each sample of one series (both columns
 * of a differential profile) the weight and the three innermost frames, in any
 * order. Another recording gives another digest; a change that keeps all of
 * these (two weights that change places above the same three frames) does not,
 * and it is no safeguard against someone who wants digests to collide. Costs
 * by distinct stacks, not by their depth.
 */
void profile_digest(const struct profile *p, uint32_t series, struct buf *out);

#endif
