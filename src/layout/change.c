#include "layout/change.h"

#include <stdlib.h>

static bool is_caller_of_root(const struct tree *t, uint32_t id)
{
    return id >= t->callers && t->parent[id] == TREE_ROOT;
}

static uint64_t *add_sides(const struct tree *t)
{
    uint64_t *both = xreallocarray(NULL, t->count, sizeof(*both));

    for (uint32_t id = 0; id < t->count; id++)
        both[id] = t->total[id] + t->base[id];
    return both;
}

/*
 * Returns the lane's widths by node: the weight in `other` of paths that `width` lacks;
 * for a frame that both sides have, the sum of such paths below the frame. Adds those of the
 * root's callers to `callers`. Returns NULL if there are none.
 */
static uint64_t *make_lane(const struct tree *t, const uint64_t *width, const uint64_t *other,
                           uint64_t *callers)
{
    uint64_t *lane = xcalloc(t->count, sizeof(*lane));

    for (uint32_t id = t->count; id-- > 0;) {
        if (!width[id])
            lane[id] = other[id];
        if (id && width[t->parent[id]])
            *(is_caller_of_root(t, id) ? callers : &lane[t->parent[id]]) += lane[id];
    }
    if (lane[TREE_ROOT] || *callers)
        return lane;
    xfree(lane);
    return NULL;
}

/*
 * Adds modulo 2^64: intermediate sums may overflow, only the result has to fit. What a caller has
 * gained or lost is the change of the calls that come through it.
 */
static int64_t *own_changes(const struct tree *t)
{
    uint64_t *self = xreallocarray(NULL, t->count, sizeof(*self));

    for (uint32_t id = 0; id < t->count; id++)
        self[id] = t->total[id] - t->base[id];
    for (uint32_t id = 1; id < t->callers; id++)
        self[t->parent[id]] -= t->total[id] - t->base[id];
    return (int64_t *)self;
}

static void add_to_balance(struct change_balance *b, const struct tree *t, uint32_t id,
                           int64_t self)
{
    if (self > 0)
        *(t->base[id] ? &b->grown : &b->new) += (uint64_t)self;
    else
        *(t->total[id] ? &b->shrunk : &b->gone) -= (uint64_t)self;
}

void change_init(struct change *c, const struct tree *t, enum change_width by)
{
    *c = (struct change){.tree = t, .by = by, .self = own_changes(t)};
    c->own = xreallocarray(NULL, t->count, sizeof(*c->own));
    tree_self(t, c->own);
    for (uint32_t id = t->callers; id < t->count; id++)
        c->own[id] = t->total[id];
    if (by == CHANGE_BY_BOTH) {
        c->width = c->both = add_sides(t);
    } else if (by == CHANGE_BY_CYCLES) {
        c->width = t->total;
    } else {
        c->width = by == CHANGE_BY_NEW ? t->total : t->base;
        c->lane =
            make_lane(t, c->width, by == CHANGE_BY_NEW ? t->base : t->total, &c->callers_lane);
    }
    for (uint32_t id = 0; id < t->callers; id++)
        add_to_balance(&c->balance, t, id, c->self[id]);
}

void change_release(struct change *c)
{
    xfree(c->lane);
    xfree(c->self);
    xfree(c->own);
    xfree(c->both);
    *c = (struct change){0};
}

struct change_amount change_of(const struct change *c, uint32_t node, bool lane)
{
    const struct tree *t = c->tree;
    bool gone = c->by == CHANGE_BY_NEW;

    if (!lane)
        return (struct change_amount){t->base[node], t->total[node], c->own[node], c->self[node],
                                      false};
    return (struct change_amount){
        .base = gone ? c->lane[node] : 0,
        .now = gone ? 0 : c->lane[node],
        .own_now = c->width[node] || gone ? 0 : c->own[node],
        .self = c->width[node] ? 0 : c->self[node],
        .lane = true,
    };
}

struct change_amount change_of_lane(const struct change *c, uint64_t weight)
{
    bool gone = c->by == CHANGE_BY_NEW;

    return (struct change_amount){
        .base = gone ? weight : 0, .now = gone ? 0 : weight, .lane = true};
}
