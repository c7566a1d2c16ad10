/*
 * Call trees written as rows, each with its depth and its weights.
 *
 *     10 main
 *      7 parse
 *      2 read
 *
 * A weight is inclusive, as here, or a row's own. Of an inclusive weight a node
 * keeps what its children leave: 1 for main. So nothing is lost if a chain
 * ends early, and the weights of a tree add up to that of its root. If the
 * children outweigh a node, as rounded numbers do, they count in full and the
 * node keeps nothing.
 *
 * In an inverted tree the root is the function that was sampled and children
 * are callers; what a node keeps is a stack that ends there.
 *
 * Most tables have one inclusive weight: nested_add(). For one with several
 * columns of weights, add a measure for each and then the rows:
 *
 *     nested_init(&n, builder, false, false);
 *     nested_measure(&n, series_of_time, true);
 *     nested_measure(&n, series_of_calls, true);
 *     nested_row(&n, depth, line, entry, weights);    // two weights
 *     nested_end(&n);
 *
 * A row may be deeper than the one before by more than 1; a reader for which that
 * is damage compares with nested_depth() first. Functions that return bool
 * return false after reporting an error.
 */
#ifndef INPUT_BUILD_NESTED_H
#define INPUT_BUILD_NESTED_H

#include <stdbool.h>
#include <stdint.h>

#include "base/num.h"
#include "base/vec.h"
#include "input/build/builder.h"

/* The entry of a row that is no frame, such as "Total". */
#define NESTED_NO_FRAME UINT32_MAX

struct nested_node {
    uint64_t depth;
    uint64_t line;
    uint32_t entry; /* of the builder */
    uint32_t stack; /* made when the node first adds a weight */
    bool has_stack;
};

/* Of a node, in units of 10^-decimals of the measure. */
struct nested_weight {
    uint64_t weight, inside; /* with all below it; what of this its children account for */
};

struct nested_measure {
    uint32_t series;
    bool own; /* the rows give their own weights, not inclusive ones */
    unsigned decimals;
};

struct nested {
    struct builder *builder;
    bool inverted;
    bool rounded; /* weights are rounded: no warning if children outweigh a node */
    VEC(struct nested_measure) measures;
    VEC(struct nested_node) nodes;     /* from the root to the node added last */
    VEC(struct nested_weight) weights; /* of these, one for each measure */
};

void nested_init(struct nested *n, struct builder *b, bool inverted, bool rounded);
void nested_release(struct nested *n);

/* Adds a measure, before the first row. */
void nested_measure(struct nested *n, uint32_t series, bool own);

/*
 * Adds the node of a row, with a weight for each measure. Its parent is the
 * last node of less depth; without one it is the root of a new tree.
 */
bool nested_row(struct nested *n, uint64_t depth, uint64_t line, uint32_t entry,
                const struct decimal *weights);

/* Adds a node with one inclusive weight, of the series if it is the root of a new tree. */
bool nested_add_entry(struct nested *n, uint32_t series, uint64_t depth, uint64_t line,
                      uint32_t entry, struct decimal weight);
bool nested_add(struct nested *n, uint32_t series, uint64_t depth, uint64_t line,
                const struct frame *f, struct decimal weight);

/* Ends the tree. */
bool nested_end(struct nested *n);

/* Nodes from the root of the tree to the one added last, both included. */
static inline size_t nested_depth(const struct nested *n)
{
    return n->nodes.count;
}

#endif
