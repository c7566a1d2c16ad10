#include "input/formats/perf/perf_counters.h"

void perf_counters_release(struct perf_counters *c)
{
    map_release(&c->index);
    vec_release(&c->items);
}

static bool same_counter(const void *context, uint32_t at, const void *key)
{
    const struct perf_counter *a = &((const struct perf_counters *)context)->items.items[at];
    const struct perf_counter *b = key;

    return a->id == b->id && a->tid == b->tid;
}

uint64_t perf_counters_growth(struct perf_counters *c, uint64_t id, uint32_t tid, uint64_t value)
{
    struct perf_counter key = {.id = id, .tid = tid};
    uint64_t hash = map_hash_pair(&c->index, id, tid), before;
    uint32_t at = map_find(&c->index, hash, same_counter, c, &key);

    if (at == MAP_NONE) {
        at = (uint32_t)c->items.count;
        *vec_add(&c->items) = key;
        map_add(&c->index, hash, at);
    }
    before = c->items.items[at].last;
    c->items.items[at].last = value;
    return value < before ? value : value - before;
}
