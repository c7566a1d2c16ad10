#include "convert/sides.h"

void sides_init(struct sides *s, const struct conversion *c)
{
    *s = (struct sides){.conversion = *c};
    for (size_t i = 0; i < c->count; i++) {
        uint32_t base = c->profile->series.items[c->series[i]].base;

        if (base != SERIES_NONE)
            *vec_add(&s->ids) = base;
        *vec_add(&s->ids) = c->series[i];
    }
    s->conversion.series = s->ids.items;
    s->conversion.count = s->ids.count;
}
