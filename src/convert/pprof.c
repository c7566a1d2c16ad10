/*
 * pprof's profiles: a protobuf message, compressed with gzip.
 *
 * Each series is a type of sample; those of a pprof profile keep its order, so that both can be
 * compared. Series that one event was split into by thread, process or CPU
 * are one type, and their samples have the label "thread", "process" or "cpu". A symbol is a
 * function with its file and line, and a location without an address, in the mapping of its module.
 * The weights of a base are negative, with the label by which pprof knows the base of a difference.
 * Samples come first and refer to locations by numbers that are known before they are written, so
 * the message is never whole in memory.
 *
 * Source: proto/profile.proto in github.com/google/pprof.
 */
#include "base/varint.h"
#include "base/vec.h"
#include "base/version.h"
#include "convert/labels.h"
#include "convert/lines.h"
#include "convert/sides.h"
#include "convert/values.h"

enum wire { VARINT, BYTES = 2 };
enum profile_field {
    SAMPLE_TYPE = 1,
    SAMPLE,
    MAPPING,
    LOCATION,
    FUNCTION,
    STRING,
    TIME = 9,
    DURATION,
    PERIOD_TYPE,
    PERIOD,
    COMMENT,
    DEFAULT_TYPE,
};
enum { TYPE_NAME = 1, TYPE_UNIT };
enum { SAMPLE_LOCATIONS = 1, SAMPLE_VALUES, SAMPLE_LABEL };
enum { LABEL_KEY = 1, LABEL_TEXT };
enum { MAPPING_ID = 1, MAPPING_FILE = 5, MAPPING_HAS_FUNCTIONS = 7 };
enum { LOCATION_ID = 1, LOCATION_MAPPING, LOCATION_LINE = 4 };
enum { LINE_FUNCTION = 1, LINE_NUMBER };
enum { FUNCTION_ID = 1, FUNCTION_NAME, FUNCTION_SYSTEM_NAME, FUNCTION_FILE };

struct pprof_writer {
    const struct conversion *c;
    struct convert_stream *out;
    struct sides sides;
    struct lines lines;
    VEC(struct values_whole) values; /* by series of `sides` */
    bool labelled;                   /* series are types with labels */
    VEC(uint32_t) type;              /* by series of `sides`, if labelled: its type, from 0 */
    VEC(struct buf) label;           /* by series of `sides`, if labelled: the message, or empty */
    uint32_t types;
    struct buf base_label;
    uint32_t *number;  /* by symbol in use: of its location and function, from 1 */
    uint32_t *mapping; /* by name: number of the module's mapping, or 0 */
    uint64_t *file;    /* by name: number of the source file's string, or 0 */
    uint32_t mappings;
    struct buf strings; /* fields of the table of strings */
    uint64_t string_count;
    uint64_t default_type;             /* string of the type that tools show first */
    struct buf message, inner, packed; /* while they are made */
};

/* ---- the wire format ---- */

static void add_number(struct buf *out, unsigned field, uint64_t value)
{
    varint_add(out, field << 3 | VARINT);
    varint_add(out, value);
}

static void add_bytes(struct buf *out, unsigned field, struct slice bytes)
{
    varint_add(out, field << 3 | BYTES);
    varint_add(out, bytes.len);
    buf_add_slice(out, bytes);
}

/* Adds the current message to the profile, and begins the next one. */
static void end_message(struct pprof_writer *w, enum profile_field field)
{
    add_bytes(&w->out->bytes, field, buf_slice(&w->message));
    buf_clear(&w->message);
    convert_stream_pass(w->out);
}

/* Adds a string to the table and returns its number. */
static uint64_t add_string(struct pprof_writer *w, struct slice text)
{
    add_bytes(&w->strings, STRING, text);
    return w->string_count++;
}

/* ---- the parts of a profile ---- */

static void write_type(struct pprof_writer *w, struct slice name, struct slice unit, bool first)
{
    uint64_t number = add_string(w, name);

    if (first || !w->default_type)
        w->default_type = number;
    add_number(&w->message, TYPE_NAME, number);
    add_number(&w->message, TYPE_UNIT, add_string(w, unit));
    end_message(w, SAMPLE_TYPE);
    w->types++;
}

static void write_type_of_series(struct pprof_writer *w, const struct series *s, struct slice unit)
{
    bool first = s == &w->c->profile->series.items[w->c->series[0]];
    struct buf name = {0};

    values_add_series(&name, s);
    write_type(w, buf_slice(&name), unit, first);
    buf_release(&name);
}

/* Returns the place of the first series of the same event whose weights are written alike. */
static size_t find_alike(const struct pprof_writer *w, size_t place)
{
    const struct series *all = w->c->profile->series.items;
    const struct series *s = &all[w->sides.ids.items[place]];
    const struct values_whole *v = &w->values.items[place];

    for (size_t i = 0; i < place; i++) {
        const struct series *other = &all[w->sides.ids.items[i]];
        const struct values_whole *its = &w->values.items[i];

        if (slice_equal(other->event, s->event) &&
            slice_equal(values_pprof_unit(other, its), values_pprof_unit(s, v)) &&
            its->multiply == v->multiply && its->divide == v->divide)
            return i;
    }
    return place;
}

/* Gives a series its type, which is written if it is the first of its event, and its label. */
static void label_series(struct pprof_writer *w, size_t place, uint64_t key)
{
    const struct series *s = &w->c->profile->series.items[w->sides.ids.items[place]];
    struct slice unit = values_pprof_unit(s, &w->values.items[place]), text = labels_of(s);
    size_t first = find_alike(w, place);
    uint32_t type = first < place ? w->type.items[first] : w->types;
    struct buf *label = vec_add(&w->label);

    *vec_add(&w->type) = type;
    if (first == place && s->event.len)
        write_type(w, s->event, unit, false);
    else if (first == place)
        write_type(w, s->unit.kind == UNIT_SECONDS ? SLICE("time") : unit_word(&s->unit), unit,
                   false);
    *label = (struct buf){0};
    if (!text.len)
        return;
    add_number(label, LABEL_KEY, key);
    add_number(label, LABEL_TEXT, add_string(w, text));
}

static void write_types(struct pprof_writer *w)
{
    const struct profile *p = w->c->profile;
    uint64_t key = w->labelled ? add_string(w, slice_str(w->c->split_by)) : 0;

    for (size_t i = 0; i < w->sides.ids.count; i++) {
        const struct series *s = &p->series.items[w->sides.ids.items[i]];
        struct values_whole *values = vec_add(&w->values);

        *values = values_whole(p, s);
        if (w->labelled)
            label_series(w, i, key);
        else if (!s->before)
            write_type_of_series(w, s, values_pprof_unit(s, values));
    }
}

static void number_symbols(struct pprof_writer *w)
{
    const struct symbols *symbols = &w->c->profile->symbols;
    uint32_t count = symbols_count(symbols), next = 1;

    w->number = xcalloc((size_t)count + 1, sizeof(*w->number));
    w->mapping = xcalloc(intern_count(&symbols->names) + 1, sizeof(*w->mapping));
    w->file = xcalloc(intern_count(&symbols->names) + 1, sizeof(*w->file));
    for (uint32_t i = 0; i < count; i++)
        if (w->lines.named[i])
            w->number[i] = next++;
}

/* Fills `packed` with a value for each type: of the new sides, or negative ones of the bases. */
static bool pack_values(struct pprof_writer *w, uint32_t node, bool of_bases)
{
    const struct profile *p = w->c->profile;
    const struct line *end, *line = lines_of(&w->lines, node, &end);
    bool any = false;

    buf_clear(&w->packed);
    for (size_t i = 0; i < w->sides.ids.count; i++) {
        const struct series *s = &p->series.items[w->sides.ids.items[i]];
        uint64_t weight = line < end && line->series == i ? line++->weight : 0, value = 0;

        if (s->before == of_bases)
            value = values_take_whole(&w->values.items[i], weight);
        any |= value != 0;
        if (s->before && of_bases)
            value = 0 - value;
        if (s->before == of_bases || (of_bases && s->base == SERIES_NONE))
            varint_add(&w->packed, value);
    }
    return any;
}

/* Fills `packed` with the locations of a stack, the leaf first. */
static void pack_locations(struct pprof_writer *w, uint32_t node)
{
    const struct stacks *stacks = &w->c->profile->stacks;
    size_t depth = 0;
    char *to, *at;

    for (uint32_t i = node; i != STACK_ROOT; i = stacks->parent[i])
        depth++;
    buf_clear(&w->packed);
    at = to = buf_reserve(&w->packed, depth * VARINT_MOST_32);
    for (uint32_t i = node; i != STACK_ROOT; i = stacks->parent[i])
        at = varint_put(at, w->number[stacks->symbol[i]]);
    w->packed.len = (size_t)(at - to);
}

/* Writes the sample whose values are in `packed`. */
static void end_sample(struct pprof_writer *w, uint32_t node, const struct buf *label)
{
    add_bytes(&w->message, SAMPLE_VALUES, buf_slice(&w->packed));
    pack_locations(w, node);
    add_bytes(&w->message, SAMPLE_LOCATIONS, buf_slice(&w->packed));
    if (label && label->len)
        add_bytes(&w->message, SAMPLE_LABEL, buf_slice(label));
    end_message(w, SAMPLE);
}

static void write_sample(struct pprof_writer *w, uint32_t node, bool of_bases)
{
    bool any = pack_values(w, node, of_bases);

    if (of_bases && !any)
        return;
    end_sample(w, node, of_bases ? &w->base_label : NULL);
}

/* Writes a sample for each series that has the stack. */
static void write_labelled(struct pprof_writer *w, uint32_t node)
{
    const struct line *end, *line = lines_of(&w->lines, node, &end);

    for (; line < end; line++) {
        uint32_t i = line->series;
        uint64_t value = values_take_whole(&w->values.items[i], line->weight);

        buf_clear(&w->packed);
        for (uint32_t type = 0; type < w->types; type++)
            varint_add(&w->packed, type == w->type.items[i] ? value : 0);
        end_sample(w, node, &w->label.items[i]);
    }
}

static void write_samples(struct pprof_writer *w)
{
    uint32_t count = w->c->profile->stacks.count;
    bool pairs = w->sides.ids.count > w->c->count;

    if (pairs) {
        add_number(&w->base_label, LABEL_KEY, add_string(w, SLICE("pprof::base")));
        add_number(&w->base_label, LABEL_TEXT, add_string(w, SLICE("true")));
    }
    for (uint32_t node = 0; node < count && !w->out->stopped; node++) {
        if (!lines_has(&w->lines, node))
            continue;
        if (w->labelled)
            write_labelled(w, node);
        else
            write_sample(w, node, false);
        if (pairs)
            write_sample(w, node, true);
    }
}

/* Returns the number of a symbol's mapping, which is written if it is the first of its module. */
static uint32_t map_module(struct pprof_writer *w, uint32_t symbol)
{
    const struct symbols *symbols = &w->c->profile->symbols;
    uint32_t module = symbols->items.items[symbol].module;

    if (module == SYMBOL_NONE)
        return 0;
    if (w->mapping[module])
        return w->mapping[module];
    w->mapping[module] = ++w->mappings;
    add_number(&w->message, MAPPING_ID, w->mappings);
    add_number(&w->message, MAPPING_FILE, add_string(w, symbol_module(symbols, symbol)));
    add_number(&w->message, MAPPING_HAS_FUNCTIONS, 1);
    end_message(w, MAPPING);
    return w->mappings;
}

/* Adds the file of a function, whose string is added if no other function has it. */
static void add_file(struct pprof_writer *w, uint32_t symbol)
{
    const struct symbols *symbols = &w->c->profile->symbols;
    uint32_t file = symbols->items.items[symbol].file;

    if (file == SYMBOL_NONE)
        return;
    if (!w->file[file])
        w->file[file] = add_string(w, symbol_file(symbols, symbol));
    add_number(&w->message, FUNCTION_FILE, w->file[file]);
}

static void write_symbol(struct pprof_writer *w, uint32_t symbol)
{
    uint32_t number = w->number[symbol], mapping = map_module(w, symbol);
    uint32_t line = w->c->profile->symbols.items.items[symbol].line;
    uint64_t name;

    buf_clear(&w->inner);
    add_number(&w->inner, LINE_FUNCTION, number);
    if (line)
        add_number(&w->inner, LINE_NUMBER, line);
    add_number(&w->message, LOCATION_ID, number);
    if (mapping)
        add_number(&w->message, LOCATION_MAPPING, mapping);
    add_bytes(&w->message, LOCATION_LINE, buf_slice(&w->inner));
    end_message(w, LOCATION);

    buf_clear(&w->inner);
    values_add_name(&w->inner, &w->c->profile->symbols, symbol);
    name = add_string(w, buf_slice(&w->inner));
    add_number(&w->message, FUNCTION_ID, number);
    add_number(&w->message, FUNCTION_NAME, name);
    add_number(&w->message, FUNCTION_SYSTEM_NAME, name);
    add_file(w, symbol);
    end_message(w, FUNCTION);
}

/* The time and the period of the recording are fields, which go tool pprof -diff_base compares. */
static void write_recording(struct pprof_writer *w)
{
    const struct profile *p = w->c->profile;
    const struct series *s = &p->series.items[w->c->series[0]];
    uint64_t time = p->captured_ns ? p->captured_ns : s->first_ns;

    if (values_is_date(time))
        add_number(&w->out->bytes, TIME, time);
    if (s->last_ns > s->first_ns)
        add_number(&w->out->bytes, DURATION, s->last_ns - s->first_ns);
    if (!p->period.count)
        return;
    add_number(&w->message, TYPE_NAME, add_string(w, p->period.of));
    add_number(&w->message, TYPE_UNIT, add_string(w, p->period.unit));
    end_message(w, PERIOD_TYPE);
    add_number(&w->out->bytes, PERIOD, p->period.count);
}

/* Facts of the recording are comments. */
static void write_facts(struct pprof_writer *w)
{
    const struct profile *p = w->c->profile;

    add_number(&w->out->bytes, COMMENT, add_string(w, SLICE(FLAMEPRESS_MARK)));
    vec_each (const struct fact, fact, &p->facts) {
        buf_clear(&w->inner);
        buf_printf(&w->inner, "%.*s: %.*s", SLICE_ARG(fact->key), SLICE_ARG(fact->value));
        add_number(&w->out->bytes, COMMENT, add_string(w, buf_slice(&w->inner)));
    }
    add_number(&w->out->bytes, DEFAULT_TYPE, w->default_type);
    write_recording(w);
}

/* Puts the series of a pprof profile in its order, unless they are pairs or split. */
static void order_series(struct pprof_writer *w)
{
    const struct series *all = w->c->profile->series.items;
    uint32_t *ids = w->sides.ids.items;
    size_t count = w->sides.ids.count;

    if (count > w->c->count || w->labelled)
        return;
    for (size_t i = 1; i < count; i++)
        for (size_t k = i; k > 0 && all[ids[k]].column < all[ids[k - 1]].column; k--) {
            uint32_t id = ids[k];

            ids[k] = ids[k - 1];
            ids[k - 1] = id;
        }
}

static void write(const struct conversion *c, struct convert_stream *out, struct diag *diag)
{
    struct pprof_writer w = {.c = c, .out = out};
    uint32_t symbols = symbols_count(&c->profile->symbols);

    add_string(&w, SLICE(""));
    sides_init(&w.sides, c);
    w.labelled = c->split_by && w.sides.ids.count == c->count;
    order_series(&w);
    lines_init(&w.lines, &w.sides.conversion);
    number_symbols(&w);
    write_types(&w);
    write_samples(&w);
    for (uint32_t i = 0; i < symbols && !out->stopped; i++)
        if (w.number[i])
            write_symbol(&w, i);
    write_facts(&w);
    convert_stream_flush(out);
    buf_add_slice(&out->bytes, buf_slice(&w.strings));
    convert_stream_flush(out);
    for (size_t i = 0; i < w.sides.ids.count; i++) {
        const struct series *s = &c->profile->series.items[w.sides.ids.items[i]];

        values_tell_rounded(&w.values.items[i], s, s->count, diag);
    }

    lines_release(&w.lines);
    vec_each (struct buf, label, &w.label)
        buf_release(label);
    release_all(&w, vec, values, sides.ids, type, label);
    xfree(w.number);
    xfree(w.mapping);
    xfree(w.file);
    release_all(&w, buf, strings, message, inner, packed, base_label);
}

const struct convert_writer convert_pprof = {
    .name = "pprof",
    .title = "pprof",
    .endings = ".pb.gz .pprof",
    .about = "pprof's protobuf, as go tool pprof, Pyroscope and Parca read it",
    .many = true,
    .holds = CONVERT_MODULES | CONVERT_LINES | CONVERT_FACTS,
    .compressed = true,
    .write = write,
};

const struct convert_writer convert_pprof_raw = {
    .name = "pprof-raw",
    .title = "pprof, not compressed",
    .endings = ".pb",
    .about = "the same, not compressed",
    .many = true,
    .holds = CONVERT_MODULES | CONVERT_LINES | CONVERT_FACTS,
    .write = write,
};
