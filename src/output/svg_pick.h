/*
 * Which frames of a tree an SVG keeps, where it cannot have all of them.
 *
 * The heaviest ones, with whatever leads to them. What the others weigh is
 * told by the frames that they were called from. Going through a large tree
 * takes time, so a pick that turns out too large is made smaller by itself.
 */
#ifndef OUTPUT_SVG_PICK_H
#define OUTPUT_SVG_PICK_H

#include <stdint.h>

#include "tree/tree.h"

/* Index 0 of the arrays is the root; parents come before their children. */
struct svg_pick {
    const struct tree *tree;
    uint32_t count;                 /* frames that are kept, and the root */
    uint32_t *node;                 /* of the tree */
    uint32_t *parent;               /* index */
    uint64_t *self, *left_out;      /* own weight, and that of its children that are not kept */
    uint64_t *before, *left_before; /* of differential graphs, the same before; else NULL */
    /*
     * Of flame charts; else NULL: left free before the frame, and by its children not kept behind
     * the last that is. There the place of what is left out is free: it is in `self`, too.
     */
    uint64_t *lead, *since;
    uint64_t least;  /* what the lightest frame weighs that is kept */
    uint32_t frames; /* left out */
    uint64_t weight; /* of these */
};

/* Picks at most `most` frames of `t`, which must outlive the pick. */
void svg_pick_init(struct svg_pick *p, const struct tree *t, uint32_t most);
void svg_pick_release(struct svg_pick *p);

/* Leaves of the frames at most `most`: those that would have been picked at once. */
void svg_pick_shrink(struct svg_pick *p, uint32_t most);

#endif
