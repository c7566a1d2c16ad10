/*
 * Reader of Caliper's tables with a call tree, cali-query -q 'format json-split'.
 *
 *     {"data": [[0, 12.000000, 1], [1, 3.000000, 1]],
 *      "columns": ["mpi.rank", "sum#time.duration", "path"],
 *      "column_metadata": [{"is_value": true}, {"is_value": true}, {"is_value": false}],
 *      "nodes": [{"column": "path", "label": "main"},
 *                {"column": "path", "label": "work", "parent": 0}]}
 *
 * A row has a number for each column that is a value; in the others, the index of a node or null.
 * The stack of a row is the node in the column "path", or in the column with most nodes that have
 * a parent, with all of its parents. Each metric (caliper_metric.h) is a series; of inclusive
 * values those of the children are subtracted (inclusive.h). A table that has both has the
 * exclusive ones drawn. A rank of MPI is a process, for --split. Other columns are dropped.
 *
 * Times have the unit in "attribute.unit", else they are microseconds if all are whole, and
 * seconds if not.
 *
 * Source: github.com/LLNL/Caliper, src/reader/JsonSplitFormatter.cpp.
 */
#include "base/num.h"
#include "base/multiset.h"
#include "input/build/frame_tree.h"
#include "input/format.h"
#include "input/formats/hpc/caliper_metric.h"
#include "input/formats/hpc/inclusive.h"
#include "input/parse/json.h"

struct column {
    struct slice name, unit; /* in `texts` */
    bool value, metric;
    struct caliper_metric kind;
    VEC(uint32_t) series; /* by rank + 1, 0 without one: the series + 1, or 0 */
};

/*
 * The rows come before the columns and nodes that explain them. They wait for these: each distinct
 * row once, as the text of its cells.
 */
struct caliper {
    struct builder b;
    struct frame_tree tree;
    struct intern texts;
    struct multiset rows;
    struct inclusive inclusive;   /* by column */
    VEC(uint64_t) inner;          /* by text, the name of a column: its nodes that have a parent */
    VEC(struct column) columns;   /* with those that only "column_metadata" has */
    size_t column_count;          /* those of "columns" */
    VEC(struct json_value) cells; /* of the current row, one for each column */
    struct buf row;
    size_t path, rank; /* columns; column_count if there is none */
    uint32_t node_count;
    bool seconds;
};

static bool caliper_claims(const struct head *h)
{
    return head_has(h, "columns") && head_has(h, "column_metadata[].is_value");
}

static struct slice keep(struct caliper *c, struct slice text)
{
    return intern_get(&c->texts, intern_add(&c->texts, text));
}

/* ---- columns ------------------------------------------------------------------------------- */

static struct column *column_at(struct caliper *c, size_t i)
{
    while (c->columns.count <= i)
        *vec_add(&c->columns) = (struct column){0};
    return &c->columns.items[i];
}

static void read_names(struct caliper *c, const struct json_value *names)
{
    c->column_count = 0;
    json_each(v, names)
    {
        column_at(c, c->column_count++)->name = keep(c, json_text(v));
    }
}

static void read_metadata(struct caliper *c, const struct json_value *metadata)
{
    size_t i = 0;

    json_each(about, metadata)
    {
        const struct json_value *value = json_get(about, "is_value");
        struct column *column = column_at(c, i++);

        column->unit = keep(c, json_text(json_get(about, "attribute.unit")));
        column->value = value && value->type == JSON_TRUE;
    }
}

static size_t find_column(const struct caliper *c, struct slice name)
{
    size_t i = 0;

    while (i < c->column_count && !slice_equal(c->columns.items[i].name, name))
        i++;
    return i;
}

static uint64_t count_inner(const struct caliper *c, const struct column *column)
{
    uint32_t name = intern_find(&c->texts, column->name);

    return name < c->inner.count ? c->inner.items[name] : 0;
}

/* The column with the nodes of stacks. */
static size_t find_path(const struct caliper *c)
{
    size_t best = find_column(c, SLICE("path"));
    uint64_t most = 0;

    if (best < c->column_count)
        return best;
    for (size_t i = 0; i < c->column_count; i++) {
        uint64_t inner = count_inner(c, &c->columns.items[i]);

        if (c->columns.items[i].value || (best < c->column_count && inner <= most))
            continue;
        best = i;
        most = inner;
    }
    return best;
}

/* ---- nodes --------------------------------------------------------------------------------- */

static void count_parent(struct caliper *c, struct slice column)
{
    uint32_t name = intern_add(&c->texts, column);

    while (c->inner.count <= name)
        *vec_add(&c->inner) = 0;
    c->inner.items[name]++;
}

static void read_node(struct caliper *c, const struct json_value *v)
{
    struct slice label = json_text(json_get(v, "label"));
    const struct json_value *parent = json_get(v, "parent");
    struct frame frame = {.name = label, .kind = FRAME_NATIVE};
    uint32_t node;

    buf_clear(&c->row);
    buf_printf(&c->row, "%u", c->node_count++);
    node = frame_tree_node(&c->tree, buf_slice(&c->row));
    if (slice_equal(label, SLICE("UNKNOWN")))
        frame.name.len = 0;
    frame_tree_define(&c->tree, node, builder_entry(&c->b, &frame));
    if (!parent || parent->type != JSON_NUMBER)
        return;
    frame_tree_hang(&c->tree, node, frame_tree_node(&c->tree, parent->text));
    count_parent(c, json_text(json_get(v, "column")));
}

/* ---- rows ---------------------------------------------------------------------------------- */

/*
 * The text of a cell that is held. Numbers and null are as JSON has them. A string has a quote
 * before it if it may be a number; all other values are one letter.
 */
static void add_held_cell(struct buf *row, const struct json_value *v)
{
    static const char number[] = "0123456789+-.eE";
    struct slice text = v->text;

    buf_add_char(row, ',');
    for (size_t i = 0; i < text.len; i++)
        if (!text.ptr[i] || !strchr(number, text.ptr[i]))
            text.len = 0;
    if (v->type == JSON_NULL)
        buf_add_slice(row, SLICE("null"));
    else if (!text.len || (v->type != JSON_NUMBER && v->type != JSON_STRING))
        buf_add_char(row, 'x');
    else if (v->type == JSON_STRING)
        buf_add_char(row, '"');
    if (v->type == JSON_NUMBER || v->type == JSON_STRING)
        buf_add_slice(row, text);
}

static void hold_row(struct caliper *c, const struct json_value *row)
{
    struct slice text = row->text;

    if (row->type != JSON_ARRAY) {
        builder_skip(&c->b, DIAG_AT_FILE, "malformed row: %s; skipped", json_quoted(row).text);
        return;
    }
    if (!json_are_numbers(row)) {
        buf_clear(&c->row);
        json_each(v, row)
        {
            add_held_cell(&c->row, v);
        }
        text = buf_slice(&c->row);
    }
    multiset_add(&c->rows, text);
}

static enum json_type type_of(struct slice *cell)
{
    switch (cell->ptr[0]) {
    case 'n':
        return JSON_NULL;
    case 'x':
        return JSON_FALSE;
    case '"':
        *cell = slice_skip(*cell, 1);
        return JSON_STRING;
    default:
        return JSON_NUMBER;
    }
}

/* Takes the cells of a row that was held. Returns whether there is one for each column. */
static bool take_cells(struct caliper *c, uint32_t row)
{
    struct slice rest = intern_get(&c->rows.keys, row), cell;

    vec_clear(&c->cells);
    while (json_numbers_next(&rest, &cell)) {
        enum json_type type = type_of(&cell);

        if (c->cells.count == c->column_count)
            return false;
        *vec_add(&c->cells) = (struct json_value){.type = type, .size = 1, .text = cell};
    }
    return c->cells.count == c->column_count;
}

static bool has_fraction(struct slice number)
{
    number = slice_skip(number, slice_find(number, '.'));
    for (size_t i = 1; i < number.len; i++)
        if (number.ptr[i] != '0')
            return true;
    return false;
}

/* Whether a time of any row is no whole number. */
static bool find_fraction(struct caliper *c)
{
    for (uint32_t row = 0; row < multiset_size(&c->rows); row++) {
        if (!take_cells(c, row))
            continue;
        for (size_t i = 0; i < c->column_count; i++)
            if (c->columns.items[i].metric && c->columns.items[i].kind.time &&
                c->cells.items[i].type == JSON_NUMBER && has_fraction(c->cells.items[i].text))
                return true;
    }
    return false;
}

/* Returns the series of a column for a rank, which is empty if the table has none. */
static uint32_t series_of(struct caliper *c, struct column *column, struct slice rank)
{
    enum { MOST = 1 << 16 };
    struct origin origin = {.event = column->kind.event, .pid = rank};
    uint64_t number = 0;
    bool known = !rank.len || (num_parse_u64(rank, &number) && ++number < MOST);
    uint32_t series;

    if (known && number < column->series.count && column->series.items[number])
        return column->series.items[number] - 1;
    if (rank.len)
        origin.process = SLICE("rank");
    series = builder_series(&c->b, &origin,
                            caliper_metric_unit(&column->kind, column->unit, c->seconds));
    if (!known || series == BUILDER_LEFT_OUT)
        return series;
    while (column->series.count <= number)
        *vec_add(&column->series) = 0;
    column->series.items[number] = series + 1;
    return series;
}

/* Adds the weight of a cell, as often as the file has its row. */
static bool add_cell(struct caliper *c, struct column *column, const struct json_value *v,
                     struct slice rank, uint32_t stack, uint64_t times)
{
    struct decimal weight;
    uint32_t series;
    bool ok = true;

    if (v->type == JSON_NULL)
        return true;
    if (!json_decimal(v, &weight, NULL)) {
        builder_skip(&c->b, DIAG_AT_FILE,
                     "a value of '%.*s' is not a number or is negative; skipped",
                     SLICE_ARG(column->name));
        c->b.profile->ledger.unreadable += times - 1;
        return true;
    }
    if (column->kind.inclusive) {
        for (; times > 0; times--)
            inclusive_add(&c->inclusive, (uint32_t)(column - c->columns.items), rank, stack,
                          weight);
        return true;
    }
    series = series_of(c, column, rank);
    for (; ok && times > 0; times--)
        ok = builder_add_at(&c->b, series, stack, weight);
    return ok;
}

static bool add_row(struct caliper *c, uint64_t times)
{
    const struct json_value *cells = c->cells.items;
    struct slice rank = slice_make(NULL, 0);
    uint32_t stack = STACK_ROOT;
    bool ok = true;

    if (c->path < c->column_count && cells[c->path].type != JSON_NUMBER &&
        cells[c->path].type != JSON_NULL)
        builder_skip(&c->b, DIAG_AT_FILE, "the node of a row is no number; the row has no stack");
    if (c->path < c->column_count && cells[c->path].type == JSON_NUMBER)
        ok = frame_tree_stack(&c->tree, frame_tree_node(&c->tree, cells[c->path].text), STACK_ROOT,
                              &stack);
    if (c->rank < c->column_count && cells[c->rank].type == JSON_NUMBER)
        rank = cells[c->rank].text;
    /* The first series is the one that is drawn: time, if the file has it. */
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; ok && i < c->column_count; i++) {
            struct column *column = &c->columns.items[i];

            if (column->metric && column->kind.time == !pass)
                ok = add_cell(c, column, &cells[i], rank, stack, times);
        }
    return ok;
}

/* Decides which columns are weights: inclusive ones are if no exclusive one replaces them. */
static void choose_columns(struct caliper *c)
{
    for (size_t i = 0; i < c->column_count; i++) {
        struct column *column = &c->columns.items[i];

        column->metric = column->value && caliper_metric_of(column->name, &column->kind);
    }
    for (size_t i = 0; i < c->column_count; i++) {
        struct column *column = &c->columns.items[i];

        for (size_t j = 0; column->kind.inclusive && j < c->column_count; j++)
            if (c->columns.items[j].metric &&
                caliper_metric_replaces(&c->columns.items[j].kind, &column->kind))
                column->metric = false;
    }
}

/* Makes the series of inclusive times the first ones, though their values are added last. */
static void begin_inclusive(struct caliper *c)
{
    for (size_t i = 0; i < c->column_count && !c->b.options->split_process; i++) {
        const struct column *column = &c->columns.items[i];

        if (column->metric && column->kind.inclusive && column->kind.time)
            builder_series(&c->b, &(struct origin){.event = column->kind.event},
                           caliper_metric_unit(&column->kind, column->unit, c->seconds));
    }
}

static bool add_inclusive(struct caliper *c)
{
    bool ok = true;

    for (uint32_t i = 0; ok && i < c->column_count; i++) {
        const struct column *column = &c->columns.items[i];

        if (column->metric && column->kind.inclusive)
            ok = inclusive_finish(&c->inclusive, i, column->kind.event,
                                  caliper_metric_unit(&column->kind, column->unit, c->seconds),
                                  &c->b);
    }
    return ok;
}

/* Counts a row that has too few or too many cells, as often as the file has it. */
static void skip_row(const struct caliper *c, uint32_t row, uint64_t times)
{
    builder_skip_text(&c->b, "a row does not have one cell for each column",
                      intern_get(&c->rows.keys, row), "skipped");
    c->b.profile->ledger.unreadable += times - 1;
}

static bool add_rows(struct caliper *c)
{
    bool ok = true;

    choose_columns(c);
    c->path = find_path(c);
    c->rank = find_column(c, SLICE("mpi.rank"));
    c->seconds = find_fraction(c);
    begin_inclusive(c);
    for (size_t i = 0; ok && i < multiset_steps(&c->rows); i++) {
        uint32_t row = multiset_step(&c->rows, i);
        uint64_t times = multiset_times(&c->rows, row);

        if (take_cells(c, row))
            ok = add_row(c, times);
        else
            skip_row(c, row, times);
    }
    return ok && add_inclusive(c);
}

/* ---- documents ----------------------------------------------------------------------------- */

static bool wants_each(void *context, struct slice key)
{
    (void)context;
    return slice_equal(key, SLICE("data")) || slice_equal(key, SLICE("nodes"));
}

static bool read_value(void *context, struct slice parent, const struct json_value *v, uint64_t at)
{
    struct caliper *c = context;

    (void)at;
    if (slice_equal(parent, SLICE("data")))
        hold_row(c, v);
    else if (slice_equal(parent, SLICE("nodes")))
        read_node(c, v);
    else if (json_key_is(v, SLICE("columns")))
        read_names(c, v);
    else if (json_key_is(v, SLICE("column_metadata")))
        read_metadata(c, v);
    return true;
}

static bool caliper_read(struct content *content)
{
    struct caliper c = {.rows.in_order = content->profile->keep_timed};
    const struct json_handler handler = {
        .context = &c, .one_document = true, .each = wants_each, .value = read_value};
    bool ok;

    builder_init(&c.b, content->profile, content->options, content->diag);
    frame_tree_init(&c.tree, &c.b);
    ok = json_read(content, &handler) && add_rows(&c);
    vec_each (struct column, column, &c.columns)
        vec_release(&column->series);
    inclusive_release(&c.inclusive);
    release_each(&c, (vec, inner, columns, cells), (intern, texts), (multiset, rows), (buf, row),
                 (frame_tree, tree), (builder, b));
    return ok;
}

const struct format format_caliper = {
    .name = "caliper",
    .family = FORMAT_SYSTEMS,
    .description = "tables of Caliper with a call tree",
    .recognised = "the members \"columns\" and \"column_metadata\" with \"is_value\"",
    .example = "cali-query -q 'format json-split' app.cali > app.caliper.json",
    .without_stacks = "the query has no sum or count of a region",
    .claims = caliper_claims,
    .read = caliper_read,
};
