#include "profile/service.h"

#include <string.h>

#include "profile/merge.h"
#include "profile/reshape.h"

/* Formats whose profilers count every event. */
static const char *const exact_formats[] = {"callgrind", "dhat", "heaptrack"};

static bool is_exact(const struct profile *p)
{
    for (size_t i = 0; p->format && i < sizeof(exact_formats) / sizeof(*exact_formats); i++)
        if (strcmp(exact_formats[i], p->format) == 0)
            return true;
    return false;
}

void service_init(struct service *s, struct slice name)
{
    *s = (struct service){0};
    profile_init(&s->profile);
    s->name = arena_copy(&s->profile.strings, name);
}

void service_release(struct service *s)
{
    vec_each (struct run, run, &s->runs)
        vec_release(&run->facts);
    vec_release(&s->runs);
    profile_release(&s->profile);
}

bool service_takes(const struct service *s, const struct profile *p, uint32_t series)
{
    const struct series *added = &p->series.items[series];

    return !s->runs.count || (slice_equal(s->event, added->name) &&
                              unit_is_same(&s->unit, &added->unit) && s->exact == is_exact(p));
}

/* Whether two series of a profile have entries for the same stacks, in the same order. */
static bool same_stacks(const struct series *a, const struct series *b)
{
    return a->count == b->count &&
           (!a->count || memcmp(a->stack, b->stack, a->count * sizeof(*a->stack)) == 0);
}

/*
 * Fills the numbers of samples. A profile with two values for each stack, as pprof's "samples" and
 * "cpu", has the number for both in the series that counts samples.
 */
static void count_samples(struct run *run, const struct profile *p, uint32_t series)
{
    const struct series *s = &p->series.items[series];

    run->samples = profile_samples(p, series);
    run->effective = profile_effective_samples(p, series);
    for (uint32_t id = 0; !run->samples && id < p->series.count; id++) {
        const struct series *other = &p->series.items[id];

        if (other->unit.kind == UNIT_COUNT && slice_equal(other->unit.noun, unit_samples.noun) &&
            same_stacks(s, other)) {
            run->samples = profile_samples(p, id);
            run->effective = (double)run->samples;
        }
    }
}

static void describe(struct service *s, struct run *run, const struct profile *p, uint32_t series)
{
    const struct series *from = &p->series.items[series];
    struct arena *strings = &s->profile.strings;

    count_samples(run, p, series);
    run->lost = p->ledger.lost;
    if (from->first_ns < from->last_ns)
        run->duration_ns = from->last_ns - from->first_ns;
    vec_each (const struct fact, f, &p->facts)
        *vec_add(&run->facts) =
            (struct fact){arena_copy(strings, f->key), arena_copy(strings, f->value)};
}

bool service_add_run(struct service *s, struct slice name, struct profile *part, uint32_t series)
{
    struct run run = {.name = arena_copy(&s->profile.strings, name)};
    const struct series *from = &part->series.items[series];

    reshape_match_owners(&s->profile, part);
    if ((uint64_t)s->profile.stacks.count + part->stacks.count > STACKS_MOST)
        return false;
    run.series = merge_one_series(&s->profile, part, series, name);
    if (run.series == SERIES_NONE)
        return false;
    if (!s->runs.count) {
        s->event = arena_copy(&s->profile.strings, from->name);
        s->unit = s->profile.series.items[run.series].unit;
        s->exact = is_exact(part);
        s->profile.format = part->format;
    }
    s->profile.in_order |= part->in_order;
    describe(s, &run, part, series);
    *vec_add(&s->runs) = run;
    return true;
}

uint32_t service_sum(struct service *s, struct slice name, size_t first, size_t last)
{
    uint32_t id = profile_series_of(&s->profile, name, s->event, s->unit);

    for (size_t i = first; i < last; i++)
        if (!merge_within(&s->profile, id, s->runs.items[i].series))
            return SERIES_NONE;
    return id;
}

void service_set_fact(struct service *s, size_t run, struct slice key, struct slice value)
{
    struct arena *strings = &s->profile.strings;
    struct run *r = &s->runs.items[run];

    value = arena_copy(strings, value);
    vec_each (struct fact, f, &r->facts)
        if (slice_equal(f->key, key)) {
            f->value = value;
            return;
        }
    *vec_add(&r->facts) = (struct fact){arena_copy(strings, key), value};
}

struct slice service_fact(const struct run *run, struct slice key)
{
    vec_each (const struct fact, f, &run->facts)
        if (slice_equal(f->key, key))
            return f->value;
    return slice_make(NULL, 0);
}
