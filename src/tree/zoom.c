#include "tree/zoom.h"

#include <stdlib.h>

#include "base/budget.h"

/* The `place` of nodes outside all calls of the function. */
#define OUTSIDE UINT32_MAX

/* A part while it is built. */
struct part {
    const struct tree *whole;
    uint32_t symbol, callers;
    struct stacks stacks;
    uint32_t *place;    /* by node of the whole: its node in the part, or OUTSIDE */
    VEC(uint32_t) path; /* callers of a call, the nearest first */
};

static bool has_weight(const struct tree *t, uint32_t node)
{
    return t->total[node] || (t->base && t->base[node]);
}

/* Returns the place of an outermost call, below its callers. */
static uint32_t add_call(struct part *p, uint32_t node)
{
    const struct tree *t = p->whole;
    uint32_t place = TREE_ROOT, caller = t->parent[node];

    vec_clear(&p->path);
    for (; caller != TREE_ROOT && p->path.count < p->callers; caller = t->parent[caller])
        *vec_add(&p->path) = t->symbol[caller];
    for (size_t i = p->path.count; i-- > 0;)
        place = stacks_push(&p->stacks, place, p->path.items[i]);
    return stacks_push(&p->stacks, place, p->symbol);
}

static void find_places(struct part *p)
{
    const struct tree *t = p->whole;

    p->place[TREE_ROOT] = OUTSIDE;
    for (uint32_t i = 1; i < t->count; i++) {
        uint32_t above = p->place[t->parent[i]];

        p->place[i] = OUTSIDE;
        if (!has_weight(t, i) || budget_is_over())
            continue;
        if (above != OUTSIDE)
            p->place[i] = stacks_push(&p->stacks, above, t->symbol[i]);
        else if (t->symbol[i] == p->symbol)
            p->place[i] = add_call(p, i);
    }
}

/* Returns the totals of the part, from totals of the whole tree. */
static uint64_t *sum(const struct part *p, const uint64_t *whole)
{
    const struct tree *t = p->whole;
    uint64_t *total = xcalloc(p->stacks.count, sizeof(*total));
    uint64_t *calls = xcalloc(p->stacks.count, sizeof(*calls));

    for (uint32_t i = 1; i < t->count; i++) {
        if (p->place[i] == OUTSIDE)
            continue;
        total[p->place[i]] += whole[i];
        if (p->place[t->parent[i]] == OUTSIDE)
            calls[p->stacks.parent[p->place[i]]] += whole[i];
    }
    for (uint32_t i = p->stacks.count; i-- > 1;)
        calls[p->stacks.parent[i]] += calls[i];
    for (uint32_t i = 0; i < p->stacks.count; i++)
        total[i] += calls[i];
    free(calls);
    return total;
}

void zoom_init(struct tree *t, const struct tree *whole, uint32_t symbol, uint32_t callers)
{
    struct part p = {.whole = whole, .symbol = symbol, .callers = callers};

    stacks_init(&p.stacks);
    p.place = xmalloc(whole->count * sizeof(*p.place));
    find_places(&p);
    *t = (struct tree){
        .profile = whole->profile,
        .series = whole->series,
        .count = p.stacks.count,
        .around = SYMBOL_NONE,
        .callers = p.stacks.count,
        .part_of = tree_weight(whole),
        .total = sum(&p, whole->total),
        .base = whole->base ? sum(&p, whole->base) : NULL,
        .own_parent = p.stacks.parent,
        .own_symbol = p.stacks.symbol,
        .parent = p.stacks.parent,
        .symbol = p.stacks.symbol,
    };
    p.stacks.parent = p.stacks.symbol = NULL; /* the tree owns them now */
    stacks_release(&p.stacks);
    vec_release(&p.path);
    free(p.place);
}
