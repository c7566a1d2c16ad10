#include "profile/service.h"

#include <string.h>

#include "base/num.h"
#include "profile/merge.h"
#include "profile/reshape.h"

void service_init(struct service *s, struct slice name)
{
    *s = (struct service){0};
    profile_init(&s->profile);
    s->name = arena_copy(&s->profile.strings, name);
}

void service_release(struct service *s)
{
    profile_release_runs(&s->runs);
    intern_release(&s->names);
    profile_release(&s->profile);
}

/* Returns the event of a service with that series. Series of runs are named as the runs. */
static struct slice event_of(const struct profile *p, uint32_t series)
{
    const struct series *s = &p->series.items[series];

    return p->runs.count ? s->event : s->name;
}

bool service_takes(const struct service *s, const struct profile *p, uint32_t series)
{
    const struct series *added = &p->series.items[series];

    return !s->runs.count ||
           (slice_equal(s->event, event_of(p, series)) && unit_is_same(&s->unit, &added->unit) &&
            s->exact == profile_is_exact(p));
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

/* Returns what a profile that consists of runs says about the run in a series, or NULL. */
static const struct run *find_run(const struct profile *p, uint32_t series)
{
    vec_each (const struct run, run, &p->runs)
        if (run->series == series)
            return run;
    return NULL;
}

static void add_fact(struct run *run, struct arena *strings, const struct fact *f)
{
    *vec_add(&run->facts) =
        (struct fact){arena_copy(strings, f->key), arena_copy(strings, f->value)};
}

/* Fills a run with what the profile knows about one of its series. */
static void describe(struct run *run, struct arena *strings, const struct profile *p,
                     uint32_t series)
{
    const struct series *from = &p->series.items[series];
    const struct run *known = find_run(p, series);

    if (known) {
        run->samples = known->samples;
        run->effective = known->effective;
        run->duration_ns = known->duration_ns;
        run->lost = known->lost;
        vec_each (const struct fact, f, &known->facts)
            add_fact(run, strings, f);
        return;
    }
    count_samples(run, p, series);
    run->lost = p->ledger.lost;
    if (p->duration_ns)
        run->duration_ns = p->duration_ns;
    else if (from->first_ns < from->last_ns)
        run->duration_ns = from->last_ns - from->first_ns;
    vec_each (const struct fact, f, &p->facts)
        add_fact(run, strings, f);
}

/* Adds a series for a run. Its name begins with a byte that no event has. */
static uint32_t add_series(struct service *s, struct slice name, const struct profile *part,
                           uint32_t series)
{
    struct buf unique = {0};
    uint32_t id;

    buf_add_char(&unique, '\0');
    buf_add_slice(&unique, name);
    id = merge_one_series(&s->profile, part, series, buf_slice(&unique));
    buf_release(&unique);
    return id;
}

/* Adds the total of a new run to the sum, whose runs had `decimals` until then. */
static void add_total(struct service *s, uint32_t series, unsigned decimals)
{
    uint64_t factor = num_pow10(s->profile.decimals - decimals);

    if (!num_mul(s->total, factor, &s->total) ||
        !num_add(s->total, s->profile.series.items[series].total, &s->total))
        s->total = UINT64_MAX;
}

bool service_add_run(struct service *s, struct slice name, struct profile *part, uint32_t series)
{
    struct run run = {.name = arena_copy(&s->profile.strings, name)};
    unsigned decimals = s->profile.decimals;

    reshape_match_owners(&s->profile, part);
    if ((uint64_t)s->profile.stacks.count + part->stacks.count > STACKS_MOST)
        return false;
    run.series = add_series(s, name, part, series);
    if (run.series == SERIES_NONE)
        return false;
    if (!s->runs.count) {
        s->event = arena_copy(&s->profile.strings, event_of(part, series));
        s->unit = s->profile.series.items[run.series].unit;
        s->exact = profile_is_exact(part);
        s->profile.format = part->format;
    }
    s->profile.in_order |= part->in_order;
    s->profile.keep_timed |= part->keep_timed;
    describe(&run, &s->profile.strings, part, series);
    *vec_add(&s->runs) = run;
    intern_add(&s->names, name);
    add_total(s, run.series, decimals);
    return true;
}

void service_view(struct service *s, struct slice name, struct slice run,
                  const struct profile *profile, uint32_t series)
{
    *s = (struct service){
        .name = name,
        .event = event_of(profile, series),
        .unit = profile->series.items[series].unit,
        .exact = profile_is_exact(profile),
        .profile = *profile,
    };
    s->profile.strings = (struct arena){0};
    *vec_add(&s->runs) = (struct run){.name = run, .series = series};
    describe(&s->runs.items[0], &s->profile.strings, profile, series);
}

void service_release_view(struct service *s)
{
    profile_release_runs(&s->runs);
    arena_release(&s->profile.strings);
}

uint32_t service_sum(struct service *s, struct slice name, size_t first, size_t last)
{
    uint32_t id = profile_series_of(&s->profile, name, s->event, s->unit);

    for (size_t i = first; i < last; i++)
        if (!merge_within(&s->profile, id, s->runs.items[i].series))
            return SERIES_NONE;
    s->profile.series.items[id].first_ns = UINT64_MAX; /* clocks of runs make no duration */
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
