/*
 * What a service costs: its weight for each request that it served, for each second, or for each
 * run, and how much more that is than in the base.
 *
 * Requests and durations must be known of all runs of both sides. Without requests, seconds or runs
 * are taken, by which the runs of a side differ less. The interval of the change is
 * that of the ratio of two ratios of sums: the run is the unit of evidence, the logarithm of the
 * ratio has Student's t distribution with the degrees of freedom of Welch and Satterthwaite.
 */
#ifndef COMPARE_COSTS_H
#define COMPARE_COSTS_H

#include "compare/comparison.h"

/* Fills the cost of a service from its runs. It stays empty if a side has no runs or no weight. */
void costs_add(struct compared_service *s, const struct compare_run *runs, size_t count);

#endif
