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
 * a parent, with all of its parents. Each metric (caliper_metric.h) is a series. Weights are
 * exclusive: of a region without its children. A rank of MPI is a process, for --split. Other
 * columns are dropped.
 *
 * Times have the unit in "attribute.unit", else they are microseconds if all are whole, and
 * seconds if not.
 *
 * Source: github.com/LLNL/Caliper, src/reader/JsonSplitFormatter.cpp.
 */
#include "base/num.h"
#include "input/build/frame_tree.h"
#include "input/format.h"
#include "input/formats/hpc/caliper_metric.h"
#include "input/parse/json.h"

struct column {
    struct slice name, unit;
    bool value, metric;
    struct caliper_metric kind;
    uint64_t inner;       /* its nodes that have a parent */
    VEC(uint32_t) series; /* by rank + 1, 0 without one: the series + 1, or 0 */
};

struct caliper {
    struct builder b;
    struct frame_tree tree;
    struct json_document document;
    VEC(struct column) columns;
    size_t path, rank; /* columns; the number of columns if there is none */
    bool seconds;
    uint64_t bad;
};

static bool caliper_claims(const struct head *h)
{
    return head_has(h, "columns") && head_has(h, "column_metadata[].is_value");
}

/* ---- columns ------------------------------------------------------------------------------- */

static void read_columns(struct caliper *c, const struct json_value *top)
{
    const struct json_value *names = json_get(top, "columns");
    const struct json_value *metadata = json_get(top, "column_metadata");
    const struct json_value *about = metadata ? json_first(metadata) : NULL;

    if (!names)
        return;
    json_each(v, names)
    {
        struct column column = {.name = json_text(v),
                                .unit = json_text(json_get(about, "attribute.unit"))};
        const struct json_value *value = json_get(about, "is_value");

        column.value = value && value->type == JSON_TRUE;
        column.metric = column.value && caliper_metric_of(column.name, &column.kind);
        *vec_add(&c->columns) = column;
        about = about ? json_next(metadata, about) : NULL;
    }
}

static size_t find_column(const struct caliper *c, struct slice name)
{
    size_t i = 0;

    while (i < c->columns.count && !slice_equal(c->columns.items[i].name, name))
        i++;
    return i;
}

/* The column with the nodes of stacks. */
static size_t find_path(const struct caliper *c)
{
    size_t best = find_column(c, SLICE("path"));

    for (size_t i = 0; i < c->columns.count; i++) {
        const struct column *column = &c->columns.items[i];

        if (column->value ||
            (best < c->columns.count && slice_equal(c->columns.items[best].name, SLICE("path"))))
            continue;
        if (best == c->columns.count || column->inner > c->columns.items[best].inner)
            best = i;
    }
    return best;
}

/* ---- nodes --------------------------------------------------------------------------------- */

static void read_node(struct caliper *c, const struct json_value *v, struct slice id)
{
    struct slice label = json_text(json_get(v, "label"));
    const struct json_value *parent = json_get(v, "parent");
    size_t column = find_column(c, json_text(json_get(v, "column")));
    struct frame frame = {.name = label, .kind = FRAME_NATIVE};
    uint32_t node = frame_tree_node(&c->tree, id);

    if (slice_equal(label, SLICE("UNKNOWN")))
        frame.name.len = 0;
    frame_tree_define(&c->tree, node, builder_entry(&c->b, &frame));
    if (!parent || parent->type != JSON_NUMBER)
        return;
    frame_tree_hang(&c->tree, node, frame_tree_node(&c->tree, parent->text));
    if (column < c->columns.count)
        c->columns.items[column].inner++;
}

static void read_nodes(struct caliper *c, const struct json_value *nodes)
{
    struct buf id = {0};
    uint32_t number = 0;

    if (!nodes)
        return;
    json_each(v, nodes)
    {
        buf_clear(&id);
        buf_printf(&id, "%u", number++);
        read_node(c, v, buf_slice(&id));
    }
    buf_release(&id);
}

/* ---- rows ---------------------------------------------------------------------------------- */

/* Takes the cells of a row. The places of numbers in a row of numbers alone are copied. */
static bool take_cells(struct caliper *c, const struct json_value *row, struct json_value *copies)
{
    size_t i = 0;

    if (row->type != JSON_ARRAY)
        return false;
    json_each(v, row)
    {
        if (i == c->columns.count)
            return false;
        copies[i++] = *v;
    }
    return i == c->columns.count;
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
static bool find_fraction(struct caliper *c, const struct json_value *rows,
                          struct json_value *cells)
{
    json_each(row, rows)
    {
        if (!take_cells(c, row, cells))
            continue;
        for (size_t i = 0; i < c->columns.count; i++)
            if (c->columns.items[i].metric && c->columns.items[i].kind.time &&
                cells[i].type == JSON_NUMBER && has_fraction(cells[i].text))
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

static bool add_cell(struct caliper *c, struct column *column, const struct json_value *v,
                     struct slice rank, uint32_t stack)
{
    struct decimal weight;

    if (v->type == JSON_NULL)
        return true;
    if (!json_decimal(v, &weight, NULL)) {
        c->bad++;
        return true;
    }
    return builder_add_at(&c->b, series_of(c, column, rank), stack, weight);
}

static bool add_row(struct caliper *c, const struct json_value *cells)
{
    struct slice rank = slice_make(NULL, 0);
    uint32_t stack = STACK_ROOT;
    bool ok = true;

    if (c->path < c->columns.count && cells[c->path].type == JSON_NUMBER)
        ok = frame_tree_stack(&c->tree, frame_tree_node(&c->tree, cells[c->path].text), STACK_ROOT,
                              &stack);
    if (c->rank < c->columns.count && cells[c->rank].type == JSON_NUMBER)
        rank = cells[c->rank].text;
    /* The first series is the one that is drawn: time, if the file has it. */
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; ok && i < c->columns.count; i++) {
            struct column *column = &c->columns.items[i];

            if (column->metric && column->kind.time == !pass)
                ok = add_cell(c, column, &cells[i], rank, stack);
        }
    return ok;
}

static bool add_rows(struct caliper *c, const struct json_value *rows)
{
    struct json_value *cells = xcalloc(c->columns.count + 1, sizeof(*cells));
    bool ok = true;

    c->path = find_path(c);
    c->rank = find_column(c, SLICE("mpi.rank"));
    c->seconds = find_fraction(c, rows, cells);
    json_each(row, rows)
    {
        if (!take_cells(c, row, cells))
            c->bad++;
        else
            ok = ok && add_row(c, cells);
    }
    xfree(cells);
    return ok;
}

static bool caliper_read(struct content *content)
{
    struct caliper c = {0};
    const struct json_value *top, *rows;
    bool ok = json_load(content, &c.document);

    builder_init(&c.b, content->profile, content->options, content->diag);
    frame_tree_init(&c.tree, &c.b);
    top = ok ? c.document.values.items : NULL;
    rows = json_get(top, "data");
    if (ok) {
        read_columns(&c, top);
        read_nodes(&c, json_get(top, "nodes"));
        ok = !rows || add_rows(&c, rows);
    }
    c.bad += c.tree.lost;
    content->profile->ledger.unreadable += c.bad;
    if (ok && c.bad)
        diag_warn_count(
            content->diag, c.bad,
            "# {row, value or node is|rows, values or nodes are} malformed or undefined");
    vec_each (struct column, column, &c.columns)
        vec_release(&column->series);
    release_each(&c, (vec, columns), (frame_tree, tree), (builder, b), (json, document));
    return ok;
}

const struct format format_caliper = {
    .name = "caliper",
    .family = FORMAT_SYSTEMS,
    .description = "tables of Caliper with a call tree, exclusive values",
    .recognised = "the members \"columns\" and \"column_metadata\" with \"is_value\"",
    .example = "cali-query -q 'format json-split' app.cali > app.caliper.json",
    .without_stacks = "the query has no sum or count of a region",
    .claims = caliper_claims,
    .read = caliper_read,
};
