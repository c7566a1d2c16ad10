/*
 * Restricts a profile to a time range.
 */
#ifndef PROFILE_PERIOD_H
#define PROFILE_PERIOD_H

#include <stdint.h>

#include "profile/profile.h"

/* A time range. It is empty if from > to. */
struct period {
    uint64_t from, to; /* inclusive; nanoseconds from the input's own origin */
};

/*
 * Returns the earliest time of all timed samples, and the latest at which one ends; empty if there
 * are none.
 */
struct period period_of(const struct profile *p);

/*
 * Removes all timed samples outside `period` and all timed samples without a time, and cuts spans
 * at its ends. Weights and sample counts become those of the remaining timed samples. The removed
 * weight is added to each series' removals under `option`. `start_ns` keeps the profile's first
 * time.
 */
void period_select(struct profile *p, struct period period, const char *option);

#endif
