/*
 * Hot and cold: the time on the CPU and the time off it, of the same run, in
 * one graph.
 *
 * Both become one series in the same unit. Its stacks keep their first frame,
 * the thread, and the others become of the class of their side, so that below
 * each thread the two stand next to each other, in two hues. Side by side, the
 * sides are the first frames instead: the two graphs next to each other, at
 * one scale.
 */
#ifndef PREPARE_HOTCOLD_H
#define PREPARE_HOTCOLD_H

#include <stdbool.h>

#include "base/diag.h"
#include "prepare/recipe.h"

/*
 * Takes over what one of several inputs has of it: what is recognised as time
 * on or off the CPU, or all there is, the first input (`index` 0) being that
 * on the CPU. False, told, where the sum is beyond 64 bits.
 */
bool hotcold_take(struct profile *p, const struct profile *part, size_t index, struct diag *diag);

/* Adds the series "hot/cold" of the two. False, told, where one is missing or is no time. */
bool hotcold_join(const struct recipe *r, struct profile *p, struct diag *diag);

#endif
