/*
 * Visual Studio's call tree as CSV: a row per function, its depth in the first
 * column.
 *
 *     Level,Function Name,Inclusive Samples,Exclusive Samples,...,Module Name,
 *     1,"main","8,735",120,100.00,1.37,"app.exe",
 *     2,"step","8,309",309,...
 *
 * What is measured depends on the recording, so each known pair of columns
 * becomes a series. The self value of a row is its "Exclusive ..." column, or
 * the inclusive value minus its children's if only that exists. "Number of
 * Calls" is a self value, too. Delimiter, decimal point and thousands
 * separators follow the locale of Windows; integers with separators are quoted.
 *
 * A malformed row is an error, because the callers of the rows after it would
 * be wrong. The reference converters draw the inclusive numbers of leaves only
 * (stackcollapse-vsprof.pl, for samples) or treat calls as inclusive (inferno,
 * for calls); --names=reference gives their names and numbers.
 */
#include "input/build/builder.h"
#include "input/parse/csv.h"
#include "input/format.h"

struct measure {
    const char *own, *inclusive; /* headings; NULL if there is no such column */
    const char *event;
    struct unit unit;
    bool whole; /* integers, possibly with thousands separators */
};

/* In the order of the series. */
static const struct measure measures[] = {
    {"Exclusive Samples", "Inclusive Samples", "samples", {.noun = {"samples", 7}}, true},
    {"Elapsed Exclusive Time",
     "Elapsed Inclusive Time",
     "elapsed time",
     {.kind = UNIT_SECONDS, .exponent = -3},
     false},
    {"Application Exclusive Time",
     "Application Inclusive Time",
     "application time",
     {.kind = UNIT_SECONDS, .exponent = -3},
     false},
    {"Exclusive Allocations",
     "Inclusive Allocations",
     "allocations",
     {.noun = {"allocations", 11}},
     true},
    {"Exclusive Bytes", "Inclusive Bytes", "bytes", {.kind = UNIT_BYTES}, true},
    {"Number of Calls", NULL, "calls", {.noun = {"calls", 5}}, true},
    {"Elapsed Exclusive Time %",
     "Elapsed Inclusive Time %",
     "elapsed time %",
     {.noun = {"% of the elapsed time", 21}},
     false},
};

enum { MEASURES = sizeof(measures) / sizeof(measures[0]) };

struct tree_row {
    uint32_t stack;
    struct decimal left[MEASURES]; /* inclusive values minus those of the children read so far */
};

/* A row as the reference converters keep it. */
struct reference_row {
    uint32_t entry;
    uint64_t weight;
};

struct visual_studio {
    struct builder builder;
    struct csv_row row;
    char delimiter; /* NUL until the heading is read */
    size_t name, module;
    size_t own[MEASURES], inclusive[MEASURES]; /* indices of columns */
    uint32_t series[MEASURES];
    VEC(struct tree_row) path;           /* from the root to the previous row */
    VEC(struct decimal) figures;         /* of the current row and of remembered rows */
    VEC(struct reference_row) reference; /* for reference names: the path */
    uint64_t base;                       /* level of the first row */
    bool calls;                          /* counts calls, not samples */
    struct buf scratch;
};

static bool read_heading(struct visual_studio *v, struct slice line)
{
    bool any = false;

    v->delimiter = csv_delimiter(line, SLICE("Level"));
    if (!v->delimiter || !csv_split(&v->row, line, v->delimiter))
        return false;
    v->name = csv_find(&v->row, "Function Name");
    v->module = csv_find(&v->row, "Module Name");
    for (size_t i = 0; i < MEASURES; i++) {
        v->own[i] = csv_find(&v->row, measures[i].own);
        v->inclusive[i] = CSV_NONE;
        if (v->own[i] == CSV_NONE && measures[i].inclusive)
            v->inclusive[i] = csv_find(&v->row, measures[i].inclusive);
        any = any || v->own[i] != CSV_NONE || v->inclusive[i] != CSV_NONE;
    }
    v->calls = csv_find(&v->row, "Number of Calls") == 2;
    return v->name == 1 && any;
}

static bool visual_studio_claims(const struct head *head)
{
    struct slice rest = head->bytes, line;
    struct visual_studio v = {0};
    bool ok;

    if (!head_line(head, &rest, &line) || !csv_delimiter(line, SLICE("Level")))
        return false;
    ok = read_heading(&v, line);
    csv_release(&v.row);
    return ok;
}

/* ---- the tree ------------------------------------------------------------------------------ */

/* Returns a - b with the larger number of decimals, at least 0. */
static struct decimal subtract(struct decimal a, struct decimal b)
{
    struct decimal *coarse = a.decimals < b.decimals ? &a : &b;
    unsigned fine = a.decimals < b.decimals ? b.decimals : a.decimals;

    if (!num_mul(coarse->value, num_pow10(fine - coarse->decimals), &coarse->value))
        coarse->value = UINT64_MAX;
    a.decimals = fine;
    a.value = a.value > b.value ? a.value - b.value : 0;
    return a;
}

static bool read_number(struct text *t, struct visual_studio *v, size_t column, bool whole,
                        struct decimal *number)
{
    struct slice text = csv_text(&v->row, column);

    *number = (struct decimal){0};
    if (whole ? csv_whole(text, &number->value) : csv_decimal(text, number))
        return true;
    return text_fail_line(t, "not a number", text);
}

/* Closes the rows of the path from `depth` on: adds what their children left of them. */
static bool close_rows(struct visual_studio *v, size_t depth)
{
    for (; v->path.count > depth; v->path.count--) {
        const struct tree_row *row = &v->path.items[v->path.count - 1];

        for (size_t i = 0; i < MEASURES; i++)
            if (v->inclusive[i] != CSV_NONE && row->left[i].value &&
                !builder_add_at(&v->builder, v->series[i], row->stack, row->left[i]))
                return false;
    }
    return true;
}

/* Reads the values of the current row, one for each measure of the table. */
static bool read_figures(struct text *t, struct visual_studio *v)
{
    for (size_t i = 0; i < MEASURES; i++) {
        size_t column = v->own[i] != CSV_NONE ? v->own[i] : v->inclusive[i];

        if (column != CSV_NONE &&
            !read_number(t, v, column, measures[i].whole, vec_add(&v->figures)))
            return false;
    }
    return true;
}

static bool add_figures(struct visual_studio *v, const struct decimal *figure, struct tree_row *row,
                        struct tree_row *parent)
{
    for (size_t i = 0; i < MEASURES; i++) {
        if (v->own[i] != CSV_NONE) {
            if (figure->value && !builder_add_at(&v->builder, v->series[i], row->stack, *figure))
                return false;
            figure++;
        } else if (v->inclusive[i] != CSV_NONE) {
            row->left[i] = *figure++;
            if (parent)
                parent->left[i] = subtract(parent->left[i], row->left[i]);
        }
    }
    return true;
}

/* Adds a row; its values begin at `context`. */
static bool add_row(struct visual_studio *v, const struct line_meaning *m)
{
    struct tree_row row = {0}, *parent = NULL;
    uint32_t above = STACK_ROOT;

    if (!close_rows(v, m->depth))
        return false;
    if (m->depth) {
        parent = &v->path.items[m->depth - 1];
        above = parent->stack;
    }
    if (!builder_child_entry(&v->builder, above, m->entry, &row.stack) ||
        !add_figures(v, v->figures.items + m->context, &row, parent))
        return false;
    *vec_add(&v->path) = row;
    return true;
}

static bool read_tree_row(struct text *t, struct visual_studio *v, uint32_t depth)
{
    struct slice name = csv_text(&v->row, v->name);
    struct frame frame = {
        .name = name,
        .module = csv_text(&v->row, v->module),
        /* .NET's methods have dots, "A.B.f(int32)", and their arguments are cut like Java's. */
        .kind = slice_has(name, SLICE("::")) ? FRAME_NATIVE : FRAME_JAVA,
    };
    struct line_meaning m = {
        .kind = 1,
        .entry = builder_entry(&v->builder, &frame),
        .depth = depth,
        .context = (uint32_t)v->figures.count,
    };

    if (!read_figures(t, v) || !add_row(v, &m))
        return false;
    if (t->keeps)
        t->meaning = m;
    else
        v->figures.count = m.context;
    return true;
}

/* ---- the reference ------------------------------------------------------------------------- */

static uint32_t reference_series(struct visual_studio *v)
{
    for (size_t i = 0; i < MEASURES; i++)
        if (v->series[i] != BUILDER_LEFT_OUT)
            return v->series[i];
    return BUILDER_LEFT_OUT;
}

static bool write_reference(struct visual_studio *v)
{
    if (!v->reference.count || !v->reference.items[v->reference.count - 1].weight)
        return true;
    builder_begin(&v->builder);
    vec_each (struct reference_row, row, &v->reference)
        builder_push(&v->builder, row->entry);
    return builder_add(&v->builder, reference_series(v),
                       v->reference.items[v->reference.count - 1].weight);
}

/* inferno treats calls as inclusive and writes, for a parent, its value minus its last child's. */
static bool close_reference_calls(struct visual_studio *v, uint64_t level)
{
    uint64_t last = 0;
    size_t times = v->reference.count >= level ? v->reference.count - (size_t)level + 1 : 0;

    for (bool first = true; times && v->reference.count; times--, first = false) {
        struct reference_row *row = &v->reference.items[v->reference.count - 1], *parent;

        if ((first || last != row->weight) && !write_reference(v))
            return false;
        last = row->weight;
        if (--v->reference.count == 0)
            break;
        parent = &v->reference.items[v->reference.count - 1];
        if (last < parent->weight)
            parent->weight -= last;
    }
    return true;
}

/* stackcollapse-vsprof.pl writes only the deepest row of each descent. */
static bool close_reference_samples(struct visual_studio *v, uint64_t level)
{
    if (level > v->reference.count)
        return true;
    if (!write_reference(v))
        return false;
    v->reference.count = (size_t)level - 1;
    return true;
}

static bool add_reference(struct text *t, struct visual_studio *v, uint64_t level)
{
    struct slice name = csv_text(&v->row, v->name);
    struct frame frame = {.kind = FRAME_PLAIN};
    uint64_t weight;

    if (!csv_whole(csv_text(&v->row, 2), &weight))
        return text_fail_line(t, "not a number", csv_text(&v->row, 2));
    if (level == 0 && !v->calls)
        return true;
    if (!(v->calls ? close_reference_calls(v, level) : close_reference_samples(v, level)))
        return false;
    buf_clear(&v->scratch);
    for (size_t i = 0; i < name.len; i++)
        if (v->calls || (name.ptr[i] != ' ' && name.ptr[i] != '"'))
            buf_add_char(&v->scratch, name.ptr[i]);
    frame.name = buf_slice(&v->scratch);
    *vec_add(&v->reference) = (struct reference_row){builder_entry(&v->builder, &frame), weight};
    return true;
}

/* ---- lines --------------------------------------------------------------------------------- */

/* Makes a series for each measure in the heading; for reference names only for the first. */
static void make_series(struct visual_studio *v)
{
    bool reference = v->builder.options->names == NAMES_REFERENCE, done = false;

    for (size_t i = 0; i < MEASURES; i++) {
        size_t column = v->own[i] != CSV_NONE ? v->own[i] : v->inclusive[i];

        v->series[i] = BUILDER_LEFT_OUT;
        if (column == CSV_NONE)
            continue;
        if (reference && (done || (v->calls && column != 2)))
            continue;
        done = true;
        v->series[i] = builder_series(
            &v->builder, &(struct origin){.event = slice_str(measures[i].event)}, measures[i].unit);
    }
}

static bool read_row(struct text *t, struct visual_studio *v, struct slice line)
{
    bool first = !v->path.count && !v->reference.count;
    uint64_t level;

    if (!csv_split(&v->row, line, v->delimiter))
        return text_fail_line(t, "unclosed quote", line);
    if (!num_parse_u64(csv_text(&v->row, 0), &level))
        return text_fail_line(t, "malformed level", csv_text(&v->row, 0));
    if (!csv_text(&v->row, v->name).len)
        return text_fail_line(t, "missing function name", line);
    if (t->options->names == NAMES_REFERENCE)
        return add_reference(t, v, level);
    if (first)
        v->base = level;
    if (level < v->base)
        return text_fail_line(t, "a level above that of the first row", csv_text(&v->row, 0));
    if (level - v->base > v->path.count)
        return text_fail_line(t, "more than one level deeper than the row before", line);
    return read_tree_row(t, v, (uint32_t)(level - v->base));
}

static bool visual_studio_line(struct text *t, void *state, struct slice line)
{
    struct visual_studio *v = state;

    line = slice_trim(line);
    if (!line.len)
        return true;
    if (v->delimiter)
        return read_row(t, v, line);
    if (!read_heading(v, line))
        return diag_error(t->diag,
                          "expected the heading of a call tree, 'Level,Function Name,...'");
    make_series(v);
    return true;
}

static enum text_again visual_studio_again(struct text *t, void *state,
                                           const struct line_meaning *m)
{
    struct visual_studio *v = state;

    (void)t;
    if (m->depth > v->path.count)
        return TEXT_UNFIT;
    return add_row(v, m) ? TEXT_DONE : TEXT_FAILED;
}

static bool visual_studio_end(struct text *t, void *state)
{
    struct visual_studio *v = state;

    (void)t;
    return close_rows(v, 0) && write_reference(v);
}

STATE_RELEASE(visual_studio, (vec, path, figures, reference), (csv, row), (buf, scratch),
              (builder, builder));

const struct format format_visual_studio = {
    .name = "visual-studio",
    .family = FORMAT_SYSTEMS,
    .description = "Visual Studio profiler call tree as CSV",
    .recognised = "a heading 'Level,Function Name,...' with samples, times or calls",
    .example = "VSPerfReport /Summary:CallTree /Output:DIR app.vsp",
    .claims = visual_studio_claims,
    .text = {BUILDER_READER(visual_studio, builder), .again = visual_studio_again},
};
