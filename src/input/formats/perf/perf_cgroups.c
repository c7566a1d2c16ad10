#include "input/formats/perf/perf_cgroups.h"

void perf_cgroups_release(struct perf_cgroups *c)
{
    release_each(c, (arena, texts), (map, index), (vec, items));
}

static bool same_id(const void *context, uint32_t at, const void *key)
{
    return ((const struct perf_cgroups *)context)->items.items[at].id == *(const uint64_t *)key;
}

void perf_cgroups_add(struct perf_cgroups *c, uint64_t id, struct slice path)
{
    uint64_t hash = map_hash_pair(&c->index, id, 0);
    uint32_t at = map_find(&c->index, hash, same_id, c, &id);

    if (at == MAP_NONE) {
        at = (uint32_t)c->items.count;
        *vec_add(&c->items) = (struct perf_cgroup){.id = id};
        map_add(&c->index, hash, at);
    }
    if (!slice_equal(c->items.items[at].path, path))
        c->items.items[at].path = arena_copy(&c->texts, path);
}

struct slice perf_cgroups_find(const struct perf_cgroups *c, uint64_t id)
{
    uint32_t at = map_find(&c->index, map_hash_pair(&c->index, id, 0), same_id, c, &id);

    return at == MAP_NONE ? SLICE("unknown") : c->items.items[at].path;
}
