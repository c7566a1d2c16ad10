/*
 * Call trees written as lines, each with its depth and the weight of all below it.
 *
 *     10 main
 *      7 parse
 *      2 read
 *
 * A node's own weight is what its children leave of it: 1 for main here. So
 * nothing is lost where a chain ends early, and the weights of a tree add up
 * to that of its root. Where the children outweigh a node, as rounded numbers
 * do, they count in full and the node has nothing of its own.
 *
 * In an inverted tree the root is the function that was sampled and children
 * are callers; what a node keeps for itself is a stack that ends there.
 */
#ifndef INPUT_BUILD_NESTED_H
#define INPUT_BUILD_NESTED_H

#include <stdbool.h>
#include <stdint.h>

#include "base/num.h"
#include "base/vec.h"
#include "input/build/builder.h"

struct nested_node {
    uint64_t depth;
    uint64_t line;
    uint32_t entry;          /* of the builder */
    uint64_t weight, inside; /* all below it; what of this its children account for */
};

struct nested {
    struct builder *builder;
    bool inverted;
    bool rounded; /* the weights are: children that outweigh their parent are no surprise */
    uint32_t series;
    unsigned decimals;             /* of the weights of the nodes */
    VEC(struct nested_node) nodes; /* from the root to the node added last */
};

void nested_init(struct nested *n, struct builder *b, bool inverted, bool rounded);
void nested_release(struct nested *n);

/*
 * Adds the node of a line to the tree of a series. Its parent is the last node
 * of less depth; without one it is the root of a new tree. False where told.
 */
bool nested_add(struct nested *n, uint32_t series, uint64_t depth, uint64_t line,
                const struct frame *f, struct decimal weight);
/* The same with the builder's entry of the frame. */
bool nested_add_entry(struct nested *n, uint32_t series, uint64_t depth, uint64_t line,
                      uint32_t entry, struct decimal weight);

/* Ends the tree. False where told. */
bool nested_end(struct nested *n);

/* Nodes between the root of the tree and the one added last, both included. */
static inline size_t nested_depth(const struct nested *n)
{
    return n->nodes.count;
}

#endif
