/*
 * Finds functions that the compiler inlined in one of the two builds: one side does not have the
 * function, and there its cost is self weight of the functions that call it.
 *
 * A function that ends in a call leaves no frame for it (a tail call), so that the other build may
 * show the inlined function below the caller of its caller. Then its cost is that of one function
 * beside it. The frames of an inlined function become those of the function that has its cost, and
 * both are tested as one: what remains is the net change.
 */
#ifndef COMPARE_INLINES_H
#define COMPARE_INLINES_H

#include "compare/functions.h"
#include "stats/noise.h"

/* Gives the samples of inlined functions to those that have their cost; see `inlined` there. */
void inlines_join(struct functions *f, const struct stats_settings *settings);

#endif
