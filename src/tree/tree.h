/*
 * The call tree of one graph.
 *
 * Nodes are ids in arrays; every node comes after its parent, node 0 is the
 * root ("all"). A node's total is its own weight and that of everything it
 * called; its self weight is the total less the totals of its children. Nodes
 * with a total of 0 may be there (the stacks of another series of the same
 * profile): they are not part of the graph and everyone skips them.
 *
 * A root-first tree of a whole series borrows the profile's stack arrays, so
 * the profile must outlive the tree; a reversed or filtered tree owns its own.
 * Symbol ids are the profile's.
 */
#ifndef TREE_TREE_H
#define TREE_TREE_H

#include <stdbool.h>
#include <stdint.h>

#include "profile/profile.h"

enum { TREE_ROOT = 0 };

struct tree {
    const struct profile *profile;
    uint32_t series; /* whose weights the totals are */
    uint32_t count;
    const uint32_t *parent;            /* parent[id] < id */
    const uint32_t *symbol;            /* SYMBOL_NONE at the root */
    uint64_t *total;                   /* in units of 10^-profile->decimals */
    bool reversed;                     /* merged from the leaves */
    const struct tree *measured;       /* the same root first, where somebody has it; or NULL */
    uint64_t *base;                    /* total before, for differential graphs; else NULL */
    uint64_t *lead;                    /* of flame charts (tree/chart.h); else NULL */
    uint32_t *own_parent, *own_symbol; /* where the arrays above are not borrowed; else NULL */
    const struct tree
        *whole;       /* around a function (tree/around.h): what it was made from; or NULL */
    uint32_t around;  /* the function */
    uint32_t callers; /* nodes from here on are its callers; `count` elsewhere */
};

struct tree_options {
    bool reverse; /* merge from the leaves: each root is a sampled function */
};

/*
 * Builds the tree of one series; where that has a base, its totals are the
 * tree's base.
 */
void tree_init(struct tree *t, const struct profile *p, uint32_t series,
               const struct tree_options *options);
void tree_release(struct tree *t);

/* The weight of the whole graph. */
static inline uint64_t tree_weight(const struct tree *t)
{
    return t->total[TREE_ROOT];
}

/* Fills `self` (room for t->count) with each node's own weight. */
void tree_self(const struct tree *t, uint64_t *self);

/* The same by symbol (room for all of the profile's), whatever the tree was merged from. */
void tree_self_symbols(const struct tree *t, uint64_t *self);

#endif
