/*
 * A function with its callers and its callees, each merged over all places
 * where it is called: a static sandwich.
 *
 * The root of such a tree is the function, not the whole graph. What it calls
 * are the nodes below tree->callers, as in any tree; the nodes from there on
 * are who calls it, the nearest caller a child of the root, with the weight of
 * the calls that come from there. Where a function calls itself, directly or
 * not, its outermost call counts, so that each sample counts once on either
 * side: the callees sum to the root's total less its own weight, the callers
 * to its total less the samples in which it has none.
 */
#ifndef TREE_AROUND_H
#define TREE_AROUND_H

#include "base/slice.h"
#include "tree/tree.h"

/*
 * The function of that name, which may have its class behind it ("read_[k]");
 * where several classes have the name, the one that weighs most. SYMBOL_NONE
 * where the graph has none.
 */
uint32_t around_find(const struct tree *t, struct slice name);

/* Makes the tree around a function of `whole`, which is root first and must outlive it. */
void around_init(struct tree *t, const struct tree *whole, uint32_t symbol);

#endif
