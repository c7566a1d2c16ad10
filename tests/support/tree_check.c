#include "support/tree_check.h"

#include <stdlib.h>

#include "base/map.h"

static bool check_order(const struct tree *t, struct buf *why)
{
    if (!t->count || t->parent[TREE_ROOT] != TREE_ROOT || t->symbol[TREE_ROOT] != SYMBOL_NONE) {
        buf_add_str(why, "node 0 is not a root");
        return false;
    }
    for (uint32_t i = 1; i < t->count; i++) {
        if (t->parent[i] >= i) {
            buf_printf(why, "node %u comes before its parent %u", i, t->parent[i]);
            return false;
        }
        if (t->symbol[i] >= symbols_count(&t->profile->symbols)) {
            buf_printf(why, "node %u has symbol %u, which does not exist", i, t->symbol[i]);
            return false;
        }
    }
    return true;
}

static bool check_totals(const struct tree *t, const uint64_t *total, struct buf *why)
{
    uint64_t *children = xcalloc(t->count, sizeof(*children));
    bool ok = true;

    for (uint32_t i = t->count; ok && i-- > 0;) {
        if (total[i] < children[i])
            ok = false;
        else if (i != TREE_ROOT)
            ok = num_add(children[t->parent[i]], total[i], &children[t->parent[i]]);
        if (!ok)
            buf_printf(why, "node %u has less than its children together", i);
    }
    free(children);
    return ok;
}

static bool same_node(const void *context, uint32_t id, const void *key)
{
    const struct tree *t = context;
    uint32_t other = *(const uint32_t *)key;

    return t->parent[id] == t->parent[other] && t->symbol[id] == t->symbol[other];
}

static bool check_siblings(const struct tree *t, struct buf *why)
{
    uint32_t twin = MAP_NONE;
    struct map seen = {0};

    for (uint32_t i = 1; i < t->count && twin == MAP_NONE; i++) {
        uint64_t hash = map_hash_pair(&seen, t->parent[i], t->symbol[i]);

        twin = map_find(&seen, hash, same_node, t, &i);
        if (twin == MAP_NONE)
            map_add(&seen, hash, i);
        else
            buf_printf(why, "nodes %u and %u are one stack", twin, i);
    }
    map_release(&seen);
    return twin == MAP_NONE;
}

static bool check_weight(const struct tree *t, const uint64_t *total, uint32_t series,
                         struct buf *why)
{
    uint64_t want = t->profile->series.items[series].total;

    if (total[TREE_ROOT] == want)
        return true;
    buf_printf(why, "the root has %llu of %llu", (unsigned long long)total[TREE_ROOT],
               (unsigned long long)want);
    return false;
}

bool tree_check(const struct tree *t, struct buf *why)
{
    uint32_t base = t->profile->series.items[t->series].base;

    return check_order(t, why) && check_siblings(t, why) && check_totals(t, t->total, why) &&
           check_weight(t, t->total, t->series, why) &&
           (!t->base || (check_totals(t, t->base, why) && check_weight(t, t->base, base, why)));
}
