#include "input/formats/go/pprof_facts.h"

#include "base/utf8.h"

void pprof_facts_add(struct profile *p, const char *key, struct slice value)
{
    struct buf clean;

    buf_init(&clean);
    utf8_add_clean(&clean, value);
    if (clean.len)
        profile_add_fact(p, slice_str(key), buf_slice(&clean));
    buf_release(&clean);
}

void pprof_facts_period(struct profile *p, uint64_t period, struct slice unit, struct slice of)
{
    struct unit_scale scale = {.unit = unit_named(unit), .factor = 1};
    struct buf text;

    buf_init(&text);
    unit_write_exact(&text, &scale, period);
    if (of.len)
        buf_printf(&text, " of %.*s", SLICE_ARG(of));
    pprof_facts_add(p, "period", buf_slice(&text));
    buf_release(&text);
}

void pprof_facts_times(struct profile *p, uint64_t start, uint64_t duration)
{
    for (uint32_t i = 0; i < p->series.count && duration; i++) {
        profile_add_time(p, i, start);
        profile_add_time(p, i, start + duration);
    }
}
