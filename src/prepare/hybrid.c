#include "prepare/hybrid.h"

#include "base/buf.h"
#include "base/name_list.h"
#include "profile/event.h"
#include "profile/merge.h"

/* One event of one kind of core. */
struct part {
    struct slice event; /* "cpu_core/cycles/P" */
    struct slice sum;   /* "cycles" */
    bool joins;         /* its series become part of the sum */
    bool joined;        /* it had one */
};

struct parts VEC_OF(struct part);

/* Appends the modifiers, but p and P: how exact the addresses are may differ between cores. */
static void add_modifiers(struct buf *out, struct slice modifiers)
{
    bool any = false;

    for (size_t i = 0; i < modifiers.len; i++) {
        if (modifiers.ptr[i] == 'p' || modifiers.ptr[i] == 'P')
            continue;
        if (!any)
            buf_add_char(out, ':');
        any = true;
        buf_add_char(out, modifiers.ptr[i]);
    }
}

static struct part *find_part(const struct parts *parts, struct slice event)
{
    vec_each (struct part, part, parts)
        if (slice_equal(part->event, event))
            return part;
    return NULL;
}

/* Adds an event to the parts if it names a kind of core. */
static void learn(struct parts *parts, struct profile *p, struct slice event)
{
    struct event_parts words;
    struct buf sum = {0};

    if (!event_take_apart(event, &words) || find_part(parts, event))
        return;
    buf_add_slice(&sum, words.event);
    add_modifiers(&sum, words.modifiers);
    *vec_add(parts) = (struct part){.event = arena_copy(&p->strings, event),
                                    .sum = arena_copy(&p->strings, buf_slice(&sum))};
    buf_release(&sum);
}

/* Whether the recipe asks for a series as one kind of core counted it. */
static bool is_named(const struct recipe *r, const struct series *s)
{
    vec_each (const struct slice, event, &r->events)
        if (slice_equal(*event, s->event) || slice_equal(*event, s->name) ||
            slice_equal(*event, event_base(s->event)))
            return true;
    return false;
}

/* Whether series of an event exist that must not be mixed with the sum, or that stay apart. */
static bool is_apart(const struct recipe *r, const struct profile *p, const struct parts *parts,
                     struct slice sum)
{
    vec_each (const struct series, s, &p->series) {
        const struct part *part = find_part(parts, s->event);

        if (slice_equal(s->event, sum))
            return true;
        if (part && slice_equal(part->sum, sum) &&
            (s->before || s->base != SERIES_NONE || is_named(r, s)))
            return true;
    }
    return false;
}

/* Marks the parts of the sums that are to be made. */
static void mark(struct parts *parts, const struct recipe *r, const struct profile *p)
{
    vec_each (struct part, a, parts)
        vec_each (const struct part, b, parts)
            a->joins |= a != b && slice_equal(a->sum, b->sum);
    vec_each (struct part, part, parts)
        part->joins = part->joins && !is_apart(r, p, parts, part->sum);
}

/* Reports a sum, at the first of its parts, to the user and in the facts of the profile. */
static void tell(const struct parts *parts, const struct part *first, struct profile *p,
                 struct diag *diag)
{
    enum { SHOWN = 4 };
    struct buf text = {0}, key = {0};
    struct name_list names = {.out = &text, .most = SHOWN};
    bool any = false;

    vec_each (const struct part, part, parts) {
        if (!part->joins || !slice_equal(part->sum, first->sum))
            continue;
        if (part < first)
            break;
        any |= part->joined;
        name_list_add(&names, part->event);
    }
    name_list_end(&names);
    if (any) {
        diag_add(diag, DIAG_NOTE, DIAG_AT_FILE,
                 "%.*s is the sum of what the kinds of cores counted: %s (--event takes one)",
                 SLICE_ARG(first->sum), buf_string(&text));
        buf_printf(&key, "%.*s is the sum of", SLICE_ARG(first->sum));
        profile_add_fact(p, buf_slice(&key), buf_slice(&text));
    }
    buf_release(&key);
    buf_release(&text);
}

/* Makes a series the sum, or adds it to the sum. Returns false if that does not fit in 64 bits. */
static bool join(struct profile *p, uint32_t id, struct part *part)
{
    struct series *s = &p->series.items[id];
    struct buf name = {0};
    uint32_t sum;
    bool ok = true;

    /* What a series is split by follows: ", app (7)" of "cpu_core/cycles/P, app (7)". */
    buf_add_slice(&name, part->sum);
    buf_add_slice(&name, slice_skip(s->name, slice_starts(s->name, s->event) ? s->event.len : 0));
    sum = profile_find_series(p, buf_slice(&name));
    if (sum == SERIES_NONE) {
        profile_rename_series(p, id, buf_slice(&name));
        s->event = part->sum;
    } else if (unit_is_same(&p->series.items[sum].unit, &s->unit)) {
        ok = merge_within(p, sum, id);
        timed_samples_sort(&p->series.items[sum].timed);
        if (ok)
            profile_empty_series(p, id);
    }
    part->joined = true;
    buf_release(&name);
    return ok;
}

bool hybrid_join(const struct recipe *r, struct profile *p, struct diag *diag)
{
    struct parts parts = {0};
    bool ok = true;

    vec_each (const struct slice, event, &p->events)
        learn(&parts, p, *event);
    vec_each (const struct series, s, &p->series)
        learn(&parts, p, s->event);
    mark(&parts, r, p);
    for (uint32_t id = 0; ok && id < p->series.count; id++) {
        struct part *part = find_part(&parts, p->series.items[id].event);

        ok = !part || !part->joins || join(p, id, part);
    }
    if (!ok)
        diag_error(diag, "the sum of the events does not fit in 64 bits");
    vec_each (const struct part, part, &parts)
        if (ok)
            tell(&parts, part, p, diag);
    vec_release(&parts);
    return ok;
}
