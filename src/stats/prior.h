/*
 * How alike the variances of many functions are: what one function's variance is taken to be before
 * its own squares are seen.
 *
 * Ratios u_k of squares to a model vary around 1 like s times F(d_k, d0). The maximum of the
 * likelihood gives the scale s and the degrees of freedom d0 of this prior: few if functions differ
 * in their noise, many if they do not (Smyth, Stat. Appl. Genet. Mol. Biol. 3, 2004).
 */
#ifndef STATS_PRIOR_H
#define STATS_PRIOR_H

#include <stdbool.h>
#include <stddef.h>

/* A function with more squares than this probability allows has a variance of its own. */
#define STATS_WILD 0.05

/* Of degrees of freedom: functions are never taken to be as alike as a fit may say. */
#define STATS_PRIOR_MOST 24.0

/* The squares of one function, relative to the model, and their degrees of freedom. */
struct stats_ratio {
    double u, freedom;
};

/*
 * Sets the scale, and the degrees of freedom, less for what they are estimated from: functions of
 * one profile depend on each other and count half. Leaves out functions as `left_out` says, and
 * then sets it for those that have a variance of their own, of all functions together.
 */
void stats_prior_fit(double *scale, double *freedom, const struct stats_ratio *ratios,
                     bool *left_out, size_t count);

#endif
