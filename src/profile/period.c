#include "profile/period.h"

#include <stdlib.h>

#include "profile/reshape.h"

struct period period_of(const struct profile *p)
{
    struct period period = {.from = UINT64_MAX};

    vec_each (const struct series, s, &p->series) {
        if (!moments_are_timed(&s->moments))
            continue;
        vec_each (const struct moment, m, &s->moments.items) {
            period.from = m->ns < period.from ? m->ns : period.from;
            period.to = m->ns > period.to ? m->ns : period.to;
        }
    }
    return period;
}

static bool is_within(const struct moments *all, const struct moment *m, struct period period)
{
    return moments_are_timed(all) && m->ns >= period.from && m->ns <= period.to;
}

static void select_series(struct profile *p, uint32_t series, struct period period,
                          const char *option)
{
    struct series *s = &p->series.items[series];
    struct moments all = s->moments;
    uint64_t before = s->total;

    s->moments = (struct moments){0};
    s->total = s->samples = s->last_ns = 0;
    s->first_ns = UINT64_MAX;
    s->count = s->indexed = s->mask = s->highest = 0;
    free(s->slots);
    s->slots = NULL;
    vec_each (const struct moment, m, &all.items) {
        if (!is_within(&all, m, period))
            continue;
        profile_add_time(p, series, m->ns);
        if (!profile_add(p, series, m->stack, m->weight))
            BUG("a part weighs more than the whole");
    }
    reshape_add_removal(s, option, before - s->total, false);
    moments_release(&all);
}

void period_select(struct profile *p, struct period period, const char *option)
{
    if (!p->start_ns)
        p->start_ns = period_of(p).from;
    for (uint32_t id = 0; id < p->series.count; id++)
        select_series(p, id, period, option);
}
