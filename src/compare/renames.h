/*
 * Functions that have another name in the new runs.
 *
 * A function that only base runs have and one that only new runs have are one function if both are
 * of one module (a file name without its digits), have the same callers and similar names
 * (stats/renames.h), and if self and total differ by a factor of two at most. Names need not be
 * similar if callers, callees and cost are the same and no other function is like either of the
 * two. Their counts are then one row.
 */
#ifndef COMPARE_RENAMES_H
#define COMPARE_RENAMES_H

#include "compare/functions.h"
#include "stats/noise.h"

/* Whether two functions are of one module, or of one class or namespace if no module is known. */
bool renames_same_place(const struct function *a, const struct function *b);

/* Finds renamed functions and joins their rows. */
void renames_join(struct functions *f, const struct stats_settings *settings);

#endif
