/*
 * The call tree of one graph.
 *
 * Nodes are ids in arrays. Every node comes after its parent; node 0 is the root
 * ("all"). The total of a node is its self weight plus the totals of its
 * children. A node with a total of 0, and a base of 0 if there is one, belongs
 * to another series of the profile: it is not part of the graph, and all code
 * must skip it.
 *
 * A root-first tree of a whole series borrows the profile's stack arrays, so
 * the profile must outlive the tree; a reversed or filtered tree owns its own. Trees that can
 * be much larger than the profile (reversed, around a function, charts) are cut if the thread's
 * budget is spent (base/budget.h), which the caller must check.
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
    uint32_t series; /* the totals are weights of this series */
    uint32_t count;
    const uint32_t *parent;            /* parent[id] < id */
    const uint32_t *symbol;            /* SYMBOL_NONE at the root */
    uint64_t *total;                   /* in units of 10^-profile->decimals */
    bool reversed;                     /* merged from the leaves */
    const struct tree *measured;       /* this graph's tree merged from the root, or NULL */
    uint64_t *base;                    /* totals in the base, for differential graphs; else NULL */
    uint64_t *lead;                    /* for flame charts (tree/chart.h); else NULL */
    uint32_t *own_parent, *own_symbol; /* arrays that the tree owns; NULL if they are borrowed */
    const struct tree
        *whole;       /* the source of a tree around a function (tree/sandwich.h), or NULL */
    uint32_t around;  /* the symbol of that function, or SYMBOL_NONE */
    uint32_t callers; /* nodes from this id on are its callers; `count` in other trees */
    uint64_t part_of; /* weight of the graph of which this is a part (tree/zoom.h); else 0 */
};

struct tree_options {
    bool reverse;     /* merge from the leaves: the root's children are the sampled functions */
    unsigned threads; /* that may work on a large tree; 0 counts as 1 */
};

/*
 * Builds the tree of one series. If the series has a base, the totals of that
 * base become the tree's `base`. The profile must outlive the tree.
 */
void tree_init(struct tree *t, const struct profile *p, uint32_t series,
               const struct tree_options *options);
void tree_release(struct tree *t);

/* Returns the weight of the whole graph. */
static inline uint64_t tree_weight(const struct tree *t)
{
    return t->total[TREE_ROOT];
}

/* Fills `self` (t->count elements) with the self weight of each node. */
void tree_self(const struct tree *t, uint64_t *self);

/* Fills `self` (an element per symbol of the profile) with each symbol's self weight. */
void tree_self_symbols(const struct tree *t, uint64_t *self);

#endif
