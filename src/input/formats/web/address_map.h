/*
 * Address ranges and what is in them, for logs of code that is added, moved and
 * removed.
 *
 * Ranges do not overlap: a new range replaces all that it overlaps, because logs
 * do not report when code overwrites other code. The ranges are sorted, in
 * buckets of a few hundred, so adding to a million ranges is as fast as adding
 * to a thousand.
 */
#ifndef INPUT_FORMATS_WEB_ADDRESS_MAP_H
#define INPUT_FORMATS_WEB_ADDRESS_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"

struct address_range {
    uint64_t start, last; /* `last` is inclusive */
    uint32_t value;
};

struct address_bucket VEC_OF(struct address_range);

struct address_map {
    VEC(struct address_bucket) buckets; /* none is empty */
};

/* A zeroed map is empty and ready to use. */
void address_map_release(struct address_map *m);

/* Adds the range of `size` addresses from `start`; size >= 1, clipped at the last address. */
void address_map_add(struct address_map *m, uint64_t start, uint64_t size, uint32_t value);

/* Returns the range that contains an address, or NULL. Valid until the map changes. */
const struct address_range *address_map_find(const struct address_map *m, uint64_t address);

/* Remove or move the range that starts at an address. Return false if there is none. */
bool address_map_remove(struct address_map *m, uint64_t start);
bool address_map_move(struct address_map *m, uint64_t from, uint64_t to);

#endif
