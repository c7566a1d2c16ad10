/*
 * A cell of the simulation: one kind of world, drawn many times, and what must hold in it.
 *
 * In the null world nothing changes: any finding is false. In the other, functions rise: findings
 * elsewhere are false discoveries. In both, intervals must contain the true change. If `smallest`
 * is set, one function rises by the smallest visible change that the null world printed, and must
 * be found in four of five.
 *
 * The full size draws until the bounds are decided: at most 5 % of worlds with a false finding,
 * with an upper limit of the 95 % interval of at most 6 %; at most 6 % false discoveries; 93 to 97
 * % of intervals with the truth; 75 to 85 % found. The normal size draws a fixed, small number and
 * fails if that excludes the bound: an exact binomial limit, or four standard errors of a mean.
 */
#ifndef STATISTICS_CELL_H
#define STATISTICS_CELL_H

#include <stdbool.h>
#include <stdint.h>

#include "statistics/judge.h"
#include "statistics/world.h"

struct cell {
    const char *name;
    struct world world;
    bool shares;     /* measure: share instead of the reference */
    bool smallest;   /* function `risen` rises by the smallest visible change */
    double rise;     /* or by this much */
    size_t risen;    /* the first function that rises */
    size_t rises;    /* how many do, the others after it; 0: one */
    size_t services; /* that are tested together; 0: one */
    bool any_cover;  /* intervals are not judged: rho is not what the history says, on purpose */
};

void cell_run(struct judge *j, const struct cell *cell, uint64_t seed);

#endif
