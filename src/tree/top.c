#include "tree/top.h"

#include <stdlib.h>

#include "profile/pair.h"
#include "tree/walk.h"

/* Returns the symbol of the last function from the root to a node, or SYMBOL_NONE. */
static uint32_t function_at(const struct tree *t, uint32_t node)
{
    const struct symbols *symbols = &t->profile->symbols;

    while (node != TREE_ROOT && symbol_class_is_owner(symbol_class(symbols, t->symbol[node])))
        node = t->parent[node];
    return t->symbol[node];
}

/* Adds the weights of the walk's current node; `open` counts, by symbol, the nodes that the walk
   has entered and not yet left. */
static void count_node(struct top_row *rows, uint32_t *open, const struct tree_walk *w)
{
    const struct tree *t = w->tree;
    uint32_t symbol = function_at(t, w->node);
    uint32_t caller = function_at(t, t->parent[w->node]);
    uint64_t total = t->total[w->node];
    uint64_t base = t->base ? t->base[w->node] : 0;

    if (symbol != t->symbol[w->node]) /* an owner */
        return;
    if (w->leaving) {
        open[symbol]--;
        return;
    }
    rows[symbol].self += total;
    rows[symbol].base_self += base;
    if (caller != SYMBOL_NONE) {
        rows[caller].self -= total;
        rows[caller].base_self -= base;
    }
    if (open[symbol]++ == 0) {
        rows[symbol].total += total;
        rows[symbol].base_total += base;
    }
}

/* Whether a symbol has a row: it has weight, and is no separator of two stacks. */
static bool is_listed(const struct symbols *symbols, const struct top_row *row)
{
    if (symbol_class(symbols, row->symbol) == SYMBOL_SEPARATOR && !row->self && !row->base_self)
        return false;
    return row->total || row->base_total;
}

/* Replaces the totals that follow from estimated stacks by those that the input states. */
static void take_stated(struct top_row *rows, const struct tree *t)
{
    const struct series *s = &t->profile->series.items[t->series];
    const struct series *before = s->base == SERIES_NONE ? s : &t->profile->series.items[s->base];

    if (t->whole || tree_weight(t) != s->total || !s->reported.totals.count ||
        !before->reported.totals.count)
        return;
    for (uint32_t i = 0; i < symbols_count(&t->profile->symbols); i++) {
        uint64_t total = reported_total(&s->reported, s->total, i);
        uint64_t base = reported_total(&before->reported, before->total, i);

        if (s->base != SERIES_NONE && rows[i].total && rows[i].base_total && (!total || !base))
            continue;
        rows[i].total = total && total >= rows[i].self ? total : rows[i].total;
        if (s->base != SERIES_NONE && base && base >= rows[i].base_self)
            rows[i].base_total = base;
    }
}

static struct evidence find_evidence(const struct tree *t)
{
    const struct series *s = &t->profile->series.items[t->series];

    if (s->base == SERIES_NONE || pair_kind(t->profile, t->series) != PAIR_CHANGE)
        return (struct evidence){0, 0};
    return (struct evidence){profile_sample_weight(t->profile, t->series),
                             profile_sample_weight(t->profile, s->base)};
}

void top_init(struct top *top, const struct tree *t)
{
    uint32_t symbols = symbols_count(&t->profile->symbols);
    struct top_row *rows = xcalloc(symbols, sizeof(*rows));
    uint32_t *open = xcalloc(symbols, sizeof(*open));
    struct tree_walk walk;

    *top = (struct top){.evidence = find_evidence(t)};
    tree_walk_init(&walk, t);
    while (tree_walk_next(&walk))
        if (walk.node != TREE_ROOT)
            count_node(rows, open, &walk);
    tree_walk_release(&walk);
    take_stated(rows, t);
    for (uint32_t i = 0; i < symbols; i++) {
        rows[i].symbol = i;
        if (is_listed(&t->profile->symbols, &rows[i]))
            *vec_add(&top->rows) = rows[i];
    }
    free(open);
    free(rows);
}

void top_release(struct top *top)
{
    vec_release(&top->rows);
}

struct ordering {
    const struct symbols *symbols;
    const struct evidence *evidence;
    enum top_order order;
};

/* Larger first. */
static int descending(uint64_t a, uint64_t b)
{
    return (a < b) - (a > b);
}

static uint64_t size_of(int64_t change)
{
    return change < 0 ? -(uint64_t)change : (uint64_t)change;
}

static bool is_supported(const struct evidence *e, uint64_t now, uint64_t base)
{
    return now != base && evidence_of(e, now, base) >= 1;
}

/* Compares two rows by whether their change could be noise of sampling; by self, or by total. */
static int compare_support(const struct ordering *by, const struct top_row *a,
                           const struct top_row *b)
{
    bool first, second;

    if (by->order == TOP_BY_SELF_CHANGE) {
        first = is_supported(by->evidence, a->self, a->base_self);
        second = is_supported(by->evidence, b->self, b->base_self);
    } else if (by->order == TOP_BY_TOTAL_CHANGE) {
        first = is_supported(by->evidence, a->total, a->base_total);
        second = is_supported(by->evidence, b->total, b->base_total);
    } else {
        return 0;
    }
    return (int)second - (int)first;
}

static int compare_rows(const void *left, const void *right, void *context)
{
    const struct top_row *a = left, *b = right;
    const struct ordering *by = context;
    bool changes = by->order == TOP_BY_SELF_CHANGE || by->order == TOP_BY_TOTAL_CHANGE;
    int self = changes ? descending(size_of(top_self_change(a)), size_of(top_self_change(b)))
                       : descending(a->self, b->self);
    int total = changes ? descending(size_of(top_total_change(a)), size_of(top_total_change(b)))
                        : descending(a->total, b->total);
    bool by_self = by->order == TOP_BY_SELF || by->order == TOP_BY_SELF_CHANGE;
    int first = by_self ? self : total;
    int second = by_self ? total : self;
    int support = compare_support(by, a, b);

    if (support)
        return support;
    if (first || second)
        return first ? first : second;
    first = slice_compare(symbol_name(by->symbols, a->symbol), symbol_name(by->symbols, b->symbol));
    if (first)
        return first;
    return (int)symbol_class(by->symbols, a->symbol) - (int)symbol_class(by->symbols, b->symbol);
}

void top_sort(struct top *top, const struct symbols *symbols, enum top_order order)
{
    struct ordering by = {symbols, &top->evidence, order};

    if (top->rows.count)
        qsort_r(top->rows.items, top->rows.count, sizeof(*top->rows.items), compare_rows, &by);
}

struct slice top_state(const struct top_row *row)
{
    if (!row->base_total && row->total)
        return SLICE("new");
    return row->base_total && !row->total ? SLICE("gone") : SLICE("");
}
