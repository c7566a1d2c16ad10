/*
 * Totals of functions as the input reports them.
 *
 * If stacks are estimated from calls, a function's total that is computed from these stacks is an
 * estimate. Many inputs report the exact total; tables show it instead.
 *
 * Reported totals are valid for the complete series only: `whole` is the weight of the series that
 * they were reported for. A filter, a time range or a merge with a series without reported totals
 * changes the weight of the series, and the reported totals are then ignored. Code that moves
 * weight between functions but keeps the weight of the series calls reported_forget().
 */
#ifndef PROFILE_REPORTED_H
#define PROFILE_REPORTED_H

#include <stdint.h>

#include "base/vec.h"

/* The total of a symbol that stands for several functions: the sum would count calls twice. */
#define REPORTED_AMBIGUOUS UINT64_MAX

struct reported {
    VEC(uint64_t) totals; /* by symbol, in the unit of the weights; 0 if nothing is reported */
    uint64_t whole;
};

void reported_release(struct reported *s);

/* Removes all reported totals. */
void reported_forget(struct reported *s);

/* Adds to the reported total of a symbol: threads and merged files report it several times. */
void reported_add(struct reported *s, uint32_t symbol, uint64_t total);

/*
 * Adds the reported totals of `from`, multiplied by `factor`. symbols[id] is the id in `to` of
 * symbol `id` of `from`; NULL if the ids are the same.
 */
void reported_merge(struct reported *to, const struct reported *from, const uint32_t *symbols,
                    uint64_t factor);

void reported_scale(struct reported *s, uint64_t factor);

/* Returns the reported total of a symbol in a series of weight `whole`; 0 if there is none. */
static inline uint64_t reported_total(const struct reported *s, uint64_t whole, uint32_t symbol)
{
    uint64_t total;

    if (!s->totals.count || s->whole != whole || symbol >= s->totals.count)
        return 0;
    total = s->totals.items[symbol];
    return total > whole ? 0 : total;
}

#endif
