#include "tree/reverse.h"

#include <stdlib.h>

#include "base/budget.h"
#include "base/hash.h"

enum { NODES_FIRST = 256 };

/* A stack whose frames are added to the tree one by one. */
struct item {
    uint32_t stack;  /* its last frame is the next one to add; STACK_ROOT at the end */
    uint32_t symbol; /* the next frame, SYMBOL_NONE at the end */
    uint64_t weight, base;
};

/* Items that have reached the same node, not yet sorted by their next frames. */
struct group {
    uint32_t from, to, node;
};

struct maker {
    const struct stacks *stacks;
    struct item *items;
    VEC(struct group) groups;
    uint32_t *parent, *symbol;
    uint64_t *total, *base; /* base: NULL unless the graph is differential */
    uint32_t count, cap;
};

static void grow(struct maker *m)
{
    size_t node = 2 * sizeof(uint32_t) + (m->base ? 2 : 1) * sizeof(uint64_t);
    size_t need = (m->cap ? (size_t)m->cap + 1 : NODES_FIRST) * node;

    BUG_ON(m->cap >= STACKS_MOST);
    m->cap = (uint32_t)(budget_growth(m->cap * node, need) / node);
    m->parent = xreallocarray(m->parent, m->cap, sizeof(*m->parent));
    m->symbol = xreallocarray(m->symbol, m->cap, sizeof(*m->symbol));
    m->total = xreallocarray(m->total, m->cap, sizeof(*m->total));
    if (m->base)
        m->base = xreallocarray(m->base, m->cap, sizeof(*m->base));
}

static uint32_t add_node(struct maker *m, uint32_t parent, uint32_t symbol, uint64_t total,
                         uint64_t base)
{
    if (m->count == m->cap)
        grow(m);
    m->parent[m->count] = parent;
    m->symbol[m->count] = symbol;
    m->total[m->count] = total;
    if (m->base)
        m->base[m->count] = base;
    return m->count++;
}

static void add_group(struct maker *m, uint32_t from, uint32_t to, uint32_t node)
{
    if (from < to)
        *vec_add(&m->groups) = (struct group){from, to, node};
}

/* Adds the remaining frames of a stack that shares them with no other stack. */
static void add_rest(struct maker *m, const struct item *item, uint32_t node)
{
    for (uint32_t id = item->stack; id != STACK_ROOT && !budget_is_over();
         id = m->stacks->parent[id])
        node = add_node(m, node, m->stacks->symbol[id], item->weight, item->base);
}

/* Adds a node for the next frame, which items [from, to) share, and queues them as its group. */
static void step(struct maker *m, uint32_t from, uint32_t to, uint32_t node)
{
    uint64_t total = 0, base = 0;
    uint32_t symbol = m->items[from].symbol;

    if (symbol == SYMBOL_NONE)
        return;
    for (uint32_t i = from; i < to; i++) {
        struct item *item = &m->items[i];

        total += item->weight;
        base += item->base;
        item->stack = m->stacks->parent[item->stack];
        item->symbol = m->stacks->symbol[item->stack];
    }
    add_group(m, from, to, add_node(m, node, symbol, total, base));
}

static void swap(struct item *a, struct item *b)
{
    struct item held = *a;

    *a = *b;
    *b = held;
}

/* Partitions a group by the next frame of a pivot: lower, equal and higher symbols. */
static void part(struct maker *m, struct group g)
{
    struct item *items = m->items;
    uint32_t middle = g.from + (uint32_t)(hash_mix(g.from, g.to) % (g.to - g.from));
    uint32_t pivot = items[middle].symbol, low = g.from, high = g.to;

    for (uint32_t i = g.from; i < high;) {
        if (items[i].symbol < pivot)
            swap(&items[i++], &items[low++]);
        else if (items[i].symbol > pivot)
            swap(&items[i], &items[--high]);
        else
            i++;
    }
    add_group(m, g.from, low, g.node);
    add_group(m, high, g.to, g.node);
    step(m, low, high, g.node);
}

/* Appends the stacks of a series that have weight. */
static uint32_t add_items(struct maker *m, uint32_t count, const struct series *s, bool base)
{
    for (uint32_t i = 0; i < s->count; i++) {
        uint64_t weight = s->weight[i];

        if (weight)
            m->items[count++] = (struct item){
                .stack = s->stack[i],
                .symbol = m->stacks->symbol[s->stack[i]],
                .weight = base ? 0 : weight,
                .base = base ? weight : 0,
            };
    }
    return count;
}

static void make(struct maker *m, const struct series *s, const struct series *before)
{
    uint32_t count = 0;

    m->items =
        xreallocarray(NULL, (size_t)s->count + (before ? before->count : 0) + 1, sizeof(*m->items));
    count = add_items(m, count, s, false);
    if (before) {
        count = add_items(m, count, before, true);
        m->base = xreallocarray(NULL, 1, sizeof(*m->base));
    }
    add_node(m, TREE_ROOT, SYMBOL_NONE, s->total, before ? before->total : 0);
    add_group(m, 0, count, TREE_ROOT);
    while (m->groups.count && !budget_is_over()) {
        struct group g = m->groups.items[--m->groups.count];

        if (g.to - g.from == 1)
            add_rest(m, &m->items[g.from], g.node);
        else
            part(m, g);
    }
    free(m->items);
    vec_release(&m->groups);
}

void reverse_init(struct tree *t)
{
    const struct profile *p = t->profile;
    const struct series *s = &p->series.items[t->series];
    struct maker m = {.stacks = &p->stacks};

    make(&m, s, s->base == SERIES_NONE ? NULL : &p->series.items[s->base]);
    t->count = m.count;
    t->parent = t->own_parent = m.parent;
    t->symbol = t->own_symbol = m.symbol;
    t->total = m.total;
    t->base = m.base;
}
