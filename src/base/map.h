/*
 * A hash index from keys that live elsewhere to 32-bit ids.
 *
 * The map stores only (hash, id) pairs; the keys stay in the caller's array,
 * and the caller compares them. That makes one table serve strings, pairs and
 * whole records:
 *
 *     uint64_t hash = map_hash_bytes(&m, key);
 *     uint32_t id = map_find(&m, hash, same, context, &key);
 *     if (id == MAP_NONE)
 *         map_add(&m, hash, id = next_id++);
 *
 * Ids are given by the caller, usually the index of an array that is filled in
 * order, so iterating that array is the insertion order and nothing ever
 * iterates the map. Entries are never removed one by one.
 *
 * Hashes are keyed at random (base/hash.h), so that no input can choose keys
 * that all collide: take them from map_hash_bytes() or map_hash_pair().
 */
#ifndef BASE_MAP_H
#define BASE_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"
#include "base/slice.h"

#define MAP_NONE UINT32_MAX

struct map {
    uint64_t *slots; /* upper half of the hash, id; id MAP_NONE where free */
    size_t mask;     /* capacity - 1, a power of two; 0 while nothing is allocated */
    size_t count;
    uint64_t key; /* of its hashes */
};

/* Says whether entry `id` is the key that is looked for. */
typedef bool map_same_fn(const void *context, uint32_t id, const void *key);

void map_init(struct map *m);
void map_release(struct map *m);

/* The hash of a text or of two numbers in this map. */
static inline uint64_t map_hash_bytes(const struct map *m, struct slice bytes)
{
    return hash_keyed_bytes(m->key, bytes.ptr, bytes.len);
}

static inline uint64_t map_hash_pair(const struct map *m, uint64_t a, uint64_t b)
{
    return hash_keyed(m->key, a, b);
}

/* Makes room for `count` entries in all, so that adding them does not grow the table. */
void map_reserve(struct map *m, size_t count);

/* The id stored for the key, or MAP_NONE. */
uint32_t map_find(const struct map *m, uint64_t hash, map_same_fn *same, const void *context,
                  const void *key);

/* Adds an entry for a key that map_find() did not find. `id` must not be MAP_NONE. */
void map_add(struct map *m, uint64_t hash, uint32_t id);

/*
 * For tables that keep ids in slots of their own (0 is a free slot): makes
 * `*slots` at least twice as many as `count` entries need, `*mask` being their
 * number less one. Returns true where they are new, and so all free.
 */
bool map_grow_slots(uint32_t **slots, uint32_t *mask, size_t count);

#endif
