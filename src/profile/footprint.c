#include "profile/footprint.h"

#define vec_bytes(v) ((uint64_t)(v)->cap * sizeof(*(v)->items))

static uint64_t map_bytes(const struct map *m)
{
    return m->slots ? ((uint64_t)m->mask + 1) * sizeof(*m->slots) : 0;
}

static uint64_t symbols_bytes(const struct symbols *s)
{
    return arena_footprint(&s->names.bytes) + map_bytes(&s->names.index) +
           vec_bytes(&s->names.strings) + map_bytes(&s->index) + vec_bytes(&s->items);
}

static uint64_t stacks_bytes(const struct stacks *s)
{
    return (uint64_t)s->cap * (sizeof(*s->parent) + sizeof(*s->symbol)) +
           (s->slots ? ((uint64_t)s->mask + 1) * sizeof(*s->slots) : 0);
}

static uint64_t series_bytes(const struct series *s)
{
    return (uint64_t)s->cap * (sizeof(*s->stack) + sizeof(*s->weight)) +
           (s->slots ? ((uint64_t)s->mask + 1) * sizeof(*s->slots) : 0) +
           vec_bytes(&s->timed.items);
}

uint64_t profile_footprint(const struct profile *p)
{
    uint64_t bytes = arena_footprint(&p->strings) + symbols_bytes(&p->symbols) +
                     stacks_bytes(&p->stacks) + vec_bytes(&p->series);

    vec_each (const struct series, s, &p->series)
        bytes += series_bytes(s);
    return bytes;
}

bool footprint_allows(uint64_t held, const struct profile *part, uint64_t most, struct diag *diag)
{
    if (held + 2 * profile_footprint(part) <= most)
        return true;
    return diag_error(diag,
                      "the inputs together need more than %llu bytes of memory; --max-memory N "
                      "raises the limit",
                      (unsigned long long)most);
}
