/*
 * Flame charts: the samples of a series in the order of time.
 *
 * A chart is a tree in which frames are merged only where samples follow each
 * other: what was called, ended and was called again is two nodes. Its nodes
 * come depth first in the order of time, and tree.lead says how much of its
 * parent's own weight lies right before each, so that everything stands where
 * it happened; what is left of the own weight lies behind the last child.
 */
#ifndef TREE_CHART_H
#define TREE_CHART_H

#include <stdbool.h>
#include <stdint.h>

#include "tree/tree.h"

/* Whether the samples of the series are known one by one, and their order too. */
bool chart_is_possible(const struct profile *p, uint32_t series);

/*
 * Makes the chart of a series, whose moments are sorted. Samples of no weight are not in it. False,
 * and nothing to release, where it would have more nodes than a tree can.
 */
bool chart_init(struct tree *t, const struct profile *p, uint32_t series);

#endif
