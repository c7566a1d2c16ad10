/*
 * Walks a tree in depth-first order without recursion.
 *
 * Node ids order parents before children, but do not show where a subtree ends.
 * A walk links the children of every node in the order of their ids. It stops at
 * each node of the graph (with a total or base above 0) twice: on entering and
 * on leaving.
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

/* Steps on and sets w->node, w->depth and w->leaving. Returns false at the end. */
bool tree_walk_next(struct tree_walk *w);

#endif
