/*
 * Intel VTune's top-down report as CSV: a row per function, its depth in the
 * blanks before the name.
 *
 *     war:Column filter is ON.
 *     Function Stack,CPU Time:Self,Module
 *     Total,0.0,[Unknown]
 *      main,0.0,app.exe
 *       "draw(int, int)",1.25,app.exe
 *
 * Lines before the heading are VTune's messages. Each known column ending in
 * ":Self" becomes a series, in the order of the file: times in seconds, sizes
 * in bytes, counts. Columns that break down a time ("CPU Time:Effective
 * Time:Self") are series, too. Delimiter and decimal point follow -csv-
 * delimiter and the locale. The row "Total" is the whole program, not a
 * function: it is the root.
 *
 * A row without columns of weights is a message, and skipped. A malformed row, or one that is more
 * than one level deeper than the row before, is an error, because the callers of the rows after it
 * would be wrong. --names=reference gives the names and numbers of inferno (CPU time with the
 * module in the third column), stackcollapse-vtune-mc.pl (memory) or stackcollapse-vtune.pl.
 */
#include "input/build/nested.h"
#include "input/parse/csv.h"
#include "input/format.h"

#define VTUNE_HEADING SLICE("Function Stack")

/* Beginnings of the headings of self weights, without ":Self". */
static const struct {
    const char *start;
    struct unit unit;
} measures[] = {
    {"CPU Time", {.kind = UNIT_SECONDS}},
    {"Wait Time", {.kind = UNIT_SECONDS}},
    {"Spin Time", {.kind = UNIT_SECONDS}},
    {"Overhead Time", {.kind = UNIT_SECONDS}},
    {"Effective Time", {.kind = UNIT_SECONDS}},
    {"Inactive Time", {.kind = UNIT_SECONDS}},
    {"Elapsed Time", {.kind = UNIT_SECONDS}},
    {"Allocation Size", {.kind = UNIT_BYTES}},
    {"Deallocation Size", {.kind = UNIT_BYTES}},
    {"Allocations", {.noun = {"allocations", 11}}},
    {"Deallocations", {.noun = {"deallocations", 13}}},
    {"Wait Count", {.noun = {"waits", 5}}},
    {"Context Switch Count", {.noun = {"switches", 8}}},
    {"Instructions Retired", {.noun = {"instructions", 12}}},
    {"Clockticks", {.noun = {"cycles", 6}}},
    {"Hardware Event Count", {.noun = {"events", 6}}},
    {"Hardware Event Sample Count", {.noun = {"samples", 7}}},
};

enum vtune_reference { VTUNE_INFERNO, VTUNE_MEMORY, VTUNE_MODULE_FIRST };

struct vtune {
    struct builder builder;
    struct csv_row row;
    char delimiter; /* NUL until the heading is read */
    size_t module;
    VEC(size_t) columns;         /* indices of the columns with weights */
    struct nested tree;          /* one measure per column */
    VEC(struct decimal) weights; /* of the current row and of remembered rows, from `context` */
    enum vtune_reference reference;
    struct buf scratch;
};

/* Returns the delimiter if the line is the heading, else NUL. */
static char heading_delimiter(struct slice line)
{
    return csv_delimiter(slice_trim(line), VTUNE_HEADING);
}

static bool vtune_claims(const struct head *head)
{
    enum { LINES = 20 };

    if (slice_starts(head->bytes, SLICE("war:")) &&
        slice_has(head_lines(head, 1), SLICE("olumn filter is ON")))
        return true;
    head_each_of (line, head, LINES)
        if (heading_delimiter(line))
            return true;
    return false;
}

/* ---- the heading --------------------------------------------------------------------------- */

/*
 * Returns the unit and event of a column by its heading. Returns false if it has no known self
 * weights.
 */
static bool column_unit(struct slice heading, struct unit *unit, struct slice *event)
{
    const struct slice self = SLICE(":Self");

    if (!slice_ends(heading, self))
        return false;
    heading.len -= self.len;
    for (size_t i = 0; i < sizeof(measures) / sizeof(measures[0]); i++) {
        struct slice start = slice_str(measures[i].start);

        if (slice_starts(heading, start) &&
            (heading.len == start.len || strchr(": ", heading.ptr[start.len]))) {
            *unit = measures[i].unit;
            *event = heading;
            return true;
        }
    }
    return false;
}

/*
 * Returns true for the columns that inferno and the scripts use: allocations if any, else CPU time.
 */
static bool wanted_by_reference(struct vtune *v, struct slice event)
{
    if (v->reference == VTUNE_MEMORY)
        return slice_equal(event, SLICE("Allocations")) ||
               slice_equal(event, SLICE("Allocation Size"));
    return slice_equal(event, SLICE("CPU Time"));
}

static bool read_heading(struct text *t, struct vtune *v, struct slice line)
{
    bool reference = t->options->names == NAMES_REFERENCE;

    line = slice_trim(line);
    v->delimiter = heading_delimiter(line);
    if (!csv_split(&v->row, line, v->delimiter))
        return diag_error(t->diag, "unclosed quote in the heading");
    v->module = csv_find(&v->row, "Module");
    if (csv_find(&v->row, "Allocations:Self") != CSV_NONE)
        v->reference = VTUNE_MEMORY;
    else if (csv_find(&v->row, "CPU Time:Self") != 1 || v->module != 2)
        v->reference = VTUNE_MODULE_FIRST;
    for (size_t i = 1; i < v->row.cells.count; i++) {
        struct unit unit;
        struct origin origin = {0};

        if (!column_unit(v->row.cells.items[i].text, &unit, &origin.event) ||
            (reference && !wanted_by_reference(v, origin.event)))
            continue;
        if (reference && unit.kind == UNIT_SECONDS)
            unit.exponent = -3;
        *vec_add(&v->columns) = i;
        nested_measure(&v->tree, builder_series(&v->builder, &origin, unit), true);
    }
    return v->columns.count > 0 ||
           diag_error(t->diag, "no column of self weights such as 'CPU Time:Self'; report with "
                               "-column=\"CPU Time:Self\",Module");
}

/* ---- rows ---------------------------------------------------------------------------------- */

static struct frame frame_of(struct vtune *v)
{
    struct slice name = csv_text(&v->row, 0), module = csv_text(&v->row, v->module);
    char mark = v->reference == VTUNE_INFERNO ? '`' : '!';

    if (v->builder.options->names != NAMES_REFERENCE) {
        if (slice_equal(module, SLICE("[Unknown]")))
            module = SLICE("");
        return (struct frame){.name = name, .module = module, .kind = FRAME_NATIVE};
    }
    buf_clear(&v->scratch);
    if (v->reference == VTUNE_MEMORY)
        buf_printf(&v->scratch, "%.*s(%.*s)", SLICE_ARG(name), SLICE_ARG(module));
    else if (module.len)
        buf_printf(&v->scratch, "%.*s%c%.*s", SLICE_ARG(module), mark, SLICE_ARG(name));
    else
        buf_add_slice(&v->scratch, name);
    return (struct frame){.name = buf_slice(&v->scratch), .kind = FRAME_PLAIN};
}

/* Rounds seconds to whole milliseconds, as the reference converters do. */
static struct decimal in_milliseconds(struct decimal d)
{
    uint64_t scale = num_pow10(d.decimals), value = d.value;

    if (!num_mul(value, 1000, &value))
        return d;
    return (struct decimal){.value = value / scale + (value % scale * 2 >= scale)};
}

static bool read_weights(struct text *t, struct vtune *v)
{
    vec_each (size_t, column, &v->columns) {
        struct slice text = csv_text(&v->row, *column);
        struct decimal *weight = vec_add(&v->weights);

        if (!csv_decimal(text, weight))
            return text_fail_line(t, "not a number", text);
        if (t->options->names == NAMES_REFERENCE && v->reference != VTUNE_MEMORY)
            *weight = in_milliseconds(*weight);
    }
    return true;
}

static bool add_row(struct text *t, struct vtune *v, const struct line_meaning *m)
{
    return nested_row(&v->tree, m->depth, t->line, m->entry, v->weights.items + m->context);
}

static bool read_row(struct text *t, struct vtune *v, struct slice line)
{
    struct line_meaning m = {.kind = 1, .context = (uint32_t)v->weights.count};
    struct slice name;
    struct frame frame;

    if (!csv_split(&v->row, line, v->delimiter))
        return text_fail_line(t, "unclosed quote", slice_trim(line));
    if (v->row.cells.count <= v->columns.items[0])
        return text_skip_line(t, "row without columns", slice_trim(line));
    name = csv_text(&v->row, 0);
    m.depth = v->row.cells.items[0].indent;
    m.entry = NESTED_NO_FRAME;
    if (!name.len)
        return text_fail_line(t, "missing function name", slice_trim(line));
    if (m.depth > nested_depth(&v->tree))
        return text_fail_line(t, "more than one level deeper than the row before", name);
    if (m.depth || !slice_equal(name, SLICE("Total")) || t->options->names == NAMES_REFERENCE) {
        frame = frame_of(v);
        m.entry = builder_entry(&v->builder, &frame);
    }
    if (!read_weights(t, v) || !add_row(t, v, &m))
        return false;
    if (t->keeps)
        t->meaning = m;
    else
        v->weights.count = m.context;
    return true;
}

static enum text_again vtune_again(struct text *t, void *state, const struct line_meaning *m)
{
    struct vtune *v = state;

    if (m->depth > nested_depth(&v->tree))
        return TEXT_UNFIT;
    return add_row(t, v, m) ? TEXT_DONE : TEXT_FAILED;
}

static bool vtune_line(struct text *t, void *state, struct slice line)
{
    struct vtune *v = state;

    if (!v->delimiter)
        return !heading_delimiter(line) || read_heading(t, v, line);
    return !slice_trim(line).len || read_row(t, v, line);
}

static bool vtune_begin(struct text *t, void *state)
{
    struct vtune *v = state;

    builder_init(&v->builder, t->profile, t->options, t->diag);
    nested_init(&v->tree, &v->builder, false, false);
    return true;
}

static bool vtune_end(struct text *t, void *state)
{
    struct vtune *v = state;

    return v->delimiter || diag_error(t->diag, "the file ends before the heading "
                                               "'Function Stack,...' of VTune's report");
}

STATE_RELEASE(vtune, (vec, columns, weights), (nested, tree), (csv, row), (buf, scratch),
              (builder, builder));

const struct format format_vtune = {
    .name = "vtune",
    .family = FORMAT_SYSTEMS,
    .description = "Intel VTune top-down report as CSV: time, memory, hardware events",
    .recognised = "a heading 'Function Stack,...'",
    .example = "vtune -report top-down -call-stack-mode all -column=\"CPU Time:Self\",Module "
               "-format csv -csv-delimiter comma -r RESULT",
    .claims = vtune_claims,
    .text = {TEXT_READER(vtune), .again = vtune_again},
};
