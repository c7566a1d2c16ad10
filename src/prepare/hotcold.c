#include "prepare/hotcold.h"

#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "profile/merge.h"

__extension__ typedef unsigned __int128 wide;

enum { NANO = -9 };

/* One side of the graph. */
struct side {
    enum kind_id kind;
    const char *name;
    enum symbol_class class;
};

static const struct side sides[] = {
    {KIND_CPU, "on-CPU", SYMBOL_ON_CPU},
    {KIND_OFF_CPU, "off-CPU", SYMBOL_OFF_CPU},
};
enum { ON, OFF, SIDES };

/* Returns the first series that is recognised as this side, or SERIES_NONE. */
static uint32_t find_side(const struct profile *p, const struct side *side)
{
    for (uint32_t id = 0; id < p->series.count; id++)
        if (p->series.items[id].count && kind_recognise(p, id) == &kinds[side->kind])
            return id;
    return SERIES_NONE;
}

static bool take(struct profile *p, const struct profile *part, uint32_t series,
                 const struct side *side, struct diag *diag)
{
    uint32_t id;

    p->keep_timed |= part->keep_timed;
    id = merge_one_series(p, part, series, slice_str(side->name));
    if (id == SERIES_NONE)
        return diag_error(diag, "the merged weights do not fit in 64 bits");
    p->series.items[id].event = p->series.items[id].name;
    return true;
}

bool hotcold_take(struct profile *p, const struct profile *part, size_t index, struct diag *diag)
{
    bool any = false;

    if (!p->format)
        p->format = part->format;
    for (int i = 0; i < SIDES; i++) {
        const struct read_ledger known = p->ledger;
        uint32_t id = find_side(part, &sides[i]);

        if (id != SERIES_NONE && !take(p, part, id, &sides[i], diag))
            return false;
        if (any)
            p->ledger = known; /* both sides are of one input, whose ledger counts once */
        any |= id != SERIES_NONE;
    }
    return any || take(p, part, 0, &sides[index ? OFF : ON], diag);
}

/* ---- time ------------------------------------------------------------------------------------ */

/*
 * Converts weights to nanoseconds times the profile's power of ten: the running
 * sum is multiplied by up / down, and a weight becomes the increase of the
 * converted sum, so that the parts add up to the whole.
 */
struct clock {
    uint64_t up, down;
    uint64_t sum, time;
};

static bool tick(struct clock *c, uint64_t weight, uint64_t *time)
{
    wide all = (wide)(c->sum + weight) * c->up / c->down;

    if (all > UINT64_MAX)
        return false;
    *time = (uint64_t)all - c->time;
    c->sum += weight;
    c->time = (uint64_t)all;
    return true;
}

static bool start_of_time(struct clock *c, const struct unit *unit)
{
    int places = unit->exponent - NANO;

    *c = (struct clock){.up = 1, .down = 1};
    if (places >= 0)
        c->up = num_pow10((unsigned)places);
    else
        c->down = num_pow10((unsigned)-places);
    return true;
}

/* A sample is 1/frequency seconds; other counts share the time of their samples. */
static bool start_of_counts(struct clock *c, const struct recipe *r, const struct profile *p,
                            const struct series *s, struct diag *diag)
{
    const uint64_t second = num_pow10(9);
    bool samples = unit_is_samples(&s->unit);

    if (!r->frequency)
        return diag_misuse(diag,
                           "option --kind: hotcold needs times, and %.*s counts %.*s: give the "
                           "samples per second (--frequency 99)",
                           SLICE_ARG(s->name), SLICE_ARG(s->unit.noun));
    *c = (struct clock){.up = second, .down = r->frequency};
    if (samples)
        return true;
    if (!num_mul(s->samples, second, &c->up) || !num_mul(c->up, num_pow10(p->decimals), &c->up))
        return diag_error(diag, "the times do not fit in 64 bits");
    c->up /= r->frequency;
    c->down = s->total;
    return true;
}

static bool start(struct clock *c, const struct recipe *r, const struct profile *p,
                  const struct series *s, enum symbol_class class, struct diag *diag)
{
    const struct unit microseconds = {UNIT_SECONDS, -6, {0}};

    if (s->unit.kind == UNIT_SECONDS)
        return start_of_time(c, &s->unit);
    if (s->unit.kind != UNIT_COUNT || (class == SYMBOL_OFF_CPU && !unit_is_samples(&s->unit)))
        return diag_misuse(diag, "option --kind: hotcold needs times, and %.*s is in %.*s",
                           SLICE_ARG(s->name), SLICE_ARG(unit_word(&s->unit)));
    /* By convention, folded stacks of off-CPU time are in microseconds. */
    return class == SYMBOL_OFF_CPU ? start_of_time(c, &microseconds)
                                   : start_of_counts(c, r, p, s, diag);
}

/* ---- stacks ---------------------------------------------------------------------------------- */

struct joining {
    struct profile *profile;
    enum symbol_class class;
    uint32_t *stacks;  /* by stack: the stack of this side; STACK_ROOT if not made yet */
    uint32_t *symbols; /* by symbol: the symbol with the class; SYMBOL_NONE if not made yet */
    uint32_t root;     /* the root frame of the side, or STACK_ROOT if it has none */
    VEC(uint32_t) path;
};

static uint32_t symbol_of_side(struct joining *j, uint32_t symbol)
{
    struct symbols *symbols = &j->profile->symbols;
    uint32_t *found = &j->symbols[symbol];

    if (*found == SYMBOL_NONE)
        *found = symbol_class(symbols, symbol) == SYMBOL_SEPARATOR
                     ? symbol
                     : symbols_add(symbols, symbol_name(symbols, symbol), j->class);
    return *found;
}

/* Returns the stack with the class of the side in all frames except the first. */
static uint32_t stack_of_side(struct joining *j, uint32_t stack)
{
    struct stacks *stacks = &j->profile->stacks;
    uint32_t id = stack, side;

    vec_clear(&j->path);
    for (; id != STACK_ROOT && j->stacks[id] == STACK_ROOT; id = stacks->parent[id])
        *vec_add(&j->path) = id;
    side = id == STACK_ROOT ? j->root : j->stacks[id];
    for (size_t i = j->path.count; i-- > 0;) {
        uint32_t symbol = stacks->symbol[j->path.items[i]];

        if (stacks->parent[j->path.items[i]] == STACK_ROOT)
            symbol = symbols_add(&j->profile->symbols, symbol_name(&j->profile->symbols, symbol),
                                 SYMBOL_OWNER);
        else
            symbol = symbol_of_side(j, symbol);
        side = stacks_push(stacks, side, symbol);
        j->stacks[j->path.items[i]] = side;
    }
    return side;
}

/* Adds the samples of a series one by one, at their times. */
static bool add_timed(struct joining *j, const struct series *s, struct clock clock, uint32_t to)
{
    struct timed_samples *timed = &j->profile->series.items[to].timed;
    uint64_t time;

    vec_each (const struct timed_sample, m, &s->timed.items) {
        if (!tick(&clock, m->weight, &time))
            return false;
        if (m->span)
            timed_samples_begin(timed, m->ns);
        else if (timed_samples_are_timed(&s->timed))
            timed_samples_meet(timed, m->ns);
        timed_samples_add(timed, stack_of_side(j, m->stack), time);
    }
    return true;
}

/* Adds the entries of a series, which are the sums of its samples. */
static bool add_entries(struct joining *j, const struct series *s, struct clock clock, uint32_t to)
{
    bool keep = j->profile->keep_timed, ok = true;
    uint64_t time;

    j->profile->keep_timed = false;
    for (uint32_t i = 0; ok && i < s->count; i++)
        ok = tick(&clock, s->weight[i], &time) &&
             profile_add(j->profile, to, stack_of_side(j, s->stack[i]), time);
    j->profile->keep_timed = keep;
    return ok;
}

static bool add_side(const struct recipe *r, struct profile *p, uint32_t from, uint32_t to,
                     const struct side *side, struct diag *diag)
{
    struct joining j = {.profile = p, .class = side->class, .root = STACK_ROOT};
    const struct series s = p->series.items[from];
    uint64_t samples = p->series.items[to].samples + s.samples;
    struct clock clock = {.up = 1, .down = 1};
    bool ok = start(&clock, r, p, &s, side->class, diag);

    profile_join_records(p, &p->series.items[to], &s);
    j.stacks = xcalloc(p->stacks.count, sizeof(*j.stacks));
    j.symbols = xreallocarray(NULL, symbols_count(&p->symbols), sizeof(*j.symbols));
    memset(j.symbols, 0xff, symbols_count(&p->symbols) * sizeof(*j.symbols));
    if (r->side_by_side)
        j.root = stacks_push(&p->stacks, STACK_ROOT,
                             symbols_add(&p->symbols, slice_str(side->name), side->class));
    if (ok && (!add_entries(&j, &s, clock, to) || !add_timed(&j, &s, clock, to)))
        ok = diag_error(diag, "the times do not fit in 64 bits");
    p->series.items[to].samples = samples;
    p->series.items[to].uncounted |= s.uncounted;
    if (ok && s.first_ns <= s.last_ns) {
        profile_add_time(p, to, s.first_ns);
        profile_add_time(p, to, s.last_ns);
    }
    vec_release(&j.path);
    free(j.symbols);
    free(j.stacks);
    return ok;
}

/* Reports which side the input lacks. Returns false. */
static bool tell_missing(const uint32_t from[SIDES], struct diag *diag)
{
    static const char how[] = "name two files, ON and OFF (with --merge=plain in a report), or one "
                              "that has both (perf record -a -g -e cpu-clock -e "
                              "sched:sched_switch)";

    if (from[ON] == SERIES_NONE && from[OFF] == SERIES_NONE)
        return diag_misuse(diag,
                           "option --kind: hotcold needs on-CPU time and off-CPU time, and the "
                           "input does not say that it has either: %s",
                           how);
    return diag_misuse(diag,
                       "option --kind: hotcold needs on-CPU time and off-CPU time, and the input "
                       "has no %s-CPU time: %s",
                       from[ON] == SERIES_NONE ? "on" : "off", how);
}

bool hotcold_join(const struct recipe *r, struct profile *p, struct diag *diag)
{
    const struct unit nanoseconds = {UNIT_SECONDS, NANO, {0}};
    uint32_t from[SIDES], to;

    for (int i = 0; i < SIDES; i++)
        from[i] = find_side(p, &sides[i]);
    if (from[ON] == SERIES_NONE || from[OFF] == SERIES_NONE)
        return tell_missing(from, diag);
    to = profile_series(p, SLICE("hot/cold"), nanoseconds);
    for (int i = 0; i < SIDES; i++)
        if (!add_side(r, p, from[i], to, &sides[i], diag))
            return false;
    timed_samples_sort(&p->series.items[to].timed);
    p->in_order = false; /* only times order the samples of both sides */
    return true;
}
