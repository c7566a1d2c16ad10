/*
 * Whether a function's share changed between two sides, and by how much.
 *
 * With the noise of noise.h, c_g = plain_g + rho surplus_g and p the shares pooled by 1 / c:
 *     V = s_k v(p) (c_base + c_new),   T = D / sqrt(V),   Student's t, two-sided
 * V is at least the variance of samples that are independent of each other. The interval holds all
 * changes that the test does not reject at its level: shares p - b change and p + (1 - b) change,
 * b = c_base / (c_base + c_new), give the variance of each candidate (the score interval of Mee,
 * Biometrics 40, 1984; with a variance that is quadratic in the change its ends are the roots of a
 * quadratic). So it is not empty for a function that one side does not have. For small shares of
 * few runs, it counts on shares that are skewed and cannot be negative (change.c). The p-value may
 * be larger than the interval suggests, by the caution and the split of noise.h.
 *
 * The smallest visible change is the rise from a given share that four in five comparisons of this
 * kind would find: t(1 - a / 2) sqrt(V) for the threshold a, and t(0.8) sqrt(V) on top of it.
 *
 * Shares and changes are parts of 1. All results are finite.
 */
#ifndef STATS_CHANGE_H
#define STATS_CHANGE_H

#include <stdbool.h>

#include "stats/design.h"
#include "stats/moments.h"
#include "stats/noise.h"

struct stats_change {
    bool tested; /* enough samples, and the noise is known */
    double base, new, change;
    double error;   /* sqrt(V) */
    double freedom; /* degrees of freedom of t */
    double p;       /* 1 if not tested */
    double low, high;
    bool wild; /* has its own variance (noise.h) */
};

void stats_change_test(struct stats_change *out, const struct stats_design *d,
                       const struct stats_noise *noise, const struct stats_moments *m,
                       const struct stats_settings *settings);

/*
 * Returns the smallest visible rise of function `m`, or of one with the share `base` if `m` is
 * NULL, for p-values below `threshold`; 1 if none is visible.
 */
double stats_change_smallest(const struct stats_design *d, const struct stats_noise *noise,
                             const struct stats_moments *m, double base, double threshold,
                             const struct stats_settings *settings);

#endif
