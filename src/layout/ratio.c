#include "layout/ratio.h"

#include <stdlib.h>

#include "layout/layout.h"

int ratio_compare(enum pair_kind kind, struct ratio a, struct ratio b)
{
    unsigned __int128 left = (unsigned __int128)a.part * b.cycles;
    unsigned __int128 right = (unsigned __int128)b.part * a.cycles;
    int order = (left > right) - (left < right);

    return kind == PAIR_STALLS ? -order : order;
}

/* Returns the ratio that a box's colour shows: of its self or of its total weight. */
static struct ratio ratio_of(const struct layout *l, size_t box)
{
    const struct change_amount *c = &l->changes.items[box];

    if (l->delta_of_total)
        return (struct ratio){c->base, c->now};
    return (struct ratio){c->own_now - (uint64_t)c->self, c->own_now};
}

/* Finds the range of boxes with at least `least` cycles. Returns false if there are none. */
static bool find_range(struct layout *l, enum pair_kind kind, uint64_t least)
{
    bool found = false;

    l->range.least = least;
    for (size_t i = 0; i < l->boxes.count; i++) {
        struct ratio r = ratio_of(l, i);

        if (!r.cycles || r.cycles < least)
            continue;
        if (!found || ratio_compare(kind, r, l->range.stalled) < 0)
            l->range.stalled = r;
        if (!found || ratio_compare(kind, r, l->range.flowing) > 0)
            l->range.flowing = r;
        found = true;
    }
    return found;
}

static double value(struct ratio r)
{
    return (double)r.part / (double)r.cycles;
}

/* templates/flame_fill.js repeats every operation, for equal results. */
static int64_t delta_of(const struct layout *l, struct ratio r)
{
    double middle, place, low, high;

    if (!r.cycles || r.cycles < l->range.least || !l->range.average.cycles)
        return 0;
    middle = value(l->range.average);
    place = value(r) - middle;
    low = value(l->range.stalled) - middle;
    high = value(l->range.flowing) - middle;
    if (low != 0 && place / low > 0)
        place = place / low > 1 ? -1 : -(place / low);
    else if (high != 0 && place / high > 0)
        place = place / high > 1 ? 1 : place / high;
    else
        return 0;
    return (int64_t)(place * RATIO_MOST);
}

void ratio_set_deltas(struct layout *l, enum pair_kind kind, bool negate)
{
    l->range.average = (struct ratio){l->tree->base[TREE_ROOT], tree_weight(l->tree)};
    if (!find_range(l, kind, tree_weight(l->tree) / 1000))
        find_range(l, kind, 1);
    for (size_t i = 0; i < l->boxes.count; i++) {
        int64_t delta = delta_of(l, ratio_of(l, i));

        l->boxes.items[i].delta = negate ? -delta : delta;
    }
    l->max_delta = RATIO_MOST;
}
