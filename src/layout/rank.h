/*
 * Ranks: symbols numbered in the order of their names.
 *
 * The same names recur under thousands of parents. So the symbols in use are
 * sorted once, bytewise by name and then by class, cold frames after all
 * others, and numbered. Siblings are then sorted by these integers, with a
 * counting sort.
 */
#ifndef LAYOUT_RANK_H
#define LAYOUT_RANK_H

#include <stdint.h>

#include "profile/symbol.h"

struct rank {
    const struct symbols *symbols;
    uint32_t *number;             /* by symbol: 0 unless in use; after rank_sort(), its rank + 1 */
    uint32_t symbol_count, count; /* of all symbols, and of those in use */
};

void rank_init(struct rank *r, const struct symbols *symbols);
void rank_release(struct rank *r);

/* Marks `symbol` as in use. Call it before rank_sort(). */
static inline void rank_use(struct rank *r, uint32_t symbol)
{
    r->number[symbol] = 1;
}

/*
 * Sorts the symbols in use and returns their number, n. Ranks are 0 .. n - 1. `sorted` is NULL, or
 * ranks whose order is taken over if they are of the same symbols and have all that are in use.
 */
uint32_t rank_sort(struct rank *r, const struct rank *sorted);

/* Returns the rank of a symbol in use. Call it after rank_sort(). */
static inline uint32_t rank_get(const struct rank *r, uint32_t symbol)
{
    return r->number[symbol] - 1;
}

#endif
