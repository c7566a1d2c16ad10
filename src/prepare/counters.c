#include "prepare/counters.h"

#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"
#include "base/intern.h"
#include "base/name_list.h"
#include "base/num.h"
#include "prepare/units.h"

/* The event name of graphs that counters_add_graphs() adds. */
static const struct slice added_event = {"CPI", 3};

/* Returns true if a name contains `part`, which is in lower case; ignores case. */
static bool holds(struct slice name, const char *part)
{
    size_t len = strlen(part);

    for (size_t at = 0; at + len <= name.len; at++) {
        size_t i = 0;

        while (i < len && ascii_lower(name.ptr[at + i]) == part[i])
            i++;
        if (i == len)
            return true;
    }
    return false;
}

enum counter counters_role(struct slice name)
{
    /* The first match decides: names of stalled cycles also contain "cycles". */
    static const struct {
        const char *part;
        enum counter counter;
    } parts[] = {
        {"stall", COUNTER_STALLS},          {"instr", COUNTER_INSTRUCTIONS},
        {"insn", COUNTER_INSTRUCTIONS},     {"inst_ret", COUNTER_INSTRUCTIONS},
        {"inst-ret", COUNTER_INSTRUCTIONS}, {"inst_spec", COUNTER_INSTRUCTIONS},
        {"cycles", COUNTER_CYCLES},         {"clk_unhalted", COUNTER_CYCLES},
        {"not_halted_cyc", COUNTER_CYCLES}, {"cpu-cycle", COUNTER_CYCLES},
        {"cpu_cycle", COUNTER_CYCLES},      {"unhalted", COUNTER_CYCLES},
    };

    if (slice_equal(name, SLICE("Ir")))
        return COUNTER_INSTRUCTIONS;
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
        if (holds(name, parts[i].part))
            return parts[i].counter;
    return COUNTER_OTHER;
}

enum pair_kind counters_kind(enum counter cycles, enum counter other)
{
    if (cycles != COUNTER_CYCLES)
        return PAIR_CHANGE;
    return other == COUNTER_INSTRUCTIONS ? PAIR_INSTRUCTIONS
           : other == COUNTER_STALLS     ? PAIR_STALLS
                                         : PAIR_CHANGE;
}

/*
 * Finds the fixed period of an event. Returns false if the input does not state one. The command
 * counts only if no event is described: its "-c 9" may be an option of the recorded program.
 */
static bool find_period(const struct profile *p, struct slice event, uint64_t *period)
{
    struct slice value;
    struct buf key = {0};

    buf_printf(&key, "period of %.*s", SLICE_ARG(event));
    value = profile_fact(p, buf_slice(&key));
    buf_release(&key);
    if (!value.len && !profile_fact(p, SLICE("event")).len)
        value = profile_fact(p, SLICE("period"));
    return num_parse_u64(value, period);
}

/*
 * Names the unit of one side of a pair if the input has only numbers of samples. If the period of
 * the samples is fixed, converts them to counts.
 */
static void name_unit(struct profile *p, uint32_t series, struct slice event, enum counter counter)
{
    static const char *const words[] = {
        [COUNTER_CYCLES] = "cycles",
        [COUNTER_INSTRUCTIONS] = "instructions",
        [COUNTER_STALLS] = "stalled cycles",
    };

    struct series *s = &p->series.items[series];
    uint64_t period;

    if (!unit_is_samples(&s->unit))
        return;
    s->of_samples =
        event.len > 0 && !(find_period(p, event, &period) && units_multiply(p, series, period));
    s->unit.noun = s->of_samples
                       ? slice_str(arena_printf(&p->strings, "%.*s samples", SLICE_ARG(event)))
                       : slice_str(words[counter]);
}

void counters_name_units(struct profile *p, uint32_t series)
{
    const struct series *s = &p->series.items[series], *base = &p->series.items[s->base];

    name_unit(p, series, s->event, COUNTER_CYCLES);
    name_unit(p, s->base, base->event,
              s->pair == PAIR_STALLS ? COUNTER_STALLS : COUNTER_INSTRUCTIONS);
}

/* Returns the first series that the recipe wants and that counts `counter`, or SERIES_NONE. */
static uint32_t find(const struct recipe *r, const struct profile *p, enum counter counter)
{
    for (uint32_t id = 0; id < p->series.count; id++) {
        const struct series *s = &p->series.items[id];

        if (s->count && !s->before && s->base == SERIES_NONE && recipe_wants(r, p, s) &&
            counters_role(s->event) == counter)
            return id;
    }
    return SERIES_NONE;
}

uint32_t counters_join(const struct recipe *r, struct profile *p)
{
    uint32_t cycles = find(r, p, COUNTER_CYCLES);
    uint32_t other = find(r, p, COUNTER_INSTRUCTIONS);

    if (other == SERIES_NONE)
        other = find(r, p, COUNTER_STALLS);
    if (cycles == SERIES_NONE || other == SERIES_NONE)
        return SERIES_NONE;
    p->series.items[cycles].base = other;
    p->series.items[cycles].pair =
        (uint8_t)counters_kind(COUNTER_CYCLES, counters_role(p->series.items[other].event));
    p->series.items[other].before = true;
    counters_name_units(p, cycles);
    return cycles;
}

/* Returns the part of a name that --split adds: ", app (7)" of "cycles, app (7)". */
static struct slice part_of(const struct series *s)
{
    return slice_skip(s->name, slice_starts(s->name, s->event) ? s->event.len : 0);
}

/* The first series of each counter for each part of the names. */
struct counter_table {
    struct intern parts;
    uint32_t *part;                        /* by series */
    uint32_t (*first)[COUNTER_STALLS + 1]; /* by part; SERIES_NONE: no series counts this */
};

static void counter_table_init(struct counter_table *t, const struct profile *p)
{
    size_t count = p->series.count;

    *t = (struct counter_table){.part = xcalloc(count, sizeof(*t->part)),
                                .first = xcalloc(count, sizeof(*t->first))};
    memset(t->first, 0xff, count * sizeof(*t->first));
    for (uint32_t id = 0; id < count; id++) {
        const struct series *s = &p->series.items[id];
        enum counter counter = counters_role(s->event);

        t->part[id] = intern_add(&t->parts, part_of(s));
        if (s->count && !s->before && s->base == SERIES_NONE &&
            t->first[t->part[id]][counter] == SERIES_NONE)
            t->first[t->part[id]][counter] = id;
    }
}

static void counter_table_release(struct counter_table *t)
{
    intern_release(&t->parts);
    free(t->part);
    free(t->first);
}

bool counters_is_added(const struct series *s)
{
    return slice_equal(s->event, added_event);
}

/* Copies a series under another name. Returns false if the total does not fit. */
static bool copy_series(struct profile *p, uint32_t from, struct slice name, uint32_t *to)
{
    uint64_t samples = p->series.items[from].samples;
    struct series *s;

    *to = profile_series_of(p, name, added_event, p->series.items[from].unit);
    for (uint32_t i = 0; i < p->series.items[from].count; i++) {
        const struct series *source = &p->series.items[from];

        if (!profile_add(p, *to, source->stack[i], source->weight[i]))
            return false;
    }
    s = &p->series.items[*to];
    s->samples = samples;
    s->uncounted = p->series.items[from].uncounted;
    s->records = p->series.items[from].records;
    s->unitless = p->series.items[from].unitless;
    s->without_frames = p->series.items[from].without_frames;
    s->truncated = p->series.items[from].truncated;
    s->first_ns = p->series.items[from].first_ns;
    s->last_ns = p->series.items[from].last_ns;
    return true;
}

/* Adds the series "CPI" of cycles and another counter. */
static bool add_graph(struct profile *p, uint32_t cycles, uint32_t other)
{
    struct slice part = part_of(&p->series.items[cycles]);
    enum counter role = counters_role(p->series.items[other].event);
    uint32_t id, base;

    if (!copy_series(p, cycles, slice_str(arena_printf(&p->strings, "CPI%.*s", SLICE_ARG(part))),
                     &id) ||
        !copy_series(p, other,
                     slice_str(arena_printf(&p->strings, "CPI%.*s, its %s", SLICE_ARG(part),
                                            role == COUNTER_STALLS ? "stalls" : "instructions")),
                     &base))
        return false;
    p->series.items[base].before = true;
    p->series.items[id].base = base;
    p->series.items[id].pair = (uint8_t)counters_kind(COUNTER_CYCLES, role);
    name_unit(p, id, p->series.items[cycles].event, COUNTER_CYCLES);
    name_unit(p, base, p->series.items[other].event, role);
    return true;
}

bool counters_add_graphs(struct profile *p, struct diag *diag)
{
    uint32_t count = (uint32_t)p->series.count;
    struct counter_table table;
    bool ok = true;

    counter_table_init(&table, p);
    for (uint32_t id = 0; ok && id < count; id++) {
        const uint32_t *first = table.first[table.part[id]];
        uint32_t other = first[COUNTER_INSTRUCTIONS];

        if (first[COUNTER_CYCLES] != id)
            continue;
        if (other == SERIES_NONE)
            other = first[COUNTER_STALLS];
        ok = other == SERIES_NONE || add_graph(p, id, other) ||
             diag_error(diag, "the counters do not fit in 64 bits");
    }
    counter_table_release(&table);
    return ok;
}

bool counters_tell_missing(const struct profile *p, struct diag *diag)
{
    enum { SHOWN = 20 };
    struct buf text = {0};
    struct name_list names = {.out = &text, .most = SHOWN};

    vec_each (struct series, s, &p->series)
        if (s->name.len)
            name_list_add(&names, s->name);
    name_list_end(&names);
    diag_misuse(diag,
                "a graph of two counters needs cycles, and instructions or stalled cycles; the "
                "input %s%s",
                names.count ? "has " : "does not say what it counts", buf_string(&text));
    buf_release(&text);
    return false;
}
