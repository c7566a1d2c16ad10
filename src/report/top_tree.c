#include "report/top_tree.h"

#include <stdlib.h>

#include "base/json_writer.h"
#include "base/num.h"
#include "base/utf8.h"
#include "report/cells.h"
#include "tree/outline.h"

enum { PERCENT_WIDTH = 8, INDENT = 2, MOST_INDENT = 200 };

/* A side of the tree while it is written. */
struct side {
    const struct top_tree *top;
    const char *name; /* "tree", "callees", "callers" */
    bool callers;
    const uint64_t *self; /* by node */
    uint64_t whole;       /* what shares are of */
    struct buf *out;
    struct json_writer *json; /* writes to `out`; NULL for text and CSV */
};

/* Writes a side: a heading, the rows, and a line about omitted rows; each may be NULL. */
struct format {
    void (*begin)(const struct side *s);
    void (*row)(const struct side *s, const struct outline_row *row);
    void (*end)(const struct side *s, const struct outline *rows);
};

static const struct series *series_of(const struct tree *t)
{
    return &t->profile->series.items[t->series];
}

static uint64_t whole_of(const struct tree *t)
{
    return tree_weight(t->whole ? t->whole : t);
}

/* Returns the function of a row; SYMBOL_NONE for the root. */
static uint32_t symbol_of(const struct tree *t, const struct outline_row *row)
{
    return row->node == TREE_ROOT ? t->around : t->symbol[row->node];
}

static struct slice name_of(const struct tree *t, const struct outline_row *row)
{
    uint32_t symbol = symbol_of(t, row);

    return symbol == SYMBOL_NONE ? SLICE("all") : symbol_name(&t->profile->symbols, symbol);
}

static enum symbol_class class_of(const struct tree *t, const struct outline_row *row)
{
    uint32_t symbol = symbol_of(t, row);

    return symbol == SYMBOL_NONE ? SYMBOL_USER : symbol_class(&t->profile->symbols, symbol);
}

/* The callers omit the function itself, which is the root of the callees. */
static void write_side(const struct side *s, const struct format *f)
{
    struct outline rows;

    outline_init(&rows, s->top->tree, s->top->rows, s->callers);
    if (f->begin)
        f->begin(s);
    for (size_t i = s->callers; i < rows.rows.count; i++)
        f->row(s, &rows.rows.items[i]);
    if (f->end)
        f->end(s, &rows);
    outline_release(&rows);
}

/* Writes both sides, the callers first, or the whole tree. */
static void write_sides(const struct top_tree *top, const struct format *f, struct buf *out,
                        struct json_writer *json)
{
    const struct tree *t = top->tree;
    uint64_t *self = xreallocarray(NULL, t->count, sizeof(*self));
    struct side callers = {top, "callers", true, self, whole_of(t), out, json};
    struct side others = {top, t->whole ? "callees" : "tree", false, self, whole_of(t), out, json};

    tree_self(t, self);
    if (t->whole)
        write_side(&callers, f);
    write_side(&others, f);
    free(self);
}

/* ---- text ---------------------------------------------------------------------------------- */

static void write_percent(const struct side *s, uint64_t weight)
{
    struct buf cell = {0};

    num_write_percent(&cell, weight, s->whole, PERCENT_TABLE);
    buf_add_char(&cell, '%');
    cells_column(s->out, buf_slice(&cell), PERCENT_WIDTH);
    buf_release(&cell);
}

static void write_text_row(const struct side *s, const struct outline_row *row)
{
    const struct tree *t = s->top->tree;
    uint32_t depth = row->depth < MOST_INDENT ? row->depth : MOST_INDENT;

    write_percent(s, t->total[row->node]);
    if (s->callers)
        buf_printf(s->out, "%*s", PERCENT_WIDTH, "");
    else
        write_percent(s, s->self[row->node]);
    buf_printf(s->out, "%*s", (int)(2 + INDENT * (depth - s->callers)), "");
    utf8_add_escaped(s->out, name_of(t, row));
    if (symbol_of(t, row) != SYMBOL_NONE)
        buf_add_slice(s->out, symbol_mark(&t->profile->symbols, symbol_of(t, row)));
    buf_add_char(s->out, '\n');
}

static void write_heading(const struct side *s)
{
    buf_printf(s->out, "\n%*s%*s  %s\n", PERCENT_WIDTH, "total", PERCENT_WIDTH,
               s->callers ? "" : "self", s->callers ? "called by" : "function");
}

static void write_rest(const struct side *s, const struct outline *rows)
{
    if (!rows->left_out)
        return;
    buf_printf(s->out, "%*s%*s  and %lu more, of ", PERCENT_WIDTH, "", PERCENT_WIDTH, "",
               (unsigned long)rows->left_out);
    num_write_percent(s->out, rows->heaviest, s->whole, PERCENT_TABLE);
    buf_add_str(s->out, "% at most (--rows)\n");
}

void top_tree_text(const struct top_tree *top, struct buf *out)
{
    static const struct format format = {write_heading, write_text_row, write_rest};
    const struct tree *t = top->tree;
    const struct series *series = series_of(t);

    unit_write_exact(out, &top->scale, tree_weight(t));
    profile_add_dumps(t->profile, t->series, out);
    if (!unit_implies(&top->scale.unit, series->name))
        buf_printf(out, " of %.*s", SLICE_ARG(series->name));
    if (t->whole) {
        buf_add_str(out, ", ");
        num_write_percent(out, tree_weight(t), whole_of(t), PERCENT_TABLE);
        buf_add_str(out, "% of all");
    }
    if (profile_is_estimated(t->profile))
        buf_add_str(out, ", stacks estimated from calls");
    buf_add_char(out, '\n');
    write_sides(top, &format, out, NULL);
}

/* ---- CSV and JSON: exact weights in the profile's own unit, no display factor -------------- */

static void write_csv_amount(const struct side *s, uint64_t weight)
{
    buf_add_char(s->out, ',');
    num_write_decimal(s->out, weight, s->top->tree->profile->decimals);
    buf_add_char(s->out, ',');
    num_write_percent(s->out, weight, s->whole, PERCENT_EXACT);
}

static void write_csv_row(const struct side *s, const struct outline_row *row)
{
    const struct tree *t = s->top->tree;

    buf_printf(s->out, "%s,%lu,", s->name, (unsigned long)row->depth);
    cells_csv_text(s->out, name_of(t, row));
    buf_add_char(s->out, ',');
    buf_add_slice(s->out, symbol_class_word(class_of(t, row)));
    write_csv_amount(s, s->self[row->node]);
    write_csv_amount(s, t->total[row->node]);
    cells_csv_unit(s->out, &s->top->scale.unit);
    buf_add_str(s->out, "\r\n");
}

void top_tree_csv(const struct top_tree *top, struct buf *out)
{
    static const struct format format = {.row = write_csv_row};

    buf_add_str(out, "side,depth,function,class,self,self_percent,total,total_percent,unit\r\n");
    write_sides(top, &format, out, NULL);
}

static void write_json_amount(const struct side *s, const char *key, const char *percent,
                              uint64_t weight)
{
    json_writer_weight(s->json, key, weight, s->top->tree->profile->decimals);
    json_writer_percent(s->json, percent, weight, s->whole, 4);
}

static void write_json_row(const struct side *s, const struct outline_row *row)
{
    const struct tree *t = s->top->tree;

    json_writer_object(s->json, NULL, JSON_INLINE);
    json_writer_text(s->json, "side", slice_str(s->name));
    json_writer_u64(s->json, "depth", row->depth);
    json_writer_text(s->json, "name", name_of(t, row));
    json_writer_text(s->json, "class", symbol_class_word(class_of(t, row)));
    write_json_amount(s, "self", "self_percent", s->self[row->node]);
    write_json_amount(s, "total", "total_percent", t->total[row->node]);
    json_writer_close(s->json);
}

void top_tree_json(const struct top_tree *top, struct buf *out)
{
    static const struct format format = {.row = write_json_row};
    const struct tree *t = top->tree;
    struct json_writer json;

    json_writer_init(&json, out);
    json_writer_object(&json, NULL, JSON_INLINE);
    json_writer_text(&json, "event", series_of(t)->name);
    json_writer_text(&json, "unit", unit_word(&top->scale.unit));
    json_writer_i64(&json, "exponent", top->scale.unit.exponent);
    json_writer_weight(&json, "total", whole_of(t), t->profile->decimals);
    if (profile_is_estimated(t->profile))
        json_writer_bool(&json, "estimated", true);
    json_writer_list(&json, "tree", JSON_LINES);
    write_sides(top, &format, out, &json);
    json_writer_close(&json);
    json_writer_close(&json);
    buf_add_char(out, '\n');
}
