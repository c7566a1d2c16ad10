/*
 * A hash index from keys that live elsewhere to 32-bit ids.
 *
 * The map stores only pairs (hash, id). The keys stay in the caller's array,
 * and a function of the caller compares them, so a key can be a string, a pair
 * or a record:
 *
 *     uint64_t hash = map_hash_bytes(&m, key);
 *     uint32_t id = map_find(&m, hash, same, context, &key);
 *     if (id == MAP_NONE)
 *         map_add(&m, hash, id = next_id++);
 *
 * The caller chooses the ids, usually indexes of an array. To visit the entries
 * in insertion order, iterate over that array; a map cannot be iterated.
 * Entries are never removed singly. A zeroed map is empty and ready for use.
 *
 * Take hashes from map_hash_bytes() or map_hash_pair(): they are keyed at random
 * (base/hash.h), so that no input can choose keys that all collide.
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
    uint64_t *slots; /* upper half: of the hash; lower half: the id, MAP_NONE in a free slot */
    size_t mask;     /* capacity - 1, a power of two; 0 while nothing is allocated */
    size_t count;
    uint64_t key; /* of the hashes (base/hash.h); 0 while nothing is allocated */
};

/* Returns whether the key of entry `id` equals `key`. */
typedef bool map_same_fn(const void *context, uint32_t id, const void *key);

void map_release(struct map *m);

static inline uint64_t map_key(const struct map *m)
{
    return m->slots ? m->key : hash_key();
}

/* Return the hash, in this map, of a text or of two numbers. */
static inline uint64_t map_hash_bytes(const struct map *m, struct slice bytes)
{
    return hash_keyed_bytes(map_key(m), bytes.ptr, bytes.len);
}

static inline uint64_t map_hash_pair(const struct map *m, uint64_t a, uint64_t b)
{
    return hash_keyed(map_key(m), a, b);
}

/* Returns the id stored for `key`, or MAP_NONE. `context` is passed to `same`. */
uint32_t map_find(const struct map *m, uint64_t hash, map_same_fn *same, const void *context,
                  const void *key);

/* Adds an entry for a key that map_find() did not find. `id` must not be MAP_NONE. */
void map_add(struct map *m, uint64_t hash, uint32_t id);

/*
 * Sizes the slots of a hash table that stores ids in an array of its own, in
 * which 0 marks a free slot. Ensures at least 2 * `count` slots, or, if the budget
 * of the thread has no room for them, more than `count`; their number is a power of
 * two, `*mask` + 1. Returns true if it allocated new slots, all of them free, into
 * which the caller must enter its ids again.
 */
bool map_grow_slots(uint32_t **slots, uint32_t *mask, size_t count);

#endif
