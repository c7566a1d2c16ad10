/*
 * A simulated service: functions with costs, runs that differ, two sides and a history.
 *
 * A run draws its shares from a Dirichlet distribution with correlation rho around the costs of its
 * side, and its samples from these shares. Number of samples vary by 0.6 to 1.4 from run to run.
 * A world may also have hosts, two modes, a drift, or a rho that differs from label to label.
 */
#ifndef STATISTICS_WORLD_H
#define STATISTICS_WORLD_H

#include <stddef.h>

#include "statistics/random.h"
#include "stats/design.h"

enum { WORLD_RUNS = 64 };

struct world {
    size_t functions;
    double rho, samples;
    size_t runs;            /* on each side */
    size_t labels, earlier; /* of the history, and the runs of each of them */
    size_t hosts;           /* runs take turns on them; 0: hosts are not told apart */
    double host_spread;     /* standard deviation of the logarithm of a host's costs */
    double mode_cost;       /* factor of the cost of three functions in the second mode */
    double mode_odds;       /* probability of that mode in a run */
    double drift;           /* cost of four functions over a week: 1 - drift .. 1 + drift */
    double rho_spread;      /* standard deviation of log rho between labels */
    double rho_now;         /* factor of rho for base and new; 0 stands for 1 */
};

struct draw {
    struct stats_run runs[WORLD_RUNS];
    size_t count, blocks;
    double *counts; /* function k, run i: counts[k * WORLD_RUNS + i] */
};

/* Zipf's law with exponent 1.1. */
void world_costs(const struct world *w, double *costs);
/* Draws all runs from the costs of base and of new, whose sums need not be 1. */
void world_draw(const struct world *w, struct random *r, const double *base, const double *new,
                struct draw *out);
void draw_init(struct draw *d, size_t functions);
void draw_release(struct draw *d);

#endif
