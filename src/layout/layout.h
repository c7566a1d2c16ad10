/*
 * From tree to boxes.
 *
 * A box is a frame that is wide enough to draw: a node, its depth, and its
 * exact place in weight units. Siblings lie side by side in the chosen order,
 * from the left edge of their parent, and never overlap or leave it; what is
 * left free at the right is the parent's self weight. Thin siblings that get
 * no box still take their place. In flame charts (tree/chart.h) own weight of
 * the parent may lie between them. Pixels appear in layout/geometry.h only.
 *
 * A differential graph has the widths of layout/change.h. Where it has a lane, that is the last
 * child of the root, LAYOUT_LANE, which is then as wide as the graph and the lane.
 *
 * Boxes are ordered by depth, then by start. Around a function
 * (tree/around.h) they grow from its box to both sides: the boxes of callers
 * come behind the others of their depth.
 */
#ifndef LAYOUT_LAYOUT_H
#define LAYOUT_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "layout/change.h"
#include "layout/ratio.h"
#include "tree/tree.h"

enum layout_sort {
    LAYOUT_BY_NAME,   /* bytewise by name, then by class: the same place in every graph */
    LAYOUT_BY_WEIGHT, /* heaviest first, ties by name */
    LAYOUT_BY_TIME,   /* as the nodes come: of flame charts */
};

struct layout_options {
    enum layout_sort sort;
    uint64_t total;      /* the weight that fills the width; 0 for the tree's own */
    bool own_shares;     /* shares are of the tree's own weight, whatever fills the width */
    double min_width;    /* narrower frames get no box; in pixels of `width` ... */
    bool min_is_percent; /* ... or in per cent of the total */
    uint32_t width;      /* pixels that the total takes, for min_width */
    uint32_t max_depth;  /* rows drawn at most, the root's included */
    /* of differential graphs */
    enum change_width width_by;
    bool delta_of_total; /* colour shows the change of the total weight, not of the own */
    bool negate;         /* of two counters: the colours change places */
};

/* The node of the lane's first box. */
#define LAYOUT_LANE UINT32_MAX

struct box {
    uint32_t node;
    uint32_t depth;  /* the root has 0 */
    bool callers;    /* on the side of the callers */
    uint64_t start;  /* left edge, from 0 */
    uint64_t weight; /* width */
    int64_t delta;   /* what its colour shows, for differential graphs; else 0 */
};

struct layout {
    const struct tree *tree;
    enum layout_sort sort;
    VEC(struct box) boxes;
    VEC(struct change_amount) changes; /* of each box, for differential graphs */
    struct change_balance balance;
    int64_t hidden_change; /* of own weight, of frames without a box */
    enum change_width width_by;
    bool delta_of_total, negate;
    struct ratio_range range; /* of two counters */
    uint64_t lane;            /* weight of the lane */
    uint64_t total;           /* weight units across the whole width */
    uint64_t whole;    /* what shares are of: the total, of differential graphs that now, around a
                          function all of the graph, with own_shares the tree's weight */
    uint32_t rows;     /* of all boxes */
    uint32_t below;    /* of the callers among them */
    uint64_t thin;     /* weight whose own frame is too thin to have a box */
    uint64_t above;    /* weight whose own frame lies above max_depth */
    int64_t max_delta; /* largest |delta| of any box, at least 1 */
};

void layout_init(struct layout *l, const struct tree *t, const struct layout_options *options);
void layout_release(struct layout *l);

#endif
