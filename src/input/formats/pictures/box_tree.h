/*
 * Call trees given as the boxes of a flame graph: a row, a left edge and a width for each frame.
 *
 * Boxes come in any order. The caller of a frame is the box in the row nearer to the root that is
 * around the middle of the frame's box, so edges may be rounded. The self weight of a frame is its
 * weight less that of its callees. Callees that rounding made heavier than their caller are cut, so
 * that the total is that of the root. Boxes without a caller are left out, counted and quoted.
 */
#ifndef INPUT_FORMATS_PICTURES_BOX_TREE_H
#define INPUT_FORMATS_PICTURES_BOX_TREE_H

#include "input/build/builder.h"

struct box {
    int64_t row, left, width;
    uint64_t weight;
    int64_t change; /* of the self weight since the base, in units of 10^-4 of the root's weight */
    uint32_t entry; /* of the builder */
    uint32_t stack;
    uint32_t caller; /* index of a box, or UINT32_MAX */
    __int128 self;
};

struct box_tree {
    struct builder *builder;
    VEC(struct box) boxes;
    bool downwards;    /* rows grow from the root to the leaves */
    bool differential; /* boxes have changes */
    bool exact;        /* widths are not rounded: a callee heavier than its caller is damage */
    unsigned decimals; /* of the weights */
    uint64_t cut;      /* callees that were heavier than their caller, together with others */
    uint64_t negative; /* self weights of the base that rounding made less than 0 */
};

/* Finds out which row is the root's, for pictures that do not say so. */
void box_tree_find_root(struct box_tree *t);

/* The weight of the root's row. */
uint64_t box_tree_total(struct box_tree *t);

/*
 * Adds the stacks to a series, and to its base if boxes have changes. Returns false after reporting
 * an error.
 */
bool box_tree_add(struct box_tree *t, uint32_t series, uint32_t base);
void box_tree_release(struct box_tree *t);

#endif
