/*
 * Builds trees that merge stacks from their leaves: the children of a node are
 * its callers.
 */
#ifndef TREE_REVERSE_H
#define TREE_REVERSE_H

#include "tree/tree.h"

/*
 * Fills the arrays of a tree whose profile and series are set. Sorts the stacks
 * by their frames, leaf first, while it builds the tree (multikey quicksort), so
 * it needs no lookups: the cost is that of the sort plus one step per frame.
 */
void reverse_init(struct tree *t);

#endif
