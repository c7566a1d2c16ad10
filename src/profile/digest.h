/*
 * A short name for what a graph was drawn from.
 */
#ifndef PROFILE_DIGEST_H
#define PROFILE_DIGEST_H

#include "base/buf.h"
#include "profile/profile.h"

/*
 * Appends 16 hexadecimal digits that depend on the names, stacks and weights
 * of one series (both columns of a differential profile) and on nothing else:
 * equal digests mean, for every practical purpose, the same data. Not a
 * safeguard against someone who wants two profiles to collide.
 */
void profile_digest(const struct profile *p, uint32_t series, struct buf *out);

#endif
