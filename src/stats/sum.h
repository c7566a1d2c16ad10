/*
 * Sums that do not depend on the order of their terms.
 *
 * Floating-point addition rounds, so a sum of doubles depends on the order in which they are added.
 * Here each term is rounded once, to a multiple of 2^-56, and integers are added. A term is limited
 * to 2^53 in size, so 2^18 terms fit. Terms that are not finite count as 0.
 */
#ifndef STATS_SUM_H
#define STATS_SUM_H

#include <math.h>

struct stats_sum {
    __int128 units; /* of 2^-56 */
};

static inline void stats_sum_add(struct stats_sum *sum, double term)
{
    const double most = 9007199254740992.0; /* 2^53 */
    double whole, part;

    if (!isfinite(term))
        return;
    term = term > most ? most : term < -most ? -most : term;
    whole = (double)(long long)term;
    part = (term - whole) * 72057594037927936.0; /* 2^56 */
    sum->units += (__int128)(long long)whole * ((__int128)1 << 56) + (long long)part;
}

static inline double stats_sum_value(const struct stats_sum *sum)
{
    return (double)sum->units / 72057594037927936.0;
}

#endif
