/*
 * Ids that a profile gives its things, to their places in our arrays.
 *
 * Ids count up from 1 in nearly all profiles and may be anything: small ones
 * index an array, the others are hashed.
 */
#ifndef INPUT_FORMATS_GO_PPROF_IDS_H
#define INPUT_FORMATS_GO_PPROF_IDS_H

#include <stdint.h>

#include "base/map.h"
#include "base/vec.h"

#define PPROF_IDS_NONE UINT32_MAX

struct pprof_ids {
    VEC(uint32_t) small; /* by id: the place + 1, 0 where there is none */
    VEC(uint64_t) all;   /* by place */
    struct map large;
};

void pprof_ids_init(struct pprof_ids *ids);
void pprof_ids_release(struct pprof_ids *ids);

/* Gives `id` the next place. Where it has one already, that one stays. */
void pprof_ids_add(struct pprof_ids *ids, uint64_t id);

uint32_t pprof_ids_find_large(const struct pprof_ids *ids, uint64_t id);

/* The place of an id, or PPROF_IDS_NONE. */
static inline uint32_t pprof_ids_find(const struct pprof_ids *ids, uint64_t id)
{
    if (id < ids->small.count)
        return ids->small.items[id] - 1;
    return pprof_ids_find_large(ids, id);
}

#endif
