/*
 * Totals of functions that an input states itself.
 *
 * Where stacks are estimated from calls, the total of a function that follows from them is an
 * estimate, too, although many inputs state it. Tables show the stated total.
 *
 * The statements hold for the complete series only: `whole` is the sum of the weights that they
 * are about. A filter, a cut in time or a merge with a series without statements makes the total
 * of the series another number, and the statements count as absent. Code that moves weight between
 * functions and keeps the total calls stated_forget().
 */
#ifndef PROFILE_STATED_H
#define PROFILE_STATED_H

#include <stdint.h>

#include "base/vec.h"

/* The total of a symbol that stands for several functions: the sum would count calls twice. */
#define STATED_AMBIGUOUS UINT64_MAX

struct stated {
    VEC(uint64_t) totals; /* by symbol, in the unit of the weights; 0 if nothing is stated */
    uint64_t whole;
};

void stated_release(struct stated *s);

/* Removes all statements. */
void stated_forget(struct stated *s);

/* Adds a statement. The totals of a symbol add up: for threads, and for files that are merged. */
void stated_add(struct stated *s, uint32_t symbol, uint64_t total);

/*
 * Adds the statements of `from` times `factor`. symbols[id] is the id here of a symbol there; NULL
 * if they are the same.
 */
void stated_merge(struct stated *to, const struct stated *from, const uint32_t *symbols,
                  uint64_t factor);

void stated_scale(struct stated *s, uint64_t factor);

/* Returns what is stated for a symbol in a series of the total `whole`; 0 if nothing is. */
static inline uint64_t stated_total(const struct stated *s, uint64_t whole, uint32_t symbol)
{
    uint64_t total;

    if (!s->totals.count || s->whole != whole || symbol >= s->totals.count)
        return 0;
    total = s->totals.items[symbol];
    return total > whole ? 0 : total;
}

#endif
