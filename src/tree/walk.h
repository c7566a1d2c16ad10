/*
 * The tree in depth-first order, without recursion.
 *
 * Ids tell parents before children but not where a subtree ends. A walk lists
 * the children of every node, siblings in id order, and yields an ENTER and a
 * LEAVE event for each node that is part of the graph (total above 0, or base
 * above 0 where there is one).
 */
#ifndef TREE_WALK_H
#define TREE_WALK_H

#include <stdbool.h>
#include <stdint.h>

#include "tree/tree.h"

#define NODE_NONE UINT32_MAX

struct tree_walk {
    const struct tree *tree;
    uint32_t *first_child, *next_sibling; /* by node, NODE_NONE at the end */
    uint32_t node;
    uint32_t depth; /* of node; the root has 0 */
    bool leaving;
    bool started;
};

void tree_walk_init(struct tree_walk *w, const struct tree *t);
void tree_walk_release(struct tree_walk *w);

/* Steps to the next event; false at the end. Then w->node, w->depth and w->leaving tell it. */
bool tree_walk_next(struct tree_walk *w);

#endif
