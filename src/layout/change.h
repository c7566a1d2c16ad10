/*
 * Where a differential graph has its widths from, and what its frames gained or lost.
 *
 * The graph is as wide as one side, new or base, or as both together. Beside
 * one side there is a lane for the paths that only the other side has, at the
 * same scale: nothing vanishes, and the changes of all frames, each of its own
 * weight, add up to the change of the total. Frames that lead to such paths
 * are in the lane, too, where they stand for no change of their own.
 */
#ifndef LAYOUT_CHANGE_H
#define LAYOUT_CHANGE_H

#include <stdbool.h>
#include <stdint.h>

#include "tree/tree.h"

enum change_width {
    CHANGE_BY_NEW,
    CHANGE_BY_BASE,
    CHANGE_BY_BOTH,
    CHANGE_BY_CYCLES, /* two counters (layout/ratio.h): the new side, without a lane */
};

/* What a frame stands for. */
struct change_amount {
    uint64_t base, now; /* in the lane: of the paths that are there */
    uint64_t own_now;   /* own weight now */
    int64_t self;       /* that less before */
    bool lane;
};

/* Changes of own weight, of all frames; those of the first two less those of the last two are
   the change of the total. */
struct change_balance {
    uint64_t new, grown;   /* of paths that the base has not, of others */
    uint64_t gone, shrunk; /* of paths that only the base has, of others */
};

struct change {
    const struct tree *tree;
    enum change_width by;
    const uint64_t *width; /* by node */
    uint64_t *lane;        /* by node: its width in the lane; NULL where that is empty */
    int64_t *self;         /* by node: own weight now less before */
    uint64_t *own;         /* by node: own weight now */
    uint64_t *both;        /* what `width` is where it is of no side alone */
    struct change_balance balance;
};

/* `t` has a base; the weights of both sides fit in 63 bits together. */
void change_init(struct change *c, const struct tree *t, enum change_width by);
void change_release(struct change *c);

struct change_amount change_of(const struct change *c, uint32_t node, bool lane);

/* The weight of the lane. */
static inline uint64_t change_lane(const struct change *c)
{
    return c->lane ? c->lane[TREE_ROOT] : 0;
}

#endif
