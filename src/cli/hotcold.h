/*
 * Hot and cold: the time on the CPU and the time off it, of the same run, in
 * one graph.
 *
 * Both become one series in the same unit. Its stacks keep their first frame,
 * the thread, and the others become of the class of their side, so that below
 * each thread the two stand next to each other, in two hues. With --pair the
 * sides are the first frames instead: the two graphs next to each other, at
 * one scale.
 */
#ifndef CLI_HOTCOLD_H
#define CLI_HOTCOLD_H

#include <stdbool.h>

#include "base/diag.h"
#include "cli/options.h"
#include "profile/profile.h"

/* Whether the options ask for such a graph. */
bool hotcold_is_wanted(const struct options *o);

/* False, told, where options of such a graph are given and it is not asked for. */
bool hotcold_check(const struct options *o, struct diag *diag);

/*
 * Takes over what one of several inputs has of it: what is recognised as time
 * on or off the CPU, or all there is, the first input (`index` 0) being that
 * on the CPU. False, told, where the sum is beyond 64 bits.
 */
bool hotcold_take(struct profile *p, const struct profile *part, size_t index, struct diag *diag);

/* Adds the series "hot/cold" of the two. False, told, where one is missing or is no time. */
bool hotcold_join(const struct options *o, struct profile *p, struct diag *diag);

#endif
