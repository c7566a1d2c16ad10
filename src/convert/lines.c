#include "convert/lines.h"

#include "base/die.h"

/* Sorts the weights of all series by their nodes, by counting. */
static void sort(struct lines *l)
{
    const struct conversion *c = l->conversion;
    const struct profile *p = c->profile;
    uint32_t *from = xcalloc((size_t)p->stacks.count + 1, sizeof(*from));
    uint64_t all = 0;

    for (size_t i = 0; i < c->count; i++) {
        const struct series *s = &p->series.items[c->series[i]];

        all += s->count;
        for (uint32_t e = 0; e < s->count; e++)
            from[s->stack[e] + 1]++;
    }
    if (all > UINT32_MAX)
        die("more than %u weights cannot be converted", UINT32_MAX);
    for (uint32_t node = 0; node < p->stacks.count; node++)
        from[node + 1] += from[node];
    l->items = xcalloc(from[p->stacks.count] + 1, sizeof(*l->items));
    for (size_t i = 0; i < c->count; i++) {
        const struct series *s = &p->series.items[c->series[i]];

        for (uint32_t e = 0; e < s->count; e++)
            l->items[from[s->stack[e]]++] = (struct line){(uint32_t)i, s->weight[e]};
    }
    /* Each has moved to where the items of the next node begin. */
    l->end = from;
}

void lines_init(struct lines *l, const struct conversion *c)
{
    const struct profile *p = c->profile;
    const struct stacks *stacks = &p->stacks;

    *l = (struct lines){.conversion = c};
    sort(l);
    l->first = xcalloc(stacks->count, sizeof(uint32_t));
    l->next = xcalloc(stacks->count, sizeof(uint32_t));
    l->named = xcalloc(symbols_count(&p->symbols) + 1, sizeof(bool));
    for (uint32_t node = stacks->count; node-- > 1;) {
        if (!lines_use(l, node))
            continue;
        l->next[node] = l->first[stacks->parent[node]];
        l->first[stacks->parent[node]] = node;
        l->named[stacks->symbol[node]] = true;
    }
}

void lines_release(struct lines *l)
{
    xfree(l->items);
    xfree(l->end);
    xfree(l->first);
    xfree(l->next);
    xfree(l->named);
}
