#include "tree/tree.h"

#include <stdlib.h>

#include "base/pool.h"
#include "tree/reverse.h"

static const struct series *series_of(const struct profile *p, uint32_t series)
{
    BUG_ON(series >= p->series.count);
    return &p->series.items[series];
}

/* Turns self weights into totals, in one pass because children come after their parents. */
static void add_up(uint64_t *total, const uint32_t *parent, uint32_t count)
{
    for (uint32_t i = count; i-- > 1;)
        total[parent[i]] += total[i];
}

/* Entries of a series that a thread takes at once. Each is of another stack. */
enum { ENTRIES = 1 << 16 };

struct spreading {
    const struct series *series;
    uint64_t *total;
};

static void spread(void *context, size_t part, unsigned worker)
{
    const struct spreading *to = context;
    const struct series *s = to->series;
    size_t from = part * ENTRIES, end = s->count - from > ENTRIES ? from + ENTRIES : s->count;

    (void)worker;
    for (size_t i = from; i < end; i++)
        to->total[s->stack[i]] = s->weight[i];
}

/*
 * Returns the totals of all nodes. Several threads put the self weights in, because most of that
 * time is the system's, which clears the pages.
 */
static uint64_t *totals(const struct tree *t, uint32_t series, unsigned threads)
{
    struct spreading to = {series_of(t->profile, series), xcalloc(t->count, sizeof(*to.total))};

    pool_run(threads, (to.series->count + ENTRIES - 1) / ENTRIES, spread, &to);
    add_up(to.total, t->parent, t->count);
    return to.total;
}

static void init_forward(struct tree *t, unsigned threads)
{
    const struct stacks *stacks = &t->profile->stacks;

    t->count = stacks->count;
    t->parent = stacks->parent;
    t->symbol = stacks->symbol;
    t->total = totals(t, t->series, threads);
    if (series_of(t->profile, t->series)->base != SERIES_NONE)
        t->base = totals(t, series_of(t->profile, t->series)->base, threads);
}

void tree_init(struct tree *t, const struct profile *p, uint32_t series,
               const struct tree_options *options)
{
    *t = (struct tree){
        .profile = p, .series = series, .reversed = options->reverse, .around = SYMBOL_NONE};
    if (options->reverse)
        reverse_init(t);
    else
        init_forward(t, options->threads);
    t->callers = t->count;
}

void tree_release(struct tree *t)
{
    free(t->total);
    free(t->base);
    free(t->lead);
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

/* Adds each total to the node's symbol and subtracts it from the caller's; sums wrap at 2^64. */
void tree_self_symbols(const struct tree *t, uint64_t *self)
{
    memset(self, 0, symbols_count(&t->profile->symbols) * sizeof(*self));
    if (t->around != SYMBOL_NONE)
        self[t->around] = tree_weight(t);
    for (uint32_t id = 1; id < t->callers; id++) {
        uint32_t parent = t->parent[id];
        uint32_t caller = parent == TREE_ROOT ? t->around : t->symbol[parent];

        if (t->reversed && parent != TREE_ROOT)
            continue; /* a caller of a sampled function */
        self[t->symbol[id]] += t->total[id];
        if (caller != SYMBOL_NONE)
            self[caller] -= t->total[id];
    }
}
