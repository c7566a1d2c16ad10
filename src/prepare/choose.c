#include "prepare/choose.h"

#include "base/name_list.h"
#include "base/suggest.h"
#include "prepare/counters.h"
#include "prepare/units.h"
#include "profile/pair.h"

struct slice choose_shown_name(const struct profile *p, uint32_t series)
{
    struct slice name = p->series.items[series].name;

    return name.len ? name : SLICE("stacks without an event");
}

/* A series without weight on either side makes no graph. */
static bool holds_anything(const struct profile *p, const struct series *s)
{
    return s->total || (s->base != SERIES_NONE && p->series.items[s->base].total);
}

static bool is_graph(const struct profile *p, const struct series *s)
{
    return !s->before && holds_anything(p, s);
}

/* Returns true if a series has the kind that the recipe asks for, if it does (`selects`). */
static bool fits_kind(const struct recipe *r, const struct profile *p, uint32_t id, bool selects)
{
    if (recipe_is_of(r, KIND_CPI))
        return pair_kind(p, id) != PAIR_CHANGE;
    return !selects || kind_recognise(p, id) == r->kind;
}

/* Returns true if a series has an event and the kind that the recipe asks for. */
static bool is_meant(const struct recipe *r, const struct profile *p, uint32_t id, bool selects)
{
    const struct series *s = &p->series.items[id];

    return !s->before && recipe_wants(r, p, s) && fits_kind(r, p, id, selects);
}

void choose_write_others(const struct recipe *r, const struct profile *p, uint32_t except,
                         struct buf *out)
{
    enum { SHOWN = 20 };
    struct name_list names = {.out = out, .most = SHOWN};
    bool selects = units_select(r, p);

    for (uint32_t id = 0; id < p->series.count; id++) {
        const struct series *s = &p->series.items[id];

        if (id != except && is_graph(p, s) && !counters_is_added(s) &&
            fits_kind(r, p, id, selects) && (!r->needs_pair || s->base != SERIES_NONE))
            name_list_add(&names, choose_shown_name(p, id));
    }
    name_list_end(&names);
}

/* ---- events that the input does not have ---- */

static bool is_known(const struct profile *p, struct slice event)
{
    vec_each (struct series, s, &p->series)
        if (recipe_event_is(p, s, event))
            return true;
    vec_each (const struct slice, listed, &p->events) /* maybe without samples */
        if (slice_equal(*listed, event))
            return true;
    return false;
}

static void report_unknown(const struct recipe *r, const struct profile *p, struct slice input,
                           struct slice event, struct diag *diag)
{
    struct suggest near;
    struct buf names = {0};

    choose_write_others(r, p, SERIES_NONE, &names);
    suggest_init(&near, arena_strdup(&diag->memory, event));
    vec_each (struct series, s, &p->series)
        suggest_offer_list(&near, arena_strdup(&diag->memory, s->name));
    suggest_write(&near, "", &names);
    diag_misuse(diag, "no event '%.*s' in %.*s, which has: %s", SLICE_ARG(event), SLICE_ARG(input),
                buf_string(&names));
    buf_release(&names);
}

/* Reports events of the recipe that the input does not have. Returns true if it has all. */
static bool check_events(const struct recipe *r, const struct profile *p, struct slice input,
                         struct diag *diag)
{
    bool ok = true;

    vec_each (const struct slice, event, &r->events) {
        if (is_known(p, *event))
            continue;
        report_unknown(r, p, input, *event, diag);
        ok = false;
    }
    return ok;
}

/* Reports that the input has nothing to show. */
static void tell_empty(const struct profile *p, struct diag *diag)
{
    for (uint32_t id = 0; id < p->series.count; id++)
        if (p->series.items[id].count) {
            diag_error(diag, "all weights are 0, so there is nothing to show");
            return;
        }
    diag_error(diag, "the input has no series with samples");
}

/* ---- all ---- */

bool choose_all(const struct recipe *r, const struct profile *p, struct series_ids *chosen,
                struct diag *diag)
{
    bool selects = units_select(r, p), known = check_events(r, p, SLICE("the input"), diag);

    for (uint32_t id = 0; id < p->series.count; id++)
        if (is_meant(r, p, id, selects) && holds_anything(p, &p->series.items[id]))
            *vec_add(chosen) = id;
    if (!chosen->count && known && r->events.count)
        diag_misuse(diag, "the events asked for have no samples");
    else if (!chosen->count && known)
        tell_empty(p, diag);
    return chosen->count > 0;
}

/* ---- one ---- */

/* Adds one series to another. Returns false if a sum does not fit. */
static bool add_series(struct profile *p, uint32_t to, uint32_t from)
{
    const struct series *s = &p->series.items[from];
    uint64_t samples = p->series.items[to].samples + s->samples;
    bool keep = p->keep_timed, ok = true;

    profile_join_records(p, &p->series.items[to], s);
    p->keep_timed = false; /* the entries are sums of them */
    for (uint32_t i = 0; ok && i < s->count; i++)
        ok = profile_add(p, to, s->stack[i], s->weight[i]);
    p->keep_timed = keep;
    if (!ok)
        return false;
    timed_samples_join(&p->series.items[to].timed, &s->timed, NULL, 1);
    timed_samples_sort(&p->series.items[to].timed);
    p->series.items[to].samples = samples;
    p->series.items[to].uncounted |= s->uncounted;
    p->series.items[to].unitless |= s->unitless;
    if (s->first_ns <= s->last_ns) {
        profile_add_time(p, to, s->first_ns);
        profile_add_time(p, to, s->last_ns);
    }
    return true;
}

/* Returns the place of the first of `ids` that cannot be added to the first one, or their count. */
static size_t find_misfit(const struct profile *p, const struct series_ids *ids)
{
    const struct series *first = &p->series.items[ids->items[0]];
    size_t i = 1;

    while (i < ids->count) {
        const struct series *s = &p->series.items[ids->items[i]];

        if (first->base != SERIES_NONE || s->base != SERIES_NONE ||
            !unit_is_same(&first->unit, &s->unit))
            break;
        i++;
    }
    return i;
}

/* Returns true if the series have the same unit; else reports two that differ. */
static bool can_add(const struct profile *p, const struct series_ids *ids, struct diag *diag)
{
    size_t other = find_misfit(p, ids);

    if (other == ids->count)
        return true;
    return diag_misuse(diag,
                       "%.*s and %.*s have different units and cannot be added up; name one "
                       "(--event)",
                       SLICE_ARG(p->series.items[ids->items[0]].name),
                       SLICE_ARG(p->series.items[ids->items[other]].name));
}

static void find_meant(const struct recipe *r, const struct profile *p, bool selects,
                       struct series_ids *ids)
{
    for (uint32_t id = 0; id < p->series.count; id++)
        if (is_meant(r, p, id, selects) &&
            (p->series.items[id].count || p->series.items[id].base != SERIES_NONE))
            *vec_add(ids) = id;
}

bool choose_can_add_all(const struct recipe *r, const struct profile *p)
{
    struct series_ids ids = {0};
    bool fit;

    find_meant(r, p, units_select(r, p), &ids);
    fit = ids.count && !r->needs_pair && find_misfit(p, &ids) == ids.count;
    vec_release(&ids);
    return fit;
}

/* Adds a series that is the sum of `ids` and is named after all of them. */
static uint32_t sum_series(struct profile *p, const struct series_ids *ids, struct diag *diag)
{
    uint32_t sum;
    struct buf names = {0};

    for (size_t i = 0; i < ids->count; i++)
        buf_printf(&names, "%s%.*s", names.len ? " + " : "",
                   SLICE_ARG(p->series.items[ids->items[i]].name));
    sum = profile_series(p, buf_slice(&names), p->series.items[ids->items[0]].unit);
    for (size_t i = 0; i < ids->count && sum != SERIES_NONE; i++) {
        if (!add_series(p, sum, ids->items[i])) {
            diag_error(diag, "the sum of the events does not fit in 64 bits");
            sum = SERIES_NONE;
        }
    }
    buf_release(&names);
    return sum;
}

static uint32_t choose_events(const struct recipe *r, struct profile *p, bool selects,
                              struct slice input, struct diag *diag)
{
    struct series_ids ids = {0};
    uint32_t one = SERIES_NONE;

    if (!check_events(r, p, input, diag))
        return SERIES_NONE;
    find_meant(r, p, selects, &ids);
    if (!ids.count)
        diag_misuse(diag, "the events asked for have no samples");
    else if (ids.count == 1)
        one = ids.items[0];
    else if (can_add(p, &ids, diag))
        one = sum_series(p, &ids, diag);
    vec_release(&ids);
    return one;
}

/* Levels at which perf sees allocations. An allocation at one level causes others below. */
enum level { LEVEL_NONE, LEVEL_PROGRAM, LEVEL_SYSTEM, LEVEL_KERNEL };

static enum level level_of(const struct profile *p, const struct series *s)
{
    static const struct {
        const char *start;
        enum level level;
    } starts[] = {
        {"probe", LEVEL_PROGRAM},          {"sdt_", LEVEL_PROGRAM},
        {"brk allocations", LEVEL_SYSTEM}, {"mmap allocations", LEVEL_SYSTEM},
        {"kmem:kmalloc", LEVEL_KERNEL},    {"kmem:kmem_cache_alloc", LEVEL_KERNEL},
    };

    if (!p->format || !slice_equal(slice_str(p->format), SLICE("perf-script")))
        return LEVEL_NONE;
    for (size_t i = 0; i < sizeof(starts) / sizeof(starts[0]); i++)
        if (slice_starts(s->event, slice_str(starts[i].start)))
            return starts[i].level;
    return LEVEL_NONE;
}

/* What a series is split by: ", app (7)" of "probe_libc:malloc, app (7)". */
static struct slice split_of(const struct series *s)
{
    return slice_skip(s->name, slice_starts(s->name, s->event) ? s->event.len : 0);
}

/* The series with all ways to allocate at the level of `first`, or SERIES_NONE after an error. */
static uint32_t join_allocations(const struct recipe *r, struct profile *p, uint32_t first,
                                 struct diag *diag)
{
    const struct series *one = &p->series.items[first];
    enum level level = level_of(p, one);
    struct series_ids ids = {0};
    uint32_t sum = first;

    for (uint32_t id = first; level != LEVEL_NONE && id < p->series.count; id++) {
        const struct series *s = &p->series.items[id];

        if (level == LEVEL_PROGRAM && s->count && slice_equal(split_of(s), split_of(one)) &&
            slice_equal(s->event, SLICE("malloc allocations"))) {
            vec_release(&ids);
            return id; /* calls within calls are counted once in it */
        }
        if (is_meant(r, p, id, true) && is_graph(p, s) && level_of(p, s) == level &&
            unit_is_same(&s->unit, &one->unit) && slice_equal(split_of(s), split_of(one)))
            *vec_add(&ids) = id;
    }
    if (ids.count > 1)
        sum = sum_series(p, &ids, diag);
    vec_release(&ids);
    return sum;
}

uint32_t choose_one(const struct recipe *r, struct profile *p, struct slice input,
                    struct diag *diag)
{
    bool selects = units_select(r, p);
    uint32_t first = SERIES_NONE;

    if (r->events.count)
        return choose_events(r, p, selects, input, diag);
    for (uint32_t id = 0; id < p->series.count; id++) {
        if (!is_meant(r, p, id, selects) || !is_graph(p, &p->series.items[id]))
            continue;
        if (pair_kind(p, id) != PAIR_CHANGE)
            return id;
        if (first == SERIES_NONE)
            first = id;
    }
    if (first == SERIES_NONE)
        tell_empty(p, diag);
    else if (selects && recipe_is_of(r, KIND_ALLOCATIONS))
        return join_allocations(r, p, first, diag);
    return first;
}
