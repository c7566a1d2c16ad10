#include "input/formats/go/pprof_ids.h"

#include "base/hash.h"

/* Ids below are small; so many places may be spent on ids that are not there. */
enum { SMALL = 1 << 22 };

void pprof_ids_init(struct pprof_ids *ids)
{
    *ids = (struct pprof_ids){0};
    map_init(&ids->large);
}

void pprof_ids_release(struct pprof_ids *ids)
{
    vec_release(&ids->small);
    vec_release(&ids->all);
    map_release(&ids->large);
}

static bool same_id(const void *context, uint32_t place, const void *key)
{
    const struct pprof_ids *ids = context;

    return ids->all.items[place] == *(const uint64_t *)key;
}

uint32_t pprof_ids_find_large(const struct pprof_ids *ids, uint64_t id)
{
    return id < SMALL ? PPROF_IDS_NONE : map_find(&ids->large, hash_mix(id, 0), same_id, ids, &id);
}

void pprof_ids_add(struct pprof_ids *ids, uint64_t id)
{
    uint32_t place = (uint32_t)ids->all.count;

    BUG_ON(ids->all.count >= PPROF_IDS_NONE - 1);
    *vec_add(&ids->all) = id;
    if (id >= SMALL) {
        if (pprof_ids_find_large(ids, id) == PPROF_IDS_NONE)
            map_add(&ids->large, hash_mix(id, 0), place);
        return;
    }
    while (ids->small.count <= id)
        *vec_add(&ids->small) = 0;
    if (!ids->small.items[id])
        ids->small.items[id] = place + 1;
}
