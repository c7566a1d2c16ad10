/*
 * Flame charts: the samples of a series in the order of time.
 *
 * A chart is a tree that merges frames only of consecutive samples: a function
 * that returned and was called again has two nodes. Nodes are in depth-first
 * order, siblings in the order of time. tree.lead of a node is the part of its
 * parent's self weight that lies directly before the node, so each node has its
 * place in time; the rest of the self weight lies after the last child.
 */
#ifndef TREE_CHART_H
#define TREE_CHART_H

#include <stdbool.h>
#include <stdint.h>

#include "tree/tree.h"

/* Whether the profile has the single samples of the series and their order. */
bool chart_is_possible(const struct profile *p, uint32_t series);

/*
 * Makes the chart of a series, whose timed samples must be sorted; omits samples without weight.
 * Returns false, with nothing to release, if the chart would exceed the maximum number of nodes.
 */
bool chart_init(struct tree *t, const struct profile *p, uint32_t series);

#endif
