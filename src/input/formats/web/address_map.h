/*
 * Ranges of addresses and what lies there, for logs of code that comes, moves
 * and goes.
 *
 * Ranges do not overlap: a new one takes the place of all that it touches, as
 * code is put where other code was without a word of that. The ranges stand in
 * order in buckets of a few hundred, so that adding one among a million costs
 * as much as among a thousand.
 */
#ifndef INPUT_FORMATS_WEB_ADDRESS_MAP_H
#define INPUT_FORMATS_WEB_ADDRESS_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"

struct address_range {
    uint64_t start, last; /* the last address that belongs to it */
    uint32_t value;
};

struct address_bucket VEC_OF(struct address_range);

struct address_map {
    VEC(struct address_bucket) buckets; /* none is empty */
};

/* A zeroed map is empty and ready. */
void address_map_release(struct address_map *m);

/* Adds `size` addresses from `start` on; at least one, and none beyond the last there is. */
void address_map_add(struct address_map *m, uint64_t start, uint64_t size, uint32_t value);

/* The range that an address is in, or NULL. Valid until the map changes. */
const struct address_range *address_map_find(const struct address_map *m, uint64_t address);

/* Removes the range that starts at an address, or moves it. False where there is none. */
bool address_map_remove(struct address_map *m, uint64_t start);
bool address_map_move(struct address_map *m, uint64_t from, uint64_t to);

#endif
