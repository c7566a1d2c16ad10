#include "cli/load.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/pool.h"
#include "base/suggest.h"
#include "cli/counters.h"
#include "cli/hotcold.h"
#include "cli/kind.h"
#include "cli/kind_needs.h"
#include "cli/merge.h"
#include "cli/shape.h"
#include "cli/times.h"
#include "input/formats/perf/perf_event.h"
#include "profile/pair.h"
#include "report/names.h"

struct input_options load_input_options(const struct options *o, bool annotate)
{
    struct input_options input = o->input;

    input.names = strcmp(o->names, "reference") == 0 ? NAMES_REFERENCE : NAMES_CLEAN;
    input.no_demangling = strcmp(o->demangle, "off") == 0;
    input.processes = o->processes.items;
    input.process_count = o->processes.count;
    input.threads = o->thread_names.items;
    input.thread_count = o->thread_names.count;
    input.states = o->states.items;
    input.state_count = o->states.count;
    input.chains = o->kind && strcmp(o->kind, "chain") == 0;
    input.wakeups = o->kind && strcmp(o->kind, "wakeup") == 0;
    input.split_process = strcmp(o->split, "process") == 0;
    input.split_thread = strcmp(o->split, "thread") == 0;
    input.split_cpu = strcmp(o->split, "cpu") == 0;
    input.kernel |= annotate || o->annotate_all;
    input.jit |= annotate || o->annotate_all;
    input.inlined |= annotate;
    input.moments = times_are_wanted(o);
    return input;
}

unsigned load_threads(const struct options *o)
{
    return o->threads ? o->threads : pool_default_threads();
}

/* How one of the inputs is read. */
struct loading {
    const struct options *options;
    struct input_options input;
    struct names names; /* of the inputs, for root frames */
    bool alone;         /* there is one input, and nothing is added to it */
    struct console *console;
};

/* Adds what was read of the input number `index` to the others. */
static bool add_part(const struct loading *l, size_t index, struct profile *p, struct profile *part,
                     struct diag *diag)
{
    if (hotcold_is_wanted(l->options))
        return hotcold_take(p, part, index, diag);
    return merge_add(l->options, p, part, l->names.stems.items[index], diag);
}

static bool load_one(const struct loading *l, size_t index, const char *path, struct profile *p)
{
    unsigned threads = load_threads(l->options);
    struct profile part;
    struct diag diag;
    bool ok;

    diag_init(&diag, strcmp(path, "-") == 0 ? SLICE("<stdin>") : slice_str(path));
    if (l->alone) {
        ok = input_read(path, &l->input, threads, p, &diag) == INPUT_READ;
    } else {
        profile_init(&part);
        ok = input_read(path, &l->input, threads, &part, &diag) == INPUT_READ &&
             add_part(l, index, p, &part, &diag);
        profile_release(&part);
    }
    if (!ok && !diag.counts[DIAG_ERROR])
        diag_raise_note(&diag);
    console_show(l->console, &diag);
    diag_release(&diag);
    return ok;
}

/* The bytes of the directory that all paths are in. */
static size_t common_directory(const char *const *paths, size_t count)
{
    size_t common = 0;

    for (size_t at = 0; paths[0][at]; at++) {
        for (size_t i = 1; i < count; i++)
            if (paths[i][at] != paths[0][at])
                return common;
        if (paths[0][at] == '/')
            common = at + 1;
    }
    return common;
}

/* What the inputs are called, each once. */
static void name_inputs(struct names *names, const char *const *paths, size_t count)
{
    struct slice *shown = xreallocarray(NULL, count, sizeof(*shown));
    size_t directory = common_directory(paths, count);

    for (size_t i = 0; i < count; i++)
        shown[i] = strcmp(paths[i], "-") == 0 ? SLICE("stdin") : slice_str(paths[i] + directory);
    names_init(names, shown, count);
    free(shown);
}

/* Shows what was told, and whether it was that the command is wrong. */
static bool settle(struct console *console, struct diag *diag, bool ok, struct outcome *outcome)
{
    outcome->usage |= !ok;
    console_show(console, diag);
    diag_release(diag);
    return ok;
}

bool load_profiles(const struct options *o, bool annotate, struct console *console,
                   struct profile *p, struct outcome *outcome)
{
    static const char *const standard_input[] = {"-"};
    const char *const *paths = o->paths.count ? o->paths.items : standard_input;
    size_t count = o->paths.count ? o->paths.count : 1;
    struct loading loading = {
        .options = o,
        .input = load_input_options(o, annotate),
        .alone = count == 1 && !merge_has_roots(o),
        .console = console,
    };
    struct diag diag;
    size_t read = 0;

    diag_init(&diag, SLICE("flamepress"));
    if (!settle(console, &diag, hotcold_check(o, &diag), outcome))
        return false;
    if (!o->paths.count && isatty(STDIN_FILENO)) {
        console_error(console, "no file is named and standard input is a terminal (see --help)");
        outcome->usage = true;
        return false;
    }
    name_inputs(&loading.names, paths, count);
    for (size_t i = 0; i < count; i++) {
        if (load_one(&loading, i, paths[i], p))
            read++;
        else
            outcome->failed++;
    }
    names_release(&loading.names);
    if (read && p->ledger.left_out)
        console_say(console, "%llu %s left out by --process, --thread or --state",
                    (unsigned long long)p->ledger.left_out,
                    p->ledger.left_out == 1 ? "sample is" : "samples are");
    return read > 0;
}

static bool is_event(const struct profile *p, struct slice event)
{
    vec_each (struct series, s, &p->series)
        if (slice_equal(s->event, event))
            return true;
    return false;
}

/* Whether `event` means the series: it is its event's name or its own, or all but the modifiers. */
static bool is_meant(const struct profile *p, const struct series *s, struct slice event)
{
    if (slice_equal(event, s->event) || slice_equal(event, s->name))
        return true;
    return slice_equal(event, perf_event_base(s->event)) && !is_event(p, event);
}

bool load_wants(const struct options *o, const struct profile *p, const struct series *s)
{
    if (!o->events.count)
        return true;
    vec_each (const char *, event, &o->events)
        if (strcmp(*event, "all") == 0 || is_meant(p, s, slice_str(*event)))
            return true;
    return false;
}

/* Changes of weights near 2^64 have no place in 64 bits. */
static void coarsen(struct profile *p, uint32_t series, struct diag *diag)
{
    pair_coarsen(p, series);
    profile_add_fact(p, SLICE("estimated"),
                     SLICE("the weights before and after together do not fit in 63 bits and are "
                           "rounded to tens"));
    diag_add(diag, DIAG_WARNING, DIAG_AT_FILE,
             "the weights before and after together do not fit in 63 bits; they are counted in "
             "tens");
}

bool load_pair(const struct options *o, struct profile *p, uint32_t series, struct diag *diag)
{
    if (pair_kind(p, series) != PAIR_CHANGE && !counters_check(o, diag))
        return false;
    if (!pair_fits(p, series))
        coarsen(p, series, diag);
    if (o->normalize && !pair_normalize(p, series))
        return diag_error(diag, "option --normalize: the base has no weight to scale");
    if (o->negate && pair_kind(p, series) == PAIR_CHANGE)
        pair_swap(p, series);
    return true;
}

bool load_pairs(const struct options *o, struct profile *p, struct diag *diag)
{
    if (kind_joins_counters(o) && counters_join(o, p) == SERIES_NONE)
        return counters_tell_missing(p, diag);
    for (uint32_t id = 0; id < p->series.count; id++) {
        struct series *s = &p->series.items[id];
        struct series *base = s->base == SERIES_NONE ? NULL : &p->series.items[s->base];

        if (!base)
            continue;
        if (s->pair == PAIR_CHANGE && load_wants(o, p, s) != load_wants(o, p, base)) {
            s->base = SERIES_NONE;
            base->before = false;
        } else if (!load_pair(o, p, id, diag)) {
            return false;
        }
    }
    return true;
}

/* Folded stacks do not say what was counted. */
static struct slice shown_name(const struct series *s)
{
    return s->name.len ? s->name : SLICE("stacks without an event");
}

/* A series that holds nothing, neither before nor now, is no graph. */
static bool is_graph(const struct series *s)
{
    return !s->before && (s->count || s->base != SERIES_NONE);
}

/* The first series from `id` on that is a graph of its own. */
static uint32_t next_graph(const struct profile *p, uint32_t id)
{
    while (id < p->series.count && !is_graph(&p->series.items[id]))
        id++;
    return id;
}

/* Whether it is a graph of two counters, which is made only where it is asked for. */
static bool is_of_counters(const struct profile *p, uint32_t id)
{
    return is_graph(&p->series.items[id]) && pair_kind(p, id) != PAIR_CHANGE;
}

/* The first graph: that of two counters, or of the kind that --kind selects, where it does. */
static uint32_t first_graph(const struct options *o, const struct profile *p)
{
    uint32_t id = next_graph(p, 0);

    for (uint32_t pair = id; pair < p->series.count; pair++)
        if (is_of_counters(p, pair))
            return pair;
    if (!kind_selects(o, p))
        return id;
    while (kind_recognise(p, id) != kind_find(slice_str(o->kind)))
        id = next_graph(p, id + 1);
    return id;
}

/* The names of all graphs but one. */
static void list_series(const struct profile *p, uint32_t but, struct buf *out)
{
    enum { SHOWN = 20 };
    uint32_t count = 0;

    for (uint32_t i = next_graph(p, 0); i < p->series.count; i = next_graph(p, i + 1)) {
        if (i == but || count++ >= SHOWN)
            continue;
        buf_add_str(out, out->len ? ", " : "");
        buf_add_slice(out, shown_name(&p->series.items[i]));
    }
    if (count > SHOWN)
        buf_printf(out, " and %u more", count - SHOWN);
}

/* Whether `event` means any of the series. */
static bool is_known(const struct profile *p, const char *event)
{
    vec_each (struct series, s, &p->series)
        if (strcmp(event, "all") == 0 || is_meant(p, s, slice_str(event)))
            return true;
    return false;
}

static bool known_events(const struct options *o, const struct profile *p, struct diag *diag)
{
    bool ok = true;

    vec_each (const char *, event, &o->events) {
        struct suggest near;
        struct buf names;

        if (is_known(p, *event))
            continue;
        buf_init(&names);
        list_series(p, SERIES_NONE, &names);
        suggest_init(&near, *event);
        vec_each (struct series, s, &p->series)
            suggest_offer_list(&near, arena_strdup(&diag->memory, s->name));
        suggest_write(&near, "", &names);
        diag_add(diag, DIAG_ERROR, DIAG_AT_FILE, "no event '%s' in the input, which has: %s",
                 *event, names.ptr);
        buf_release(&names);
        ok = false;
    }
    return ok;
}

static bool same_unit(const struct unit *a, const struct unit *b)
{
    return a->kind == b->kind && a->exponent == b->exponent && slice_equal(a->noun, b->noun);
}

/* Adds one series to another; false where a sum does not fit. */
static bool add_series(struct profile *p, uint32_t to, uint32_t from)
{
    const struct series *s = &p->series.items[from];
    uint64_t samples = p->series.items[to].samples + s->samples;
    bool keep = p->keep_moments, ok = true;

    p->keep_moments = false; /* the entries are sums of them */
    for (uint32_t i = 0; ok && i < s->count; i++)
        ok = profile_add(p, to, s->stack[i], s->weight[i]);
    p->keep_moments = keep;
    if (!ok)
        return false;
    moments_join(&p->series.items[to].moments, &s->moments, NULL, 1);
    moments_sort(&p->series.items[to].moments);
    p->series.items[to].samples = samples;
    if (s->first_ns <= s->last_ns) {
        profile_add_time(p, to, s->first_ns);
        profile_add_time(p, to, s->last_ns);
    }
    return true;
}

/*
 * The wanted series, or where there are several, a new one that is their sum and has all their
 * names. They must measure the same.
 */
static uint32_t sum_series(const struct options *o, struct profile *p, struct diag *diag)
{
    uint32_t first = SERIES_NONE, sum = SERIES_NONE, count = (uint32_t)p->series.count;
    struct buf names;

    buf_init(&names);
    for (uint32_t id = 0; id < count; id++) {
        const struct series *s = &p->series.items[id];

        if (s->before || !load_wants(o, p, s))
            continue;
        if (first == SERIES_NONE)
            first = id;
        else if (s->base != SERIES_NONE || p->series.items[first].base != SERIES_NONE ||
                 !same_unit(&p->series.items[first].unit, &s->unit)) {
            diag_error(diag,
                       "%.*s and %.*s have different units and cannot be added up; "
                       "name one (--event)",
                       SLICE_ARG(p->series.items[first].name), SLICE_ARG(s->name));
            goto release;
        }
        buf_printf(&names, "%s%.*s", names.len ? " + " : "", SLICE_ARG(s->name));
    }
    if (first == SERIES_NONE || slice_equal(buf_slice(&names), p->series.items[first].name)) {
        sum = first;
        goto release;
    }
    sum = profile_series(p, buf_slice(&names), p->series.items[first].unit);
    for (uint32_t id = 0; id < count && sum != SERIES_NONE; id++) {
        if (load_wants(o, p, &p->series.items[id]) && !add_series(p, sum, id)) {
            diag_error(diag, "the sum of the events does not fit in 64 bits");
            sum = SERIES_NONE;
        }
    }

release:
    buf_release(&names);
    return sum;
}

/* Says which series is taken where nobody asked for one. */
static void tell_others(struct console *console, const struct profile *p, uint32_t taken)
{
    struct buf others;

    buf_init(&others);
    list_series(p, taken, &others);
    if (others.len)
        console_say(console, "taking %.*s; the input also has: %s (--event NAME, or all)",
                    SLICE_ARG(shown_name(&p->series.items[taken])), others.ptr);
    buf_release(&others);
}

bool load_units(const struct options *o, struct console *console, struct profile *p,
                struct outcome *outcome)
{
    struct diag diag;

    diag_init(&diag, SLICE("flamepress"));
    return settle(console, &diag, kind_apply(o, p, &diag), outcome);
}

bool load_as_counted(const struct options *o, struct console *console, struct profile *p,
                     struct outcome *outcome)
{
    struct diag diag;

    if (hotcold_is_wanted(o))
        return load_units(o, console, p, outcome);
    diag_init(&diag, SLICE("flamepress"));
    return settle(console, &diag, kind_check_input(o, p, &diag), outcome);
}

bool load_is_text(const struct options *o, struct console *console, struct outcome *outcome)
{
    struct diag diag;

    diag_init(&diag, SLICE("flamepress"));
    return settle(console, &diag, kind_needs_no_picture(o, &diag), outcome);
}

uint32_t load_choose(const struct options *o, struct console *console, struct profile *p,
                     struct outcome *outcome)
{
    uint32_t series = SERIES_NONE;
    struct diag diag;

    diag_init(&diag, SLICE("flamepress"));
    if (!load_pairs(o, p, &diag)) {
        settle(console, &diag, false, outcome); /* other options would do */
        return SERIES_NONE;
    }
    if (!o->events.count && p->series.count) {
        series = first_graph(o, p);
        BUG_ON(series == p->series.count);
        tell_others(console, p, series);
    } else if (known_events(o, p, &diag)) {
        series = sum_series(o, p, &diag);
    }
    settle(console, &diag, series != SERIES_NONE, outcome);
    return series;
}

uint32_t load_series(const struct options *o, struct console *console, struct profile *p,
                     struct outcome *outcome)
{
    uint32_t series = load_choose(o, console, p, outcome);

    if (series != SERIES_NONE && !shape_series(o, console, p, series, outcome))
        return SERIES_NONE;
    return series;
}

struct unit_scale load_scale(const struct options *o, const struct profile *p, uint32_t series)
{
    struct unit_scale scale = {p->series.items[series].unit, p->decimals, o->factor};

    if (o->count_name)
        scale.unit = (struct unit){UNIT_COUNT, 0, slice_str(o->count_name)};
    return scale;
}
