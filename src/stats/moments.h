/*
 * What the counts of one function say: shares, the change, and the squares that noise is read from.
 *
 * A function has x_i of the n_i samples of run i, so its share there is y_i = x_i / n_i. In one
 * cell (a side of a block) the model of noise.h gives y_i the variance
 *     v (1 / n_i + rho (1 - 1 / n_i)),   v = p - k p^2
 * where k is 1 if the x samples are among the n (a binomial share: v = p (1 - p)), and -1 if they
 * are not, as for a function that is left out of the reference (reference.h): a ratio of two
 * separate counts, v = p (1 + p). A caller of both kinds is between: k = 2 inside / x - 1.
 *
 * From the residuals e_i of the fit of design.h:
 *     squares = sum n_i e_i^2,   E squares = plain + rho surplus
 * Rows are independent of each other; nothing here depends on the order of runs.
 */
#ifndef STATS_MOMENTS_H
#define STATS_MOMENTS_H

#include <stdbool.h>
#include <stddef.h>

#include "stats/design.h"

struct stats_row {
    const double *counts; /* for each run of the design */
    const double *inside; /* of these, the samples that are among those of the run; NULL: all */
    bool pools;           /* tells about the noise of the service: true for self values */
};

struct stats_moments {
    double count;                          /* samples on both sides */
    double share;                          /* pooled over both sides */
    double most;                           /* samples of the run on either side that has the most */
    double all_count, all_share, all_most; /* of all runs, the history's also */
    double sides[2];                       /* shares of base and new */
    double change;                         /* D */
    double inside;                         /* k */
    double own;       /* part of its samples that are among those it is measured by, if it pools */
    double strata;    /* what blocks of different shares change in the variance: 1 for one block */
    double squares;   /* sum n e^2 */
    double plain;     /* its expectation without noise between runs */
    double surplus;   /* its expectation is plain + rho surplus */
    double spread[3]; /* squared expectations of cells by freedom: [0] + [1] rho + [2] rho^2 */
    struct {
        double squares, plain, surplus; /* what the runs of base and new contribute */
    } now;
};

void stats_moments_of(struct stats_moments *m, const struct stats_design *d,
                      const struct stats_row *row);

/* v of a share. */
static inline double stats_moments_unit(double share, double inside)
{
    return share - inside * share * share;
}

#endif
