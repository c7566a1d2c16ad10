/*
 * Stacks merged from their leaves: what the children of the root call is what
 * called them.
 */
#ifndef TREE_REVERSE_H
#define TREE_REVERSE_H

#include "tree/tree.h"

/*
 * Fills the arrays of a tree whose profile and series are set. Costs what
 * telling the stacks apart costs and a step for each frame: nothing is looked
 * up, since the stacks are sorted by their frames, leaf first, while the tree
 * is made (a multikey quicksort).
 */
void reverse_init(struct tree *t);

#endif
