/*
 * Lays out a tree as boxes.
 *
 * A box is a frame that is wide enough to draw: a node, its depth, and its
 * exact position in weight units. Siblings are placed side by side in the
 * chosen order, from the left edge of their parent, and never overlap or leave
 * the parent; free space at the right is the parent's self weight. Siblings too
 * thin for a box still occupy their width. In flame charts (tree/chart.h) self
 * weight of the parent may lie between siblings. layout/geometry.h converts
 * weights to pixels.
 *
 * A differential graph has the widths of layout/change.h. Its lane, if there is one, is the root's
 * last child, with the node LAYOUT_LANE; the root is then as wide as the graph and the lane. Around
 * a function, callees and callers may have such a box each.
 *
 * Boxes are sorted by depth, then by start. In a graph around a function
 * (tree/sandwich.h) callers and callees grow from the function's box to opposite
 * sides; boxes of callers come after all others of their depth.
 */
#ifndef LAYOUT_LAYOUT_H
#define LAYOUT_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "layout/change.h"
#include "layout/rank.h"
#include "layout/ratio.h"
#include "tree/evidence.h"
#include "tree/tree.h"

enum layout_sort {
    LAYOUT_BY_NAME,   /* bytewise by name, then by class: the same place in every graph */
    LAYOUT_BY_WEIGHT, /* heaviest first, ties by name */
    LAYOUT_BY_TIME,   /* in the order of nodes; for flame charts */
};

struct layout_options {
    enum layout_sort sort;
    uint64_t total;      /* the weight that fills the width; 0: the tree's total */
    bool own_shares;     /* shares are of the tree's total, whatever fills the width */
    double min_width;    /* narrower frames get no box; in pixels of `width` ... */
    bool min_is_percent; /* ... or in per cent of the total */
    uint32_t width;      /* pixels that the total takes, for min_width */
    uint32_t max_depth;  /* rows drawn at most, the root's included */
    /* only for differential graphs: */
    enum change_width width_by;
    bool delta_of_total; /* colours show the change of total, not self, weight */
    bool negate;         /* two counters: swaps the colours */
    struct evidence evidence;
};

/* The node of the lane's first box. */
#define LAYOUT_LANE UINT32_MAX

struct box {
    uint32_t node;
    uint32_t depth;  /* the root has 0 */
    bool callers;    /* the box is a caller's (tree/sandwich.h) */
    uint64_t start;  /* left edge, from 0 */
    uint64_t weight; /* width */
    int64_t delta;   /* the change its colour shows; 0 unless differential */
};

struct layout {
    const struct tree *tree;
    struct rank names; /* ranks of the symbols of all frames, also of those too thin to draw */
    enum layout_sort sort;
    VEC(struct box) boxes;
    VEC(struct change_amount) changes; /* of each box, for differential graphs */
    struct change_balance balance;
    int64_t hidden_change; /* of self weight, of frames without a box */
    enum change_width width_by;
    bool delta_of_total, negate;
    struct evidence evidence; /* of changes; unknown for two counters */
    struct ratio_range range; /* of two counters */
    uint64_t lane;            /* weight of the lane */
    uint64_t total;           /* weight units across the whole width */
    uint64_t whole;    /* 100 % of all shares: the total; if differential, the new total; around a
                          function and in a part, the whole graph; with own_shares, the tree's
                          total */
    uint32_t rows;     /* of all boxes */
    uint32_t below;    /* rows of callers, included in `rows` */
    uint64_t thin;     /* self weight of frames too thin for a box */
    uint64_t above;    /* self weight of frames above max_depth */
    int64_t max_delta; /* largest |delta| of any box, at least 1 */
};

/*
 * Fills `l` from a tree, which must outlive it. If the thread's budget is spent (base/budget.h),
 * which the caller must check, boxes are missing.
 */
void layout_init(struct layout *l, const struct tree *t, const struct layout_options *options);
void layout_release(struct layout *l);

/* Returns how far samples support the delta of a box of a differential graph, from 0 to 1. */
double layout_support(const struct layout *l, const struct box *box);

#endif
