/*
 * The parts of the suite: each judges its tests and is independent of the others.
 */
#ifndef STATISTICS_SUITE_H
#define STATISTICS_SUITE_H

#include "statistics/judge.h"

/* Compares distributions with published tables, and with Benjamini and Hochberg's example. */
void suite_tables(struct judge *j);
/* Checks what must not matter: order, empty runs, exchanged sides, values that are not numbers. */
void suite_properties(struct judge *j);
/* The grid of rho, runs, samples and functions. */
void suite_grid(struct judge *j);
/* Worlds that violate the model. */
void suite_worlds(struct judge *j);
/* Shifts in series of labels. */
void suite_series(struct judge *j);
/* Trends of histories of several services. */
void suite_histories(struct judge *j);
/* Functions that were renamed. */
void suite_renames(struct judge *j);
/* Splits of recordings whose differences are known, where the collection has them. */
void suite_recordings(struct judge *j);
/* Compares the table of src/stats/README.md with the formulas. */
void suite_reach(struct judge *j);

#endif
