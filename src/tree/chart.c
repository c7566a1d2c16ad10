#include "tree/chart.h"

#include <stdlib.h>

#include "base/budget.h"

/* A frame of the current stack. */
struct open {
    uint32_t stack, node;
};

struct chart {
    const struct stacks *stacks;
    VEC(struct open) open; /* root first */
    VEC(uint32_t) path;    /* the next timed sample's stack and its ancestors, root first */
    VEC(uint32_t) parent, symbol;
    VEC(uint64_t) own, lead;
    VEC(uint64_t) since; /* self weight since the last child */
};

bool chart_is_possible(const struct profile *p, uint32_t series)
{
    const struct timed_samples *m = &p->series.items[series].timed;

    return timed_samples_are_timed(m) || (p->in_order && m->items.count);
}

static uint32_t add_node(struct chart *c, uint32_t parent, uint32_t symbol, uint64_t lead)
{
    *vec_add(&c->parent) = parent;
    *vec_add(&c->symbol) = symbol;
    *vec_add(&c->lead) = lead;
    *vec_add(&c->own) = 0;
    *vec_add(&c->since) = 0;
    return (uint32_t)c->parent.count - 1;
}

static void find_path(struct chart *c, uint32_t stack)
{
    size_t low = 0, high;

    vec_clear(&c->path);
    for (; stack != STACK_ROOT; stack = c->stacks->parent[stack])
        *vec_add(&c->path) = stack;
    for (high = c->path.count; low + 1 < high;) {
        uint32_t id = c->path.items[low];

        c->path.items[low++] = c->path.items[--high];
        c->path.items[high] = id;
    }
}

/* Ends the open frames that `stack` lacks and begins its other frames. Returns its node. */
static uint32_t go_on(struct chart *c, uint32_t stack)
{
    uint32_t node = TREE_ROOT;
    size_t same = 0;

    find_path(c, stack);
    while (same < c->open.count && same < c->path.count &&
           c->open.items[same].stack == c->path.items[same])
        node = c->open.items[same++].node;
    c->open.count = same;
    for (; same < c->path.count; same++) {
        uint32_t id = c->path.items[same];
        uint64_t lead = c->since.items[node];

        c->since.items[node] = 0;
        node = add_node(c, node, c->stacks->symbol[id], lead);
        *vec_add(&c->open) = (struct open){id, node};
    }
    return node;
}

static bool add_timed(struct chart *c, const struct timed_samples *m)
{
    vec_each (const struct timed_sample, sample, &m->items) {
        uint32_t node;

        if (!sample->weight)
            continue;
        node = go_on(c, sample->stack);
        if (c->parent.count > STACKS_MOST || budget_is_over())
            return false;
        c->own.items[node] += sample->weight;
        c->since.items[node] += sample->weight;
    }
    return true;
}

bool chart_init(struct tree *t, const struct profile *p, uint32_t series)
{
    struct chart c = {.stacks = &p->stacks};
    bool ok;

    add_node(&c, 0, SYMBOL_NONE, 0);
    ok = add_timed(&c, &p->series.items[series].timed);
    vec_release(&c.open);
    vec_release(&c.path);
    vec_release(&c.since);
    if (!ok) {
        vec_release(&c.parent);
        vec_release(&c.symbol);
        vec_release(&c.own);
        vec_release(&c.lead);
        return false;
    }
    for (size_t i = c.parent.count; i-- > 1;)
        c.own.items[c.parent.items[i]] += c.own.items[i];
    *t = (struct tree){
        .profile = p,
        .series = series,
        .count = (uint32_t)c.parent.count,
        .callers = (uint32_t)c.parent.count,
        .around = SYMBOL_NONE,
        .parent = c.parent.items,
        .symbol = c.symbol.items,
        .own_parent = c.parent.items,
        .own_symbol = c.symbol.items,
        .total = c.own.items,
        .lead = c.lead.items,
    };
    return true;
}
