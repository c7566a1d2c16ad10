#include "profile/reported.h"

void reported_release(struct reported *s)
{
    vec_release(&s->totals);
}

void reported_forget(struct reported *s)
{
    vec_clear(&s->totals);
    s->whole = 0;
}

void reported_add(struct reported *s, uint32_t symbol, uint64_t total)
{
    uint64_t *sum;

    if (!total)
        return;
    while (s->totals.count <= symbol)
        *vec_add(&s->totals) = 0;
    sum = &s->totals.items[symbol];
    if (__builtin_add_overflow(*sum, total, sum))
        *sum = REPORTED_AMBIGUOUS;
}

void reported_merge(struct reported *to, const struct reported *from, const uint32_t *symbols,
                    uint64_t factor)
{
    for (uint32_t i = 0; i < from->totals.count; i++) {
        uint64_t total = from->totals.items[i];

        if (__builtin_mul_overflow(total, factor, &total))
            total = REPORTED_AMBIGUOUS;
        reported_add(to, symbols ? symbols[i] : i, total);
    }
    to->whole += from->whole * factor;
}

void reported_scale(struct reported *s, uint64_t factor)
{
    vec_each (uint64_t, total, &s->totals)
        if (__builtin_mul_overflow(*total, factor, total))
            *total = REPORTED_AMBIGUOUS;
    s->whole *= factor;
}
