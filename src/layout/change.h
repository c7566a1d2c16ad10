/*
 * Widths and changes of the frames of a differential graph.
 *
 * Widths are the weights of one side, new or base, or of both together. If they
 * are the weights of one side, paths that only the other side has are drawn beside
 * the graph, in a lane ("gone" or "new") of the same scale. So no path is lost,
 * and the changes of all frames' self weights add up to the change of the
 * total. Callers of such paths are repeated in the lane, with no change.
 *
 * Around one function, callers have no self weight: in its place they have the weight of the calls
 * that come through them. A path that only one side has may be among the callees, the callers or
 * both; the lane is as wide as the wider side needs.
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

/* The weights and the change of one frame. */
struct change_amount {
    uint64_t base, now; /* totals; in the lane: of the lane's paths only */
    uint64_t own_now;   /* self weight in the new profile; of a caller the total */
    int64_t self;       /* own_now minus its value in the base */
    bool lane;
};

/* Sums of the changes of self weights: new + grown - gone - shrunk is the change of the total. */
struct change_balance {
    uint64_t new, grown;   /* gained by paths that only the new profile has, and by other paths */
    uint64_t gone, shrunk; /* lost by paths that only the base has, and by other paths */
};

struct change {
    const struct tree *tree;
    enum change_width by;
    const uint64_t *width; /* by node */
    uint64_t *lane;        /* by node: its width in the lane; NULL if the lane is empty */
    uint64_t callers_lane; /* width of the lane among the callers of the root */
    int64_t *self;         /* by node: self weight in the new profile minus that in the base */
    uint64_t *own;         /* by node: self weight in the new profile */
    uint64_t *both;        /* owns `width` if it is not the weight of one side */
    struct change_balance balance;
};

/* Requires that `t` has a base and that the sum of both totals fits in 63 bits. Keeps `t`. */
void change_init(struct change *c, const struct tree *t, enum change_width by);
void change_release(struct change *c);

/* Returns the weights of a node's frame, in the lane if `lane` is set. */
struct change_amount change_of(const struct change *c, uint32_t node, bool lane);

/* Returns the weights of the first frame of the lane, which is `weight` wide. */
struct change_amount change_of_lane(const struct change *c, uint64_t weight);

/* Returns the width of the lane in weight units, 0 if it is empty. */
static inline uint64_t change_lane(const struct change *c)
{
    uint64_t lane = c->lane ? c->lane[TREE_ROOT] : 0;

    return lane < c->callers_lane ? c->callers_lane : lane;
}

#endif
