/*
 * Hot/cold graphs: on-CPU and off-CPU time of the same run in one graph.
 *
 * Both sides become one series in nanoseconds. Stacks keep their first frame, the
 * thread; the other frames get the class of their side, so that each thread has
 * both sides above it, in two hues. If the recipe says side_by_side, each side
 * gets a root frame instead: two graphs next to each other at one scale.
 */
#ifndef PREPARE_HOTCOLD_H
#define PREPARE_HOTCOLD_H

#include <stdbool.h>

#include "base/diag.h"
#include "prepare/recipe.h"

/*
 * Adds to `p` the series of `part`, one of several inputs, that are recognised as on-CPU or off-CPU
 * time. If none is recognised, adds the first series: as on-CPU time if `index` is 0, else as
 * off-CPU time. Returns false after reporting that a sum does not fit in 64 bits.
 */
bool hotcold_take(struct profile *p, const struct profile *part, size_t index, struct diag *diag);

/*
 * Adds the series "hot/cold". Returns false after reporting that a side is missing or is not a
 * time.
 */
bool hotcold_join(const struct recipe *r, struct profile *p, struct diag *diag);

#endif
