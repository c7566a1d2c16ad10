/*
 * Two inputs made one differential profile.
 *
 * Of each the graph is taken that --event asks for. Where nothing is asked for
 * it is the first one of the new input, and the one of that name of the base.
 */
#include <string.h>

#include "base/pool.h"
#include "cli/counters.h"
#include "cli/load.h"
#include "cli/shape.h"
#include "input/read.h"
#include "profile/pair.h"

enum { BASE, NEW, INPUTS };

/* The two inputs while they are read. */
struct reading {
    const char *path[INPUTS];
    struct input_options input;
    unsigned threads; /* for each */
    struct profile *profile[INPUTS];
    struct diag diag[INPUTS];
    bool ok[INPUTS];
};

static void read_one(void *context, size_t index, unsigned worker)
{
    struct reading *r = context;

    (void)worker;
    r->ok[index] = input_read(r->path[index], &r->input, r->threads, r->profile[index],
                              &r->diag[index]) == INPUT_READ;
    if (!r->ok[index] && !r->diag[index].counts[DIAG_ERROR])
        diag_raise_note(&r->diag[index]);
}

static bool read_both(const struct options *o, struct console *console, struct profile *base,
                      struct profile *new, struct outcome *outcome)
{
    struct reading r = {
        .path = {o->paths.items[0], o->paths.items[1]},
        .input = load_input_options(o, true),
        .threads = load_threads(o) > INPUTS ? load_threads(o) / INPUTS : 1,
        .profile = {base, new},
    };

    for (int i = 0; i < INPUTS; i++)
        diag_init(&r.diag[i],
                  strcmp(r.path[i], "-") == 0 ? SLICE("<stdin>") : slice_str(r.path[i]));
    pool_run(load_threads(o), INPUTS, read_one, &r);
    for (int i = 0; i < INPUTS; i++) {
        outcome->failed += !r.ok[i];
        console_show(console, &r.diag[i]);
        diag_release(&r.diag[i]);
    }
    return r.ok[BASE] && r.ok[NEW];
}

/* The only graph of a profile, or SERIES_NONE where it has several. */
static uint32_t only_graph(const struct profile *p)
{
    uint32_t found = SERIES_NONE;

    for (uint32_t id = 0; id < p->series.count; id++) {
        if (!p->series.items[id].count || p->series.items[id].before)
            continue;
        if (found != SERIES_NONE)
            return SERIES_NONE;
        found = id;
    }
    return found;
}

/* The series of the base to compare with; SERIES_NONE, told, where there is none. */
static uint32_t find_base(const struct options *o, struct console *console, struct profile *base,
                          const struct series *after, struct outcome *outcome)
{
    uint32_t id;

    if (o->events.count)
        return load_choose(o, console, base, outcome);
    id = profile_find_series(base, after->name);
    if (id == SERIES_NONE)
        id = only_graph(base);
    if (id == SERIES_NONE)
        console_error(console, "%s has several events and none called %.*s; name one (--event)",
                      o->paths.items[BASE], SLICE_ARG(after->name));
    return id;
}

static bool same_unit(const struct unit *a, const struct unit *b)
{
    return a->kind == b->kind && a->exponent == b->exponent && slice_equal(a->noun, b->noun);
}

/* What an input counts, by its event or, where it names none, by the name of the file. */
static enum counter role_of(const struct options *o, int input, const struct series *s)
{
    struct slice path = slice_str(o->paths.items[input]);
    size_t slash = slice_find_last(path, '/');

    if (s->event.len)
        return counters_role(s->event);
    return counters_role(slash < path.len ? slice_skip(path, slash + 1) : path);
}

/* Joins what was read; false, told, where it cannot be compared. */
static bool join(const struct options *o, struct profile *base, uint32_t base_series,
                 struct profile *new, uint32_t series, struct diag *diag)
{
    const struct series *before = &base->series.items[base_series];
    const struct series *after = &new->series.items[series];
    enum counter first = role_of(o, BASE, before), second = role_of(o, NEW, after);
    bool swapped = counters_kind(first, second) != PAIR_CHANGE;
    enum pair_kind kind = swapped ? counters_kind(first, second) : counters_kind(second, first);

    if (before->base != SERIES_NONE || after->base != SERIES_NONE)
        return diag_error(diag, "an input has two columns, before and after, already; diff it "
                                "alone, or take one of them (--event base, --event new)");
    if (kind == PAIR_CHANGE && !o->count_name && !same_unit(&before->unit, &after->unit))
        return diag_error(diag,
                          "%s has %.*s and %s has %.*s, which cannot be compared (--countname "
                          "says what both count)",
                          o->paths.items[BASE], SLICE_ARG(unit_word(&before->unit)),
                          o->paths.items[NEW], SLICE_ARG(unit_word(&after->unit)));
    if ((uint64_t)base->stacks.count + new->stacks.count > STACKS_MOST)
        return diag_error(diag, "the two inputs together have too many distinct stacks");
    if (!pair_add_base(new, series, base, base_series))
        return diag_error(diag, "the weights of both inputs do not fit in 64 bits");
    if (swapped)
        pair_swap(new, series);
    new->series.items[series].pair = (uint8_t)kind;
    if (kind != PAIR_CHANGE)
        counters_name_units(new, series);
    return load_pair(o, new, series, diag);
}

bool load_two(const struct options *o, struct console *console, struct profile *p, uint32_t *series,
              struct outcome *outcome)
{
    struct profile base;
    struct diag diag;
    uint32_t before;
    bool ok = false;

    profile_init(&base);
    if (!read_both(o, console, &base, p, outcome))
        goto release;
    *series = load_choose(o, console, p, outcome);
    if (*series == SERIES_NONE)
        goto release;
    before = find_base(o, console, &base, &p->series.items[*series], outcome);
    if (before == SERIES_NONE) {
        outcome->usage = true;
        goto release;
    }
    diag_init(&diag, SLICE("flamepress"));
    ok = join(o, &base, before, p, *series, &diag);
    outcome->usage |= !ok;
    console_show(console, &diag);
    diag_release(&diag);
    ok = ok && shape_series(o, console, p, *series, outcome);

release:
    profile_release(&base);
    return ok;
}
