/*
 * What a comparison can find: the smallest change of a typical function, by the noise between runs,
 * the number of runs and their samples. For documentation; a report computes it from its own runs.
 */
#ifndef STATS_REACH_H
#define STATS_REACH_H

#include <stddef.h>

enum {
    STATS_REACH_RUNS = 20,   /* the most runs a side */
    STATS_REACH_TESTED = 30, /* functions tested in the service */
    STATS_REACH_PERCENT = 5, /* share of the function */
};

/*
 * Returns the smallest rise, as a share of 1, that four in five comparisons find in `runs` runs a
 * side with `samples` samples each, if the noise between runs is `rho`; 1 if none is visible.
 */
double stats_reach(double rho, size_t runs, double samples);

#endif
