#include "prepare/states.h"

#include "profile/reshape.h"

/* Shares of a series are counted in units of 2^-SHARE_BITS, so that series of all units add up. */
enum { SHARE_BITS = 32 };

static bool is_state(const struct symbols *s, uint32_t id)
{
    enum symbol_class class = symbol_class(s, id);

    return class == SYMBOL_USER || s->states & 1u << class;
}

/* Adds the shares that each symbol has of all series, callees included. */
static void weigh(const struct profile *p, uint64_t *of_symbol)
{
    const struct stacks *stacks = &p->stacks;
    uint64_t *weight = xcalloc(stacks->count, sizeof(*weight));

    vec_each (const struct series, s, &p->series)
        for (uint32_t i = 0; s->total && i < s->count; i++)
            weight[s->stack[i]] +=
                (uint64_t)(((unsigned __int128)s->weight[i] << SHARE_BITS) / s->total);
    for (uint32_t id = stacks->count; id-- > 1;) {
        weight[stacks->parent[id]] += weight[id];
        of_symbol[stacks->symbol[id]] += weight[id];
    }
    xfree(weight);
}

static bool same_name(const void *context, uint32_t id, const void *key)
{
    const struct symbols *s = context;

    return s->items.items[id].name == *(const uint32_t *)key;
}

/* Fills `first` with the first symbol of the same name. Returns whether names have several. */
static bool find_first(const struct symbols *s, uint32_t *first)
{
    struct map map = {0};
    bool several = false;

    for (uint32_t id = 0; id < s->items.count; id++) {
        uint32_t name = s->items.items[id].name;
        uint64_t hash = map_hash_pair(&map, name, 0);

        first[id] = id;
        if (!is_state(s, id))
            continue;
        first[id] = map_find(&map, hash, same_name, s, &name);
        if (first[id] == MAP_NONE)
            map_add(&map, hash, first[id] = id);
        several |= first[id] != id;
    }
    map_release(&map);
    return several;
}

void states_join(struct profile *p)
{
    const struct symbols *s = &p->symbols;
    size_t count = s->items.count;
    uint32_t *first, *to;
    uint64_t *weight;

    if (!symbols_joined(s))
        return;
    first = xcalloc(count, sizeof(*first));
    to = xcalloc(count, sizeof(*to));
    weight = xcalloc(count, sizeof(*weight));
    if (find_first(s, first)) {
        weigh(p, weight);
        for (uint32_t id = 0; id < count; id++)
            if (first[id] == id || weight[id] > weight[to[first[id]]])
                to[first[id]] = id;
        for (uint32_t id = 0; id < count; id++)
            to[id] = to[first[id]];
        reshape_symbols(p, to);
    }
    xfree(first);
    xfree(to);
    xfree(weight);
}
