#include "input/formats/java/jfr_bare.h"

void jfr_bare_release(struct jfr_bare *bare)
{
    intern_release(&bare->types);
    vec_release(&bare->counts);
}

bool jfr_bare_add(struct jfr_bare *bare, struct slice type, bool lasts)
{
    uint32_t id = intern_add(&bare->types, type);

    if (id == bare->counts.count)
        *vec_add(&bare->counts) = 0;
    if (!lasts)
        bare->counts.items[id]++;
    else if (!bare->lasting++)
        bare->first = id;
    return true;
}

static bool has_graph(const struct profile *p, struct slice type)
{
    vec_each (const struct series, s, &p->series)
        if (slice_equal(s->event, type))
            return true;
    return false;
}

static void tell(const struct builder *b, enum diag_level level, uint64_t count, struct slice first)
{
    if (!count)
        return;
    b->profile->ledger.without_frames += count;
    diag_add(b->diag, level, DIAG_AT_FILE,
             "%llu event%s no stack and %s in no graph; the first is of the type %.*s",
             (unsigned long long)count, count == 1 ? " has" : "s have", count == 1 ? "is" : "are",
             SLICE_ARG(first));
}

void jfr_bare_end(const struct jfr_bare *bare, const struct builder *b)
{
    struct slice first = {0};
    uint64_t sum = 0;

    for (uint32_t id = 0; id < bare->counts.count; id++) {
        struct slice type = intern_get(&bare->types, id);

        if (!bare->counts.items[id] || !has_graph(b->profile, type))
            continue;
        if (!sum)
            first = type;
        sum += bare->counts.items[id];
    }
    tell(b, DIAG_NOTE, sum, first);
    if (bare->lasting)
        tell(b, DIAG_WARNING, bare->lasting, intern_get(&bare->types, bare->first));
}
