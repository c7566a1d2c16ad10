/*
 * The heaviest nodes of a call tree as rows. Each row comes after its parent's,
 * siblings with the heaviest first.
 */
#ifndef TREE_OUTLINE_H
#define TREE_OUTLINE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "tree/tree.h"

struct outline_row {
    uint32_t node;
    uint32_t depth; /* the root has 0 */
};

struct outline {
    VEC(struct outline_row) rows;
    uint32_t left_out; /* number of nodes without a row; none is heavier than a row */
    uint64_t heaviest; /* total of the heaviest node without a row */
};

/*
 * Fills the rows with the root and the heaviest `most` other nodes that have
 * weight. In a tree around a function (tree/sandwich.h), lists only one side:
 * callers if `callers`, else callees.
 */
void outline_init(struct outline *o, const struct tree *t, size_t most, bool callers);
void outline_release(struct outline *o);

#endif
