#include "tree/tree.h"

#include <stdlib.h>

static const struct series *series_of(const struct profile *p, uint32_t series)
{
    BUG_ON(series >= p->series.count);
    return &p->series.items[series];
}

/* From own weights to totals: children come after their parents. */
static void add_up(uint64_t *total, const uint32_t *parent, uint32_t count)
{
    for (uint32_t i = count; i-- > 1;)
        total[parent[i]] += total[i];
}

/* ---- root first: the stacks as they are ---------------------------------------------------- */

static uint64_t *totals(const struct tree *t, uint32_t series)
{
    const struct series *s = series_of(t->profile, series);
    uint64_t *total = xcalloc(t->count, sizeof(*total));

    for (uint32_t i = 0; i < s->count; i++)
        total[s->stack[i]] = s->weight[i];
    add_up(total, t->parent, t->count);
    return total;
}

static void init_forward(struct tree *t)
{
    const struct stacks *stacks = &t->profile->stacks;

    t->count = stacks->count;
    t->parent = stacks->parent;
    t->symbol = stacks->symbol;
    t->total = totals(t, t->series);
    if (series_of(t->profile, t->series)->base != SERIES_NONE)
        t->base = totals(t, series_of(t->profile, t->series)->base);
}

/* ---- leaf first: a trie of its own --------------------------------------------------------- */

/* Adds the reversed stacks of a series; ends[i] is where entry i ends. */
static uint32_t *push_reversed(struct stacks *trie, const struct stacks *stacks,
                               const struct series *s)
{
    uint32_t *ends = xreallocarray(NULL, s->count, sizeof(*ends));

    for (uint32_t i = 0; i < s->count; i++) {
        uint32_t node = TREE_ROOT;
        uint32_t id = s->weight[i] ? s->stack[i] : STACK_ROOT;

        for (; id != STACK_ROOT; id = stacks->parent[id])
            node = stacks_push(trie, node, stacks->symbol[id]);
        ends[i] = node;
    }
    return ends;
}

/* Takes the ends and gives the totals. */
static uint64_t *reversed_totals(const struct stacks *trie, const struct series *s, uint32_t *ends)
{
    uint64_t *total = xcalloc(trie->count, sizeof(*total));

    for (uint32_t i = 0; i < s->count; i++)
        total[ends[i]] += s->weight[i];
    free(ends);
    add_up(total, trie->parent, trie->count);
    return total;
}

static void init_reversed(struct tree *t)
{
    const struct profile *p = t->profile;
    uint32_t base = series_of(p, t->series)->base;
    uint32_t *ends, *base_ends = NULL;
    struct stacks trie;

    stacks_init(&trie);
    ends = push_reversed(&trie, &p->stacks, series_of(p, t->series));
    if (base != SERIES_NONE)
        base_ends = push_reversed(&trie, &p->stacks, series_of(p, base));
    t->total = reversed_totals(&trie, series_of(p, t->series), ends);
    if (base != SERIES_NONE)
        t->base = reversed_totals(&trie, series_of(p, base), base_ends);
    t->count = trie.count;
    t->parent = t->own_parent = trie.parent;
    t->symbol = t->own_symbol = trie.symbol;
    trie.parent = trie.symbol = NULL;
    stacks_release(&trie);
}

void tree_init(struct tree *t, const struct profile *p, uint32_t series,
               const struct tree_options *options)
{
    *t = (struct tree){
        .profile = p, .series = series, .reversed = options->reverse, .around = SYMBOL_NONE};
    if (options->reverse)
        init_reversed(t);
    else
        init_forward(t);
    t->callers = t->count;
}

void tree_release(struct tree *t)
{
    free(t->total);
    free(t->base);
    free(t->own_parent);
    free(t->own_symbol);
    *t = (struct tree){0};
}

void tree_self(const struct tree *t, uint64_t *self)
{
    memcpy(self, t->total, t->count * sizeof(*self));
    for (uint32_t i = 1; i < t->count; i++)
        if (i < t->callers || t->parent[i] != TREE_ROOT)
            self[t->parent[i]] -= t->total[i];
}

/* A node's total belongs to its symbol, less what its children take; sums are modulo 2^64. */
void tree_self_symbols(const struct tree *t, uint64_t *self)
{
    memset(self, 0, symbols_count(&t->profile->symbols) * sizeof(*self));
    if (t->around != SYMBOL_NONE)
        self[t->around] = tree_weight(t);
    for (uint32_t id = 1; id < t->callers; id++) {
        uint32_t parent = t->parent[id];
        uint32_t caller = parent == TREE_ROOT ? t->around : t->symbol[parent];

        if (t->reversed && parent != TREE_ROOT)
            continue; /* a caller of what was sampled */
        self[t->symbol[id]] += t->total[id];
        if (caller != SYMBOL_NONE)
            self[caller] -= t->total[id];
    }
}
