#include "input/formats/perf/perf_made.h"

bool perf_made_is_in(struct slice start)
{
    return perf_memory_is_in(start) || perf_allocs_is_in(start) || perf_waits_is_in(start) ||
           perf_holds_is_in(start);
}

void perf_made_init(struct perf_made *m, const struct text *t, struct perf_origins *origins)
{
    m->maps = perf_memory_is_in(t->start);
    m->allocates = perf_allocs_is_in(t->start);
    m->waits = perf_waits_is_in(t->start);
    m->holds = perf_holds_is_in(t->start);
    m->any = m->maps || m->allocates || m->waits || m->holds;
    perf_memory_init(&m->memory, t->profile, origins);
    perf_allocs_init(&m->allocs, t->profile, origins);
    perf_waits_init(&m->wait, t->profile, origins);
    perf_holds_init(&m->hold, t->profile, origins);
}

void perf_made_release(struct perf_made *m)
{
    perf_memory_release(&m->memory);
    perf_allocs_release(&m->allocs);
    perf_waits_release(&m->wait);
    perf_holds_release(&m->hold);
}

bool perf_made_open(struct perf_made *m, const struct perf_event *e)
{
    if (m->maps)
        perf_memory_open(&m->memory, e);
    if (m->allocates)
        perf_allocs_open(&m->allocs, e);
    return (!m->waits || perf_waits_open(&m->wait, e)) &&
           (!m->holds || perf_holds_open(&m->hold, e));
}

bool perf_made_close(struct perf_made *m, uint32_t stack)
{
    if (m->waits)
        perf_waits_close(&m->wait, stack);
    if (m->holds)
        perf_holds_close(&m->hold, stack);
    return (!m->maps || perf_memory_close(&m->memory, stack)) &&
           (!m->allocates || perf_allocs_close(&m->allocs, stack));
}

bool perf_made_end(struct perf_made *m)
{
    if (m->waits)
        perf_waits_end(&m->wait);
    if (m->holds)
        perf_holds_end(&m->hold);
    return !m->allocates || perf_allocs_end(&m->allocs);
}
