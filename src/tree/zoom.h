/*
 * The part of a tree that goes through one function: the function's calls, all that they call, and
 * their callers up to a distance.
 *
 * Only the outermost call of a stack counts, so a sample counts once and the part's total is the
 * function's total. Callers have the weight of the calls that come through them, and no self
 * weight. With fewer callers, calls that differ only in farther ones are merged.
 */
#ifndef TREE_ZOOM_H
#define TREE_ZOOM_H

#include "tree/tree.h"

/* All callers of a call. */
#define ZOOM_ALL_CALLERS UINT32_MAX

/*
 * Makes the part of `whole` that goes through `symbol`, with `callers` rows of callers at most.
 * `whole` is neither reversed nor a chart. t->part_of is the weight of `whole`.
 */
void zoom_init(struct tree *t, const struct tree *whole, uint32_t symbol, uint32_t callers);

#endif
