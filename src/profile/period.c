#include "profile/period.h"

#include <stdlib.h>

#include "profile/reshape.h"

/* The number of a series' weights in a nanosecond is `up` / `down`; one of them is 1. */
struct clock {
    uint64_t up, down;
};

static struct clock clock_of(const struct profile *p, const struct series *s)
{
    int exponent = -9 - s->unit.exponent + (int)p->decimals;

    if (s->unit.kind != UNIT_SECONDS)
        return (struct clock){1, 1}; /* not times: samples have no spans */
    if (exponent < 0)
        return (struct clock){1, num_pow10((unsigned)-exponent)};
    return (struct clock){num_pow10((unsigned)exponent), 1};
}

/* Returns the time at which a timed sample ends: a sample at once, a span later. */
static uint64_t end_of(const struct timed_sample *m, struct clock clock)
{
    uint64_t end, ns;

    if (!m->span)
        return m->ns;
    ns = m->weight / clock.up * clock.down;
    return num_add(m->ns, ns, &end) ? end : UINT64_MAX;
}

struct period period_of(const struct profile *p)
{
    struct period period = {.from = UINT64_MAX};

    vec_each (const struct series, s, &p->series) {
        struct clock clock = clock_of(p, s);

        if (!timed_samples_are_timed(&s->timed))
            continue;
        vec_each (const struct timed_sample, m, &s->timed.items) {
            uint64_t end = end_of(m, clock);

            period.from = m->ns < period.from ? m->ns : period.from;
            period.to = end > period.to ? end : period.to;
        }
    }
    return period;
}

/*
 * Restricts a timed sample to the period. Returns false if nothing of the timed sample is in the
 * period.
 */
static bool clip(struct timed_sample *m, struct clock clock, struct period period)
{
    uint64_t end = end_of(m, clock);

    if (!m->span)
        return m->ns >= period.from && m->ns <= period.to;
    if (end <= period.from || m->ns >= period.to)
        return false;
    if (m->ns < period.from || end > period.to) {
        m->ns = m->ns < period.from ? period.from : m->ns;
        end = end > period.to ? period.to : end;
        m->weight = (end - m->ns) / clock.down * clock.up;
    }
    return true;
}

static void select_series(struct profile *p, uint32_t series, struct period period,
                          const char *option)
{
    struct series *s = &p->series.items[series];
    struct clock clock = clock_of(p, s);
    struct timed_samples all = s->timed;
    uint64_t before = s->total;

    s->timed = (struct timed_samples){0};
    s->total = s->samples = s->last_ns = 0;
    s->squares = 0;
    s->first_ns = UINT64_MAX;
    s->count = s->indexed = s->mask = s->highest = 0;
    xfree(s->slots);
    s->slots = NULL;
    vec_each (struct timed_sample, m, &all.items) {
        if (!timed_samples_are_timed(&all) || !clip(m, clock, period))
            continue;
        profile_add_time(p, series, m->ns);
        s->timed.span = m->span;
        if (!profile_add(p, series, m->stack, m->weight))
            BUG("a part weighs more than the whole");
    }
    s->unscaled = before ? reshape_part(s->unscaled, s->total, before) : 0;
    reshape_add_removal(s, option, before - s->total, false);
    timed_samples_release(&all);
}

void period_select(struct profile *p, struct period period, const char *option)
{
    if (!p->start_ns)
        p->start_ns = period_of(p).from;
    for (uint32_t id = 0; id < p->series.count; id++)
        select_series(p, id, period, option);
}
