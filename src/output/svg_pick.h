/*
 * Picks the frames of a tree that an SVG keeps if it has no room for all.
 *
 * The heaviest frames are kept, which includes all their callers. The weight of
 * the others is added up in the frames that called them. Walking a large tree
 * takes time, so a pick that is too large is shrunk without the tree.
 */
#ifndef OUTPUT_SVG_PICK_H
#define OUTPUT_SVG_PICK_H

#include <stdint.h>

#include "tree/tree.h"

/* Index 0 of the arrays is the root; parents come before their children. */
struct svg_pick {
    const struct tree *tree;
    uint32_t count;                 /* kept frames, the root included */
    uint32_t *node;                 /* id in the tree */
    uint32_t *parent;               /* index in these arrays */
    uint64_t *self, *left_out;      /* self weight, and the weight of children not kept */
    uint64_t *before, *left_before; /* self and left_out of the base; else NULL */
    /*
     * Only for flame charts, else NULL. lead: the weight left free before the frame; since: that
     * of children not kept after the last kept child. A child that is not kept leaves its place
     * free, so its weight is in `self` as well.
     */
    uint64_t *lead, *since;
    uint64_t least;  /* the lowest weight that is kept */
    uint32_t frames; /* number of frames left out */
    uint64_t weight; /* total weight of these frames */
};

/* Picks at most `most` frames of `t`, which must outlive the pick. `threads` may count frames. */
void svg_pick_init(struct svg_pick *p, const struct tree *t, uint32_t most, unsigned threads);
void svg_pick_release(struct svg_pick *p);

/* Shrinks to at most `most` frames. The result is what svg_pick_init() would have picked. */
void svg_pick_shrink(struct svg_pick *p, uint32_t most);

#endif
