/*
 * The memory that profiles take, so that what several inputs become together can be limited.
 */
#ifndef PROFILE_FOOTPRINT_H
#define PROFILE_FOOTPRINT_H

#include <stdint.h>

#include "base/diag.h"
#include "profile/profile.h"

/* Returns the bytes of a profile's texts, symbols, stacks, weights and timed samples. */
uint64_t profile_footprint(const struct profile *p);

/*
 * Whether `part` can be added to profiles of `held` bytes within `most` bytes: beside both there
 * must be room for a copy of `part`. Reports the limit if not, and returns false.
 */
bool footprint_allows(uint64_t held, const struct profile *part, uint64_t most, struct diag *diag);

#endif
