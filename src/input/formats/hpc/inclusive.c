#include "input/formats/hpc/inclusive.h"

#include <stdlib.h>

#include "base/release.h"

/* The values of a stack in a series, in units of 10^-decimals of the metric. */
struct pending {
    uint32_t series, stack;
    unsigned __int128 all, below; /* inclusive, and of the stacks below it */
};

struct all_held VEC_OF(struct pending);

void inclusive_release(struct inclusive *h)
{
    release_each(h, (intern, ranks), (vec, values));
}

void inclusive_add(struct inclusive *h, uint32_t metric, struct slice rank, uint32_t stack,
                   struct decimal value)
{
    *vec_add(&h->values) =
        (struct inclusive_value){metric, intern_add(&h->ranks, rank), stack, value};
}

static int compare_held(const void *a, const void *b)
{
    const struct pending *x = a, *y = b;

    if (x->series != y->series)
        return x->series < y->series ? -1 : 1;
    return x->stack < y->stack ? -1 : x->stack > y->stack;
}

static unsigned most_decimals(const struct inclusive *h, uint32_t metric)
{
    unsigned most = 0;

    vec_each (const struct inclusive_value, v, &h->values)
        if (v->metric == metric && v->value.decimals > most)
            most = v->value.decimals;
    return most;
}

/* Lists the values of a metric by series and stack, with one entry for each pair. */
static void list_values(const struct inclusive *h, uint32_t metric, unsigned decimals,
                        const uint32_t *series, struct all_held *out)
{
    size_t kept = 0;

    vec_each (const struct inclusive_value, v, &h->values)
        if (v->metric == metric && series[v->rank] != BUILDER_LEFT_OUT)
            *vec_add(out) = (struct pending){
                .series = series[v->rank],
                .stack = v->stack,
                .all = (unsigned __int128)v->value.value * num_pow10(decimals - v->value.decimals),
            };
    if (!out->count)
        return;
    qsort(out->items, out->count, sizeof(*out->items), compare_held);
    for (size_t i = 1; i < out->count; i++) {
        if (compare_held(&out->items[kept], &out->items[i]) == 0)
            out->items[kept].all += out->items[i].all;
        else
            out->items[++kept] = out->items[i];
    }
    out->count = kept + 1;
}

/*
 * Adds each value to `below` of the nearest caller that has one. The empty stack is no caller: its
 * value is what was measured outside of all regions.
 */
static void add_below(struct all_held *all, const struct stacks *stacks)
{
    uint32_t *places = xcalloc(stacks->count + (size_t)1, sizeof(*places));

    for (size_t i = 0, end; i < all->count; i = end) {
        for (end = i; end < all->count && all->items[end].series == all->items[i].series; end++)
            places[all->items[end].stack] = (uint32_t)end + 1;
        for (size_t j = i; j < end; j++) {
            uint32_t at = all->items[j].stack;

            do
                at = stacks->parent[at];
            while (at != STACK_ROOT && !places[at]);
            if (at != STACK_ROOT)
                all->items[places[at] - 1].below += all->items[j].all;
        }
        for (size_t j = i; j < end; j++)
            places[all->items[j].stack] = 0;
    }
    xfree(places);
}

static struct decimal decimal_of(unsigned __int128 value, unsigned decimals)
{
    struct decimal d = {.decimals = decimals};

    for (; value > UINT64_MAX && d.decimals; d.decimals--)
        value = value / 10 + (value % 10 >= 5);
    d.value = value > UINT64_MAX ? UINT64_MAX : (uint64_t)value;
    return d;
}

bool inclusive_finish(struct inclusive *h, uint32_t metric, struct slice event, struct unit unit,
                      struct builder *b)
{
    uint32_t *series = xcalloc(intern_count(&h->ranks) + (size_t)1, sizeof(*series));
    unsigned decimals = most_decimals(h, metric);
    struct all_held all = {0};
    uint64_t negative = 0;
    bool ok = true;

    for (uint32_t i = 0; i < intern_count(&h->ranks); i++) {
        struct origin origin = {.event = event, .pid = intern_get(&h->ranks, i)};

        if (origin.pid.len)
            origin.process = SLICE("rank");
        series[i] = builder_series(b, &origin, unit);
    }
    list_values(h, metric, decimals, series, &all);
    add_below(&all, &b->profile->stacks);
    vec_each (const struct pending, v, &all) {
        bool less = v->all < v->below;

        negative += less;
        ok = ok && builder_add_at(b, v->series, v->stack,
                                  decimal_of(less ? 0 : v->all - v->below, decimals));
    }
    if (ok)
        diag_warn_count(b->diag, negative,
                        "# inclusive value{ is|s are} less than the sum of those below {it|them}; "
                        "{its|their} self value is taken as 0");
    vec_release(&all);
    xfree(series);
    return ok;
}
