#include "input/formats/go/pprof_columns.h"

void pprof_columns_init(struct pprof_columns *c)
{
    *c = (struct pprof_columns){0};
    arena_init(&c->names);
    intern_init(&c->taken);
}

void pprof_columns_release(struct pprof_columns *c)
{
    vec_release(&c->items);
    vec_release(&c->symbols);
    vec_release(&c->values);
    arena_release(&c->names);
    intern_release(&c->taken);
}

static bool is_taken(const struct pprof_columns *c, struct slice name)
{
    return intern_find(&c->taken, name) != MAP_NONE;
}

/* "space", where that is taken "space/bytes", where that is taken too "space/bytes 3". */
static struct slice own_name(struct pprof_columns *c, struct slice name, struct slice unit)
{
    if (is_taken(c, name) || (!name.len && c->items.count))
        name = slice_str(arena_printf(&c->names, "%.*s/%.*s", SLICE_ARG(name), SLICE_ARG(unit)));
    if (is_taken(c, name))
        name = slice_str(arena_printf(&c->names, "%.*s %zu", SLICE_ARG(name), c->items.count + 1));
    return intern_get(&c->taken, intern_add(&c->taken, name));
}

/* What is counted, where the type's name says it: "310 objects" and not "310 samples". */
static struct unit unit_of(struct slice name, struct slice unit)
{
    static const struct {
        struct slice ending, noun;
    } counted[] = {
        {{"objects", 7}, {"objects", 7}},       {{"contentions", 11}, {"contentions", 11}},
        {{"goroutine", 9}, {"goroutines", 10}}, {{"goroutines", 10}, {"goroutines", 10}},
        {{"thread", 6}, {"threads", 7}},        {{"threadcreate", 12}, {"threads", 7}},
    };

    if (slice_equal(unit, SLICE("count")))
        for (size_t i = 0; i < sizeof(counted) / sizeof(counted[0]); i++)
            if (slice_ends(name, counted[i].ending))
                return (struct unit){.kind = UNIT_COUNT, .noun = counted[i].noun};
    return unit_named(unit);
}

void pprof_columns_add(struct pprof_columns *c, struct slice name, struct slice unit, bool first)
{
    struct pprof_column column = {.name = own_name(c, name, unit)};

    column.unit = unit_of(name, arena_copy(&c->names, unit));
    *vec_add(&c->items) = column;
    if (first || !c->chosen)
        c->first = c->items.count - 1;
    c->chosen |= first;
}

void pprof_columns_prefer(struct pprof_columns *c, struct slice name)
{
    for (size_t i = 0; i < c->items.count; i++)
        if (slice_equal(c->items.items[i].name, name)) {
            c->first = i;
            c->chosen = true;
        }
}

/* The column that comes i-th: the default, then the others as they stand. */
static size_t in_order(const struct pprof_columns *c, size_t i)
{
    if (i == 0)
        return c->first;
    return i <= c->first ? i - 1 : i;
}

void pprof_columns_open(struct pprof_columns *c, struct builder *b)
{
    bool split = b->options->split_process || b->options->split_thread;

    for (size_t i = 0; i < c->items.count; i++) {
        struct pprof_column *column = &c->items.items[in_order(c, i)];

        column->series = SERIES_NONE;
        if (!split)
            column->series =
                builder_series(b, &(struct origin){.event = column->name}, column->unit);
    }
}

static uint32_t series_of(const struct pprof_column *column, struct builder *b,
                          const struct origin *origin)
{
    struct origin own = {0};

    if (!origin && column->series != SERIES_NONE)
        return column->series;
    if (origin)
        own = *origin;
    own.event = column->name;
    return builder_series(b, &own, column->unit);
}

static bool add_value(const struct pprof_columns *c, struct builder *b, const struct pprof_value *v)
{
    uint32_t stack = c->paths[v->path].stack;

    if (!builder_add_signed_at(b, v->series, stack, v->value))
        return false;
    if (v->samples > 1) {
        builder_count(b, v->series, v->samples - 1);
        if (stack == STACK_ROOT && v->series != BUILDER_LEFT_OUT)
            b->profile->ledger.without_frames += v->samples - 1;
    }
    return true;
}

bool pprof_columns_settle(struct pprof_columns *c, struct builder *b)
{
    size_t at = 0;

    for (uint32_t i = 0; i < c->waiting; i++) {
        c->paths[i].symbols = at ? c->symbols.items + at : c->symbols.items;
        at += c->paths[i].count;
    }
    if (c->waiting && !builder_stacks(b, c->paths, c->waiting))
        return false;
    vec_each (struct pprof_value, v, &c->values)
        if (!add_value(c, b, v))
            return false;
    for (uint32_t i = 0; i < c->waiting; i++)
        if (c->notes[i].place)
            *c->notes[i].place = (struct pprof_known){c->notes[i].text, c->paths[i].stack};
    c->waiting = 0;
    vec_clear(&c->symbols);
    vec_clear(&c->values);
    return true;
}

/* The value `times` times, in one where that fits. */
static void wait_for_stack(struct pprof_columns *c, uint32_t series, int64_t value, uint64_t times)
{
    struct pprof_value v = {c->waiting, series, value, 1};

    if (!__builtin_mul_overflow(value, times, &v.value)) {
        v.samples = times;
        *vec_add(&c->values) = v;
        return;
    }
    for (v.value = value; times > 0; times--)
        *vec_add(&c->values) = v;
}

/* The values of samples, and the stack that they wait for. */
static bool add_path(struct pprof_columns *c, struct builder *b, const struct origin *origin,
                     const int64_t *values, uint64_t times, struct stack_path path)
{
    if (c->waiting == STACK_PATHS_MOST && !pprof_columns_settle(c, b))
        return false;
    for (size_t i = 0; i < c->items.count; i++) {
        size_t at = in_order(c, i);

        if (values[at])
            wait_for_stack(c, series_of(&c->items.items[at], b, origin), values[at], times);
    }
    vec_reserve(&c->symbols, c->symbols.count + path.count);
    if (path.count)
        memcpy(c->symbols.items + c->symbols.count, path.symbols,
               path.count * sizeof(*path.symbols));
    c->symbols.count += path.count;
    c->notes[c->waiting].place = NULL;
    c->paths[c->waiting++] = path;
    return true;
}

bool pprof_columns_sample(struct pprof_columns *c, struct builder *b, const struct origin *origin,
                          const int64_t *values, uint64_t times)
{
    uint64_t truncated = b->profile->ledger.truncated;
    struct stack_path path = builder_path(b);

    b->profile->ledger.truncated += (b->profile->ledger.truncated - truncated) * (times - 1);
    return add_path(c, b, origin, values, times, path);
}

bool pprof_columns_sample_at(struct pprof_columns *c, struct builder *b,
                             const struct origin *origin, const int64_t *values, uint32_t stack)
{
    return add_path(c, b, origin, values, 1, (struct stack_path){.stack = stack});
}

void pprof_columns_note(struct pprof_columns *c, struct pprof_known *place, struct slice text)
{
    c->notes[c->waiting - 1] = (struct pprof_note){place, text};
}
