/*
 * The order of names as numbers.
 *
 * Sorting siblings compares names again and again, and the same names recur
 * under thousands of parents. A rank sorts each symbol in use once, bytewise
 * by name and then by class, cold frames behind all others, and gives it a
 * number: from then on comparing is comparing integers, and a counting sort
 * will do.
 */
#ifndef LAYOUT_RANK_H
#define LAYOUT_RANK_H

#include <stdint.h>

#include "profile/symbol.h"

struct rank {
    const struct symbols *symbols;
    uint32_t *number; /* by symbol: 1 where in use, its rank once sorted */
};

void rank_init(struct rank *r, const struct symbols *symbols);
void rank_release(struct rank *r);

/* Says that `symbol` will be asked for. */
static inline void rank_use(struct rank *r, uint32_t symbol)
{
    r->number[symbol] = 1;
}

/* Sorts the symbols in use; returns how many there are. Ranks are 0 .. that - 1. */
uint32_t rank_sort(struct rank *r);

/* The rank of a symbol in use, after rank_sort(). */
static inline uint32_t rank_get(const struct rank *r, uint32_t symbol)
{
    return r->number[symbol];
}

#endif
