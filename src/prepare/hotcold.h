/*
 * Hot and cold: the time on the CPU and the time off it, of the same run, in
 * one graph.
 *
 * Both become one series in nanoseconds. Its stacks keep their first frame, the
 * thread; the other frames get the class of their side, so that each thread has
 * both sides above it, in two hues. Side by side, each side gets a first frame
 * of its own instead: two graphs next to each other at one scale.
 */
#ifndef PREPARE_HOTCOLD_H
#define PREPARE_HOTCOLD_H

#include <stdbool.h>

#include "base/diag.h"
#include "prepare/recipe.h"

/*
 * Adds to `p` the series of one of several inputs that are recognised as time on or off the CPU. If
 * there are none, adds the first series, as time on the CPU if `index` is 0, else off it. Returns
 * false after reporting that a sum does not fit in 64 bits.
 */
bool hotcold_take(struct profile *p, const struct profile *part, size_t index, struct diag *diag);

/* Adds the series "hot/cold". Returns false after reporting a side that is missing or no time. */
bool hotcold_join(const struct recipe *r, struct profile *p, struct diag *diag);

#endif
