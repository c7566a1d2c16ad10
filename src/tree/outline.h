/*
 * A call tree as rows, one below the other: the heaviest nodes, each behind
 * its parent, siblings by weight.
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
    uint32_t left_out; /* nodes that are lighter than all of these */
    uint64_t heaviest; /* of those */
};

/*
 * The heaviest `most` nodes that have weight, the root not counted, which is
 * the first row. Around a function it is one side of the tree.
 */
void outline_init(struct outline *o, const struct tree *t, size_t most, bool callers);
void outline_release(struct outline *o);

#endif
