/*
 * A part of a profile's time: what was measured from one moment to another.
 */
#ifndef PROFILE_PERIOD_H
#define PROFILE_PERIOD_H

#include <stdint.h>

#include "profile/profile.h"

/* The earliest and the latest time of any moment with a time; from > to where there is none. */
struct period {
    uint64_t from, to; /* nanoseconds, as the input counts them; both included */
};

struct period period_of(const struct profile *p);

/*
 * Takes out all that is not of the period, and whatever has no time of its own; the profile keeps
 * its first time of all (start_ns). Weights, counts of
 * samples and moments are then those of the period; what was taken out is told in the removals as
 * the work of `option`.
 */
void period_select(struct profile *p, struct period period, const char *option);

#endif
