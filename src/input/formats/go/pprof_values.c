#include "input/formats/go/pprof.h"

#include <time.h>

#include "base/num.h"
#include "base/utf8.h"

void pprof_columns_release(struct pprof_columns *c)
{
    release_each(c, (vec, items, symbols, values), (arena, names), (intern, taken));
}

static bool is_taken(const struct pprof_columns *c, struct slice name)
{
    return intern_find(&c->taken, name) != MAP_NONE;
}

/* Returns a unique name: "space", or else "space/bytes", or else "space/bytes 3". */
static struct slice own_name(struct pprof_columns *c, struct slice name, struct slice unit)
{
    if (is_taken(c, name) || (!name.len && c->items.count))
        name = slice_str(arena_printf(&c->names, "%.*s/%.*s", SLICE_ARG(name), SLICE_ARG(unit)));
    if (is_taken(c, name))
        name = slice_str(arena_printf(&c->names, "%.*s %zu", SLICE_ARG(name), c->items.count + 1));
    return intern_get(&c->taken, intern_add(&c->taken, name));
}

struct unit pprof_value_unit(struct slice name, struct slice unit)
{
    static const struct {
        struct slice ending, noun;
    } counted[] = {
        {{"objects", 7}, {"objects", 7}},
        {{"contentions", 11}, {"contentions", 11}},
        {{"goroutine", 9}, {"goroutines", 10}},
        {{"goroutines", 10}, {"goroutines", 10}},
        {{"goroutineleak", 13}, {"goroutines", 10}},
        {{"thread", 6}, {"threads", 7}},
        {{"threadcreate", 12}, {"threads", 7}},
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

    column.unit = pprof_value_unit(name, arena_copy(&c->names, unit));
    *vec_add(&c->items) = column;
    if (unit_is_samples(&column.unit) &&
        (slice_equal(name, SLICE("samples")) || slice_equal(name, SLICE("sample"))))
        c->counts = c->items.count;
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

/* Returns the index of the i-th column: the default comes first, the others keep their order. */
static size_t in_order(const struct pprof_columns *c, size_t i)
{
    if (i == 0)
        return c->first;
    return i <= c->first ? i - 1 : i;
}

void pprof_columns_open(struct pprof_columns *c, struct builder *b)
{
    bool split =
        b->options->split_process || b->options->split_thread || origin_needs_tags(b->options);

    for (size_t i = 0; i < c->items.count; i++) {
        struct pprof_column *column = &c->items.items[in_order(c, i)];

        column->series = SERIES_NONE;
        if (split)
            continue;
        column->series = builder_series(b, &(struct origin){.event = column->name}, column->unit);
        b->profile->series.items[column->series].column = (uint32_t)in_order(c, i) + 1;
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

/* States how many samples are in the value that was added last. */
static void count_samples(struct builder *b, const struct pprof_value *v)
{
    struct profile *p = b->profile;
    uint32_t series = v->series;

    if (series != BUILDER_LEFT_OUT) {
        if (v->value < 0)
            series = p->series.items[series].base;
        p->series.items[series].uncounted |= !v->samples;
        p->counted |= v->samples > 0;
    }
    if (v->samples > 1)
        builder_count(b, series, v->samples - 1);
}

bool pprof_value_add(struct builder *b, uint32_t stack, const struct pprof_value *v)
{
    if (!builder_add_signed_at(b, v->series, stack, v->value))
        return false;
    count_samples(b, v);
    if (v->samples > 1 && stack == STACK_ROOT)
        builder_note_bare(b, v->series, v->samples - 1);
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
        if (!pprof_value_add(b, c->paths[v->path].stack, v))
            return false;
    for (uint32_t i = 0; i < c->waiting; i++)
        if (c->notes[i].place)
            *c->notes[i].place = (struct pprof_known){c->notes[i].text, c->paths[i].stack};
    c->waiting = 0;
    vec_clear(&c->symbols);
    vec_clear(&c->values);
    return true;
}

/* Returns how many samples value `at` of a record is; 0 if the profile does not say it. */
static uint64_t samples_in(const struct pprof_columns *c, size_t at, const int64_t *values)
{
    size_t column = unit_is_samples(&c->items.items[at].unit) ? at + 1 : c->counts;
    int64_t count = column ? values[column - 1] : 0;

    return count < 0 ? 0 - (uint64_t)count : (uint64_t)count;
}

/* Queues a value of `samples` samples `times` times: as one product, unless that overflows. */
static void wait_for_stack(struct pprof_columns *c, struct pprof_value v, uint64_t times)
{
    struct pprof_value all = v;

    if (!__builtin_mul_overflow(v.value, times, &all.value) &&
        num_mul(v.samples, times, &all.samples)) {
        *vec_add(&c->values) = all;
        return;
    }
    for (; times > 0; times--)
        *vec_add(&c->values) = v;
}

/* Queues the values of samples together with their stack. */
static bool add_path(struct pprof_columns *c, struct builder *b, const struct origin *origin,
                     const int64_t *values, uint64_t times, struct stack_path path)
{
    if (c->waiting == STACK_PATHS_MOST && !pprof_columns_settle(c, b))
        return false;
    for (size_t i = 0; i < c->items.count; i++) {
        size_t at = in_order(c, i);

        if (values[at])
            wait_for_stack(c,
                           (struct pprof_value){.path = c->waiting,
                                                .series = series_of(&c->items.items[at], b, origin),
                                                .value = values[at],
                                                .samples = samples_in(c, at, values)},
                           times);
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

/*
 * Counts truncated stacks for each series that has a value. The ledger counts a stack once,
 * however many series have it.
 */
static void note_truncated(const struct pprof_columns *c, struct builder *b,
                           const struct origin *origin, const int64_t *values, uint64_t count)
{
    bool noted = false;

    for (size_t i = 0; count && i < c->items.count; i++) {
        size_t at = in_order(c, i);
        uint32_t series = values[at] ? series_of(&c->items.items[at], b, origin) : SERIES_NONE;

        if (series == SERIES_NONE || series == BUILDER_LEFT_OUT)
            continue;
        b->profile->series.items[series].truncated += count;
        noted = true;
    }
    if (noted)
        b->profile->ledger.truncated_of_series += count;
}

bool pprof_columns_sample(struct pprof_columns *c, struct builder *b, const struct origin *origin,
                          const int64_t *values, uint64_t times)
{
    uint64_t truncated = b->profile->ledger.truncated;
    struct stack_path path = builder_path(b);

    truncated = b->profile->ledger.truncated - truncated;
    b->profile->ledger.truncated += truncated * (times - 1);
    note_truncated(c, b, origin, values, truncated * times);
    return add_path(c, b, origin, values, times, path);
}

bool pprof_columns_sample_at(struct pprof_columns *c, struct builder *b,
                             const struct origin *origin, const int64_t *values, uint64_t times,
                             uint32_t stack)
{
    return add_path(c, b, origin, values, times, (struct stack_path){.stack = stack});
}

void pprof_columns_note(struct pprof_columns *c, struct pprof_known *place, struct slice text)
{
    c->notes[c->waiting - 1] = (struct pprof_note){place, text};
}

void pprof_labels_release(struct pprof_labels *l)
{
    release_each(l, (intern, keys, texts), (vec, uses));
}

static enum pprof_role role_of(struct slice key)
{
    static const struct {
        const char *key;
        enum pprof_role role;
    } roles[] = {
        {"thread", PPROF_THREAD},
        {"thread_name", PPROF_THREAD},
        {"thread name", PPROF_THREAD},
        {"thread_id", PPROF_TID},
        {"thread id", PPROF_TID},
        {"tid", PPROF_TID},
        {"process", PPROF_PROCESS},
        {"process_name", PPROF_PROCESS},
        {"process name", PPROF_PROCESS},
        {"comm", PPROF_PROCESS},
        {"process_id", PPROF_PID},
        {"process id", PPROF_PID},
        {"pid", PPROF_PID},
        {NULL, PPROF_ROLE_NONE},
    };

    return slice_row(key, slice_equal, roles)->role;
}

uint32_t pprof_labels_key(struct pprof_labels *l, struct slice key)
{
    uint32_t id = intern_add(&l->keys, key);

    if (id == l->uses.count)
        *vec_add(&l->uses) = (struct pprof_label_use){.role = role_of(key),
                                                      .needed = origin_needs_tag(l->options, key)};
    return id;
}

bool pprof_labels_count(struct pprof_labels *l, uint32_t key, uint64_t times)
{
    l->uses.items[key].count += times;
    return l->uses.items[key].role != PPROF_ROLE_NONE || l->uses.items[key].needed;
}

void pprof_labels_put(const struct pprof_labels *l, uint32_t key, struct slice value,
                      struct origin *origin)
{
    struct slice *const places[] = {
        [PPROF_PROCESS] = &origin->process,
        [PPROF_PID] = &origin->pid,
        [PPROF_THREAD] = &origin->thread,
        [PPROF_TID] = &origin->tid,
    };

    const struct pprof_label_use *use = &l->uses.items[key];

    if (use->role != PPROF_ROLE_NONE)
        *places[use->role] = value;
    if (use->needed)
        origin_take_tag(origin, l->options, intern_get(&l->keys, key), value);
}

void pprof_labels_take(struct pprof_labels *l, struct slice key, struct slice value,
                       struct origin *origin)
{
    uint32_t id = pprof_labels_key(l, key);

    if (pprof_labels_count(l, id, 1))
        pprof_labels_put(l, id, value, origin);
}

/* Takes a text in quotes, or all before one of the characters in `ends`. */
static bool take_text(struct slice *rest, const char *ends, struct intern *texts, struct slice *out)
{
    struct buf text = {0};
    size_t i = 0;
    bool quoted = slice_starts(*rest, SLICE("\""));

    for (i += quoted; i < rest->len && (quoted ? rest->ptr[i] != '"' : !strchr(ends, rest->ptr[i]));
         i++) {
        if (quoted && rest->ptr[i] == '\\' && i + 1 < rest->len &&
            (rest->ptr[i + 1] == '"' || rest->ptr[i + 1] == '\\'))
            i++;
        buf_add_char(&text, rest->ptr[i]);
    }
    *out = intern_get(texts, intern_add(texts, buf_slice(&text)));
    buf_release(&text);
    if (quoted && i == rest->len)
        return false;
    *rest = slice_trim_left(slice_skip(*rest, i + quoted));
    return quoted || i > 0;
}

bool pprof_labels_next(struct pprof_labels *l, struct slice *rest, struct slice *key,
                       struct slice *value)
{
    const struct slice colon = SLICE(":"), comma = SLICE(",");

    *rest = slice_trim_left(*rest);
    if (!take_text(rest, ":,}", &l->texts, key) || !slice_starts(*rest, colon))
        return false;
    *rest = slice_trim_left(slice_skip(*rest, 1));
    if (!take_text(rest, ",}", &l->texts, value))
        return false;
    if (slice_starts(*rest, comma))
        *rest = slice_skip(*rest, 1);
    return true;
}

void pprof_labels_tell(const struct pprof_labels *l, struct profile *profile)
{
    enum { SHOWN = 10 };
    size_t shown = 0;
    struct buf text = {0};

    for (uint32_t i = 0; i < l->uses.count && shown < SHOWN; i++) {
        if (l->uses.items[i].role != PPROF_ROLE_NONE || l->uses.items[i].needed)
            continue;
        buf_add_str(&text, shown++ ? ", " : "");
        utf8_add_clean(&text, intern_get(&l->keys, i));
        buf_printf(&text, " (%llu)", (unsigned long long)l->uses.items[i].count);
    }
    if (text.len)
        profile_add_fact(profile, SLICE("labels not used"), buf_slice(&text));
    buf_release(&text);
}

void pprof_facts_add(struct profile *p, const char *key, struct slice value)
{
    struct buf clean = {0};

    utf8_add_clean(&clean, value);
    if (clean.len)
        profile_add_fact(p, slice_str(key), buf_slice(&clean));
    buf_release(&clean);
}

void pprof_facts_captured(struct profile *p, uint64_t ns)
{
    enum { NS = 1000000000 };
    time_t seconds = (time_t)(ns / NS);
    char text[64];
    struct tm tm;

    p->captured_ns = ns;
    if (ns && gmtime_r(&seconds, &tm) && strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S UTC", &tm))
        pprof_facts_add(p, "captured on", slice_str(text));
}

void pprof_facts_write_period(struct buf *out, uint64_t period, struct slice unit, struct slice of)
{
    struct unit_scale scale = {.unit = unit_named(unit), .factor = 1};

    unit_write_exact(out, &scale, period);
    if (of.len)
        buf_printf(out, " of %.*s", SLICE_ARG(of));
}

void pprof_facts_period(struct profile *p, uint64_t period, struct slice unit, struct slice of)
{
    struct buf text = {0};

    p->period = (struct sampling_period){period, arena_copy(&p->strings, of),
                                         arena_copy(&p->strings, unit)};
    pprof_facts_write_period(&text, period, unit, of);
    pprof_facts_add(p, "period", buf_slice(&text));
    buf_release(&text);
}

void pprof_facts_times(struct profile *p, uint64_t start, uint64_t duration)
{
    for (uint32_t i = 0; i < p->series.count && duration; i++) {
        profile_add_time(p, i, start);
        profile_add_time(p, i, start + duration);
    }
}

/* Units, as multiples of the nanosecond or the byte. */
static const struct {
    struct slice name;
    uint64_t factor;
    enum unit_kind kind;
} units[] = {
    {{"ns", 2}, 1, UNIT_SECONDS},
    {{"us", 2}, 1000, UNIT_SECONDS},
    {{"\302\265s", 3}, 1000, UNIT_SECONDS},
    {{"ms", 2}, 1000000, UNIT_SECONDS},
    {{"s", 1}, 1000000000, UNIT_SECONDS},
    {{"min", 3}, 60000000000, UNIT_SECONDS},
    {{"mins", 4}, 60000000000, UNIT_SECONDS},
    {{"hrs", 3}, 3600000000000, UNIT_SECONDS},
    {{"B", 1}, 1, UNIT_BYTES},
    {{"kB", 2}, 1ull << 10, UNIT_BYTES},
    {{"MB", 2}, 1ull << 20, UNIT_BYTES},
    {{"GB", 2}, 1ull << 30, UNIT_BYTES},
    {{"TB", 2}, 1ull << 40, UNIT_BYTES},
    {{"PB", 2}, 1ull << 50, UNIT_BYTES},
};

/* Computes d * factor, rounded. Returns false if the result exceeds 63 bits. */
static bool multiply(struct decimal d, uint64_t factor, uint64_t *out)
{
    uint64_t divisor = num_pow10(d.decimals);
    unsigned __int128 product = (unsigned __int128)d.value * factor + divisor / 2;

    product /= divisor;
    *out = (uint64_t)product;
    return product <= INT64_MAX;
}

bool pprof_amount_parse(struct slice text, struct pprof_amount *out)
{
    struct decimal number;
    uint64_t factor = 1;
    struct slice unit;
    size_t n = 0;

    out->negative = slice_starts(text, SLICE("-"));
    text = slice_skip(text, out->negative);
    while (n < text.len && memchr("0123456789.", text.ptr[n], 11))
        n++;
    if (!num_parse_decimal(slice_take(text, n), &number))
        return false;
    unit = slice_skip(text, n);
    if (slice_find(unit, ':') < unit.len)
        return false;
    out->unit = unit_named(unit);
    for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
        if (!slice_equal(units[i].name, unit))
            continue;
        factor = units[i].factor;
        out->unit = (struct unit){.kind = units[i].kind,
                                  .exponent = units[i].kind == UNIT_SECONDS ? -9 : 0};
    }
    out->rounding = factor / 200 + (factor > 1);
    return multiply(number, factor, &out->value);
}
