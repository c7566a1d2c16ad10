#include "convert/lines.h"

#include "base/die.h"

void lines_init(struct lines *l, const struct conversion *c)
{
    const struct profile *p = c->profile;
    const struct stacks *stacks = &p->stacks;

    *l = (struct lines){.conversion = c};
    l->entry = xcalloc(c->count, sizeof(*l->entry));
    for (size_t i = 0; i < c->count; i++) {
        const struct series *s = &p->series.items[c->series[i]];

        l->entry[i] = xcalloc(stacks->count, sizeof(uint32_t));
        for (uint32_t e = 0; e < s->count; e++)
            l->entry[i][s->stack[e]] = e + 1;
    }
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
    for (size_t i = 0; i < l->conversion->count; i++)
        xfree(l->entry[i]);
    xfree(l->entry);
    xfree(l->first);
    xfree(l->next);
    xfree(l->named);
}
