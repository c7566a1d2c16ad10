#include "base/map.h"

#include <stdlib.h>
#include <string.h>

#include "base/budget.h"
#include "base/die.h"

enum { MAP_SMALLEST = 16 };

static const uint64_t slot_free = MAP_NONE;

static uint64_t slot_pack(uint64_t hash, uint32_t id)
{
    return (hash & 0xffffffff00000000u) | id;
}

void map_release(struct map *m)
{
    xfree(m->slots);
    *m = (struct map){0};
}

/* The slot index comes from the upper half of the hash, which the slot also stores. */
static size_t slot_place(const struct map *m, uint64_t hash)
{
    return (size_t)(hash >> 32) & m->mask;
}

static void map_resize(struct map *m, size_t capacity)
{
    struct map bigger = *m;

    bigger.slots = xreallocarray(NULL, capacity, sizeof(uint64_t));
    bigger.mask = capacity - 1;
    bigger.key = map_key(m);
    for (size_t i = 0; i < capacity; i++)
        bigger.slots[i] = slot_free;
    for (size_t i = 0; m->slots && i <= m->mask; i++) {
        uint64_t slot = m->slots[i];
        size_t at;

        if ((uint32_t)slot == MAP_NONE)
            continue;
        at = slot_place(&bigger, slot);
        while ((uint32_t)bigger.slots[at] != MAP_NONE)
            at = (at + 1) & bigger.mask;
        bigger.slots[at] = slot;
    }
    xfree(m->slots);
    *m = bigger;
}

/* If the budget has no room for a larger table, a fuller one serves until the reader gives up. */
static bool may_stay(const struct map *m, size_t capacity, size_t count)
{
    return !budget_affords(capacity * sizeof(*m->slots)) && count <= m->mask / 16 * 15;
}

/* Makes room for `count` entries in all. */
static void reserve(struct map *m, size_t count)
{
    size_t capacity = m->slots ? m->mask + 1 : MAP_SMALLEST;

    while (capacity / 4 * 3 < count) {
        BUG_ON(capacity > SIZE_MAX / 4);
        capacity *= 2;
    }
    if (!m->slots)
        map_resize(m, capacity);
    else if (capacity > m->mask + 1 && !may_stay(m, capacity, count))
        map_resize(m, capacity);
}

uint32_t map_find(const struct map *m, uint64_t hash, map_same_fn *same, const void *context,
                  const void *key)
{
    if (!m->slots)
        return MAP_NONE;
    for (size_t at = slot_place(m, hash);; at = (at + 1) & m->mask) {
        uint64_t slot = m->slots[at];

        if ((uint32_t)slot == MAP_NONE)
            return MAP_NONE;
        if (((slot ^ hash) >> 32) == 0 && same(context, (uint32_t)slot, key))
            return (uint32_t)slot;
    }
}

void map_add(struct map *m, uint64_t hash, uint32_t id)
{
    size_t at;

    BUG_ON(id == MAP_NONE);
    reserve(m, m->count + 1);
    at = slot_place(m, hash);
    while ((uint32_t)m->slots[at] != MAP_NONE)
        at = (at + 1) & m->mask;
    m->slots[at] = slot_pack(hash, id);
    m->count++;
}

bool map_grow_slots(uint32_t **slots, uint32_t *mask, size_t count)
{
    enum { FIRST = 256 };
    size_t have = *slots ? (size_t)*mask + 1 : 0, wanted = have ? have : FIRST;

    while (wanted / 2 < count)
        wanted *= 2;
    if (wanted <= have)
        return false;
    if (!budget_affords((wanted - have) * sizeof(**slots)) && count < have / 8 * 7)
        return false;
    xfree(*slots);
    *slots = xreallocarray(NULL, wanted, sizeof(**slots));
    /* Not xcalloc(): slots are read before they are written, which would fault each page twice. */
    memset(*slots, 0, wanted * sizeof(**slots));
    *mask = (uint32_t)(wanted - 1);
    return true;
}
