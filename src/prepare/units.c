#include "prepare/units.h"

#include <string.h>

#include "base/num.h"
#include "prepare/kind_needs.h"
#include "profile/pair.h"

const struct kind *units_kind(const struct recipe *r, const struct profile *p, uint32_t series)
{
    if (pair_kind(p, series) != PAIR_CHANGE)
        return &kinds[KIND_CPI];
    return r->kind && !recipe_is_of(r, KIND_CPI) ? r->kind : kind_recognise(p, series);
}

bool units_select(const struct recipe *r, const struct profile *p)
{
    for (uint32_t id = 0; r->kind && id < p->series.count; id++) {
        const struct series *s = &p->series.items[id];

        if (s->count && !s->before && recipe_wants(r, p, s) && kind_recognise(p, id) == r->kind)
            return true;
    }
    return false;
}

/* Returns true if a series is recognised as off-CPU: its stacks are blocked, not waking others. */
static bool is_off_cpu(const struct profile *p)
{
    for (uint32_t id = 0; id < p->series.count; id++)
        if (kind_recognise(p, id) == &kinds[KIND_OFF_CPU])
            return true;
    return false;
}

/* For graphs of wakers, returns false after reporting that the input does not say who woke whom. */
static bool check_wakers(const struct recipe *r, const struct profile *p, struct diag *diag)
{
    bool wakeup = recipe_is_of(r, KIND_WAKEUP) && is_off_cpu(p);

    if ((!wakeup && !recipe_is_of(r, KIND_CHAIN) && !recipe_is_of(r, KIND_OFF_WAKE)) ||
        units_select(r, p) || (!wakeup && kind_count_wakers(p)))
        return true;
    return diag_misuse(diag,
                       "option --kind: %s needs to know who woke whom: a trace with stacks (perf "
                       "record -a -g -e sched:sched_switch,sched:sched_waking), bcc's offwaketime, "
                       "or folded stacks with '--' before each waker's",
                       r->kind->name);
}

bool units_check_input(const struct recipe *r, const struct profile *p, struct diag *diag)
{
    return check_wakers(r, p, diag) && kind_needs_check(r, p, diag);
}

bool units_multiply(struct profile *p, uint32_t series, uint64_t each)
{
    struct series *s = &p->series.items[series];
    uint64_t total;

    if (!num_mul(s->total, each, &total))
        return false;
    for (uint32_t i = 0; i < s->count; i++)
        s->weight[i] *= each;
    vec_each (struct timed_sample, m, &s->timed.items)
        m->weight *= each;
    s->total = total;
    s->squares *= (unsigned __int128)each * each;
    return true;
}

/*
 * Returns true if weights without a unit get the unit of the kind. Units that count things always
 * apply; times and bytes only if the recipe names the kind, or the format has no units.
 */
static bool gives_unit(const struct recipe *r, const struct profile *p, uint32_t series,
                       const struct kind *k)
{
    const struct series *s = &p->series.items[series];

    if (s->unit.kind != UNIT_COUNT || !k->unit || r->count_name.len || s->before)
        return false;
    if (k->each)
        return true;
    if (!slice_equal(s->unit.noun, unit_samples.noun) && !slice_equal(s->unit.noun, s->event))
        return false;
    return unit_named(slice_str(k->unit)).kind == UNIT_COUNT || s->unitless ||
           kind_recognise(p, series) != k;
}

bool units_give(const struct recipe *r, struct profile *p, uint32_t series, const struct kind *k,
                struct diag *diag)
{
    struct series *s = &p->series.items[series];

    if (!gives_unit(r, p, series, k))
        return true;
    if (k->each && (!units_multiply(p, series, k->each) ||
                    (s->base != SERIES_NONE && !units_multiply(p, s->base, k->each))))
        return diag_error(diag, "the bytes of the page faults do not fit in 64 bits");
    s->each = k->each;
    s->things = s->unit;
    s->unit = unit_named(slice_str(k->unit));
    s->unitless = false;
    if (s->base != SERIES_NONE) {
        p->series.items[s->base].unit = s->unit;
        p->series.items[s->base].unitless = false;
    }
    return true;
}

bool units_match(struct profile *a, uint32_t series_a, struct profile *b, uint32_t series_b)
{
    struct series *one = &a->series.items[series_a], *other = &b->series.items[series_b];
    bool first = one->unit.exponent > other->unit.exponent;
    struct series *coarse = first ? one : other, *fine = first ? other : one;
    unsigned zeros = (unsigned)(coarse->unit.exponent - fine->unit.exponent);

    if (unit_is_same(&one->unit, &other->unit))
        return true;
    if (one->unit.kind != UNIT_SECONDS || other->unit.kind != UNIT_SECONDS ||
        !units_multiply(first ? a : b, first ? series_a : series_b, num_pow10(zeros)))
        return false;
    coarse->unit = fine->unit;
    return true;
}

bool units_apply(const struct recipe *r, struct profile *p, struct diag *diag)
{
    bool selects = units_select(r, p);

    for (uint32_t id = 0; id < p->series.count; id++)
        if (!units_give(r, p, id, selects ? kind_recognise(p, id) : units_kind(r, p, id), diag))
            return false;
    return true;
}
