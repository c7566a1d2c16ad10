/*
 * The parts of the suite: each judges its tests and is independent of the others.
 */
#ifndef STATISTICS_SUITE_H
#define STATISTICS_SUITE_H

#include "statistics/judge.h"

/* Distributions against published tables; Benjamini and Hochberg's example. */
void suite_tables(struct judge *j);
/* What must not matter: order, empty runs, which side is which, numbers that are none. */
void suite_properties(struct judge *j);
/* The grid of rho, runs, samples and functions. */
void suite_grid(struct judge *j);
/* Worlds that are not as the model has it. */
void suite_worlds(struct judge *j);
/* Shifts in series of labels. */
void suite_series(struct judge *j);
/* Functions that have another name. */
void suite_renames(struct judge *j);
/* The table of src/stats/README.md is what the formulas say. */
void suite_reach(struct judge *j);

#endif
