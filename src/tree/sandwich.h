/*
 * A tree around one function: its callers and its callees, each merged over all
 * calls of the function (a sandwich view).
 *
 * The root is the function. Nodes with ids below tree->callers are its callees,
 * as in any tree. Nodes from tree->callers on are its callers: the nearest
 * callers are children of the root, and the total of a caller is the weight of
 * the calls that come through it. If a function calls itself, directly or not,
 * only its outermost call counts, so each sample counts once on either side.
 * The callees' totals add up to the root's total less its self weight, the
 * callers' to the root's total less the samples in which it has no caller.
 */
#ifndef TREE_SANDWICH_H
#define TREE_SANDWICH_H

#include "base/slice.h"
#include "tree/tree.h"

/*
 * Returns the symbol of the function `name`, which may end in a class suffix
 * ("read_[k]"). If several classes have the name, returns the heaviest symbol.
 * Returns SYMBOL_NONE if the graph has no such function with a weight.
 */
uint32_t sandwich_find(const struct tree *t, struct slice name);

/* Makes the tree around a function of `whole`, which is not reversed and must outlive `t`. */
void sandwich_init(struct tree *t, const struct tree *whole, uint32_t symbol);

#endif
