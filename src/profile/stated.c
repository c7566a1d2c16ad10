#include "profile/stated.h"

void stated_release(struct stated *s)
{
    vec_release(&s->totals);
}

void stated_forget(struct stated *s)
{
    vec_clear(&s->totals);
    s->whole = 0;
}

void stated_add(struct stated *s, uint32_t symbol, uint64_t total)
{
    uint64_t *sum;

    if (!total)
        return;
    while (s->totals.count <= symbol)
        *vec_add(&s->totals) = 0;
    sum = &s->totals.items[symbol];
    if (__builtin_add_overflow(*sum, total, sum))
        *sum = STATED_AMBIGUOUS;
}

void stated_merge(struct stated *to, const struct stated *from, const uint32_t *symbols,
                  uint64_t factor)
{
    for (uint32_t i = 0; i < from->totals.count; i++) {
        uint64_t total = from->totals.items[i];

        if (__builtin_mul_overflow(total, factor, &total))
            total = STATED_AMBIGUOUS;
        stated_add(to, symbols ? symbols[i] : i, total);
    }
    to->whole += from->whole * factor;
}

void stated_scale(struct stated *s, uint64_t factor)
{
    vec_each (uint64_t, total, &s->totals)
        if (__builtin_mul_overflow(*total, factor, total))
            *total = STATED_AMBIGUOUS;
    s->whole *= factor;
}
