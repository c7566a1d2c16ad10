#include "report/top_table.h"

#include "base/json_writer.h"
#include "base/num.h"
#include "base/utf8.h"
#include "report/cells.h"
#include "tree/top.h"

/* A table while it is written. */
struct table {
    const struct profile *profile;
    const struct series *series;
    struct unit_scale scale;
    struct top top;
    size_t rows; /* shown */
    const struct shares *shares;
    uint64_t total;
    uint64_t without; /* weight without a stack, which no row has as its own */
    struct buf *out;
};

static void init(struct table *t, const struct top_table *wanted, struct buf *out)
{
    const struct tree *tree = wanted->tree;

    *t = (struct table){
        .profile = tree->profile,
        .series = &tree->profile->series.items[tree->series],
        .scale = wanted->scale,
        .shares = wanted->shares,
        .total = tree_weight(tree),
        .out = out,
    };
    top_init(&t->top, tree);
    top_sort(&t->top, &tree->profile->symbols, TOP_BY_SELF);
    t->rows = t->top.rows.count < wanted->rows ? t->top.rows.count : wanted->rows;
    t->without = t->total;
    vec_each (const struct top_row, row, &t->top.rows)
        t->without -= row->self;
}

enum { WIDTH = 16, PERCENT_WIDTH = 9 };

static void write_amount(const struct table *t, uint64_t weight)
{
    struct buf cell = {0};

    unit_write_part(&cell, &t->scale, weight, t->total);
    cells_column(t->out, buf_slice(&cell), WIDTH);
    buf_clear(&cell);
    num_write_percent(&cell, weight, t->total, PERCENT_TABLE);
    buf_add_char(&cell, '%');
    cells_column(t->out, buf_slice(&cell), PERCENT_WIDTH);
    buf_release(&cell);
}

static void write_text_searches(const struct table *t)
{
    enum { SELF = WIDTH + PERCENT_WIDTH };

    if (t->shares->count)
        buf_printf(t->out, "\n%*s%*s%*s  search\n", SELF, "", WIDTH, "total", PERCENT_WIDTH, "");
    vec_each (const struct share, share, t->shares) {
        buf_printf(t->out, "%*s", SELF, "");
        if (share->exhausted)
            buf_printf(t->out, "%*s%*s", WIDTH, "unknown", PERCENT_WIDTH, "");
        else
            write_amount(t, share->weight);
        buf_add_str(t->out, "  ");
        utf8_add_escaped(t->out, share->search->name);
        buf_add_char(t->out, '\n');
    }
}

static void write_text(const struct table *t)
{
    const struct symbols *symbols = &t->profile->symbols;
    struct slice unit = unit_word(&t->scale.unit);

    unit_write_exact(t->out, &t->scale, t->total);
    profile_add_dumps(t->profile, (uint32_t)(t->series - t->profile->series.items), t->out);
    if (!unit_implies(&t->scale.unit, t->series->name))
        buf_printf(t->out, " of %.*s", SLICE_ARG(t->series->name));
    buf_printf(t->out, ", %zu of %zu function%s%s", t->rows, t->top.rows.count,
               t->top.rows.count == 1 ? "" : "s",
               profile_is_estimated(t->profile) ? ", stacks estimated from calls" : "");
    if (t->without) {
        buf_add_str(t->out, ", ");
        num_write_percent(t->out, t->without, t->total, PERCENT_TABLE);
        buf_add_str(t->out, "% without a stack");
    }
    buf_add_str(t->out, "\n\n");
    buf_printf(t->out, "%*s%*s%*s%*s  function (%.*s)\n", WIDTH, "self", PERCENT_WIDTH, "", WIDTH,
               "total", PERCENT_WIDTH, "", SLICE_ARG(unit));
    for (size_t i = 0; i < t->rows; i++) {
        const struct top_row *row = &t->top.rows.items[i];

        write_amount(t, row->self);
        write_amount(t, row->total);
        buf_add_str(t->out, "  ");
        utf8_add_escaped(t->out, symbol_name(symbols, row->symbol));
        buf_add_slice(t->out, symbol_mark(symbols, row->symbol));
        buf_add_char(t->out, '\n');
    }
    write_text_searches(t);
}

static void write_csv_amount(const struct table *t, uint64_t weight)
{
    buf_add_char(t->out, ',');
    num_write_decimal(t->out, weight, t->profile->decimals);
    buf_add_char(t->out, ',');
    num_write_percent(t->out, weight, t->total, PERCENT_EXACT);
}

/* A search is a row of the class "search", without a weight of its own. */
static void write_csv_searches(const struct table *t)
{
    vec_each (const struct share, share, t->shares) {
        cells_csv_text(t->out, share->search->name);
        buf_add_str(t->out, ",search,,");
        if (share->exhausted)
            buf_add_str(t->out, ",,");
        else
            write_csv_amount(t, share->weight);
        cells_csv_unit(t->out, &t->scale.unit);
        buf_add_str(t->out, "\r\n");
    }
}

/* Weights are exact, in the profile's own unit; no display factor is applied. */
static void write_csv(const struct table *t)
{
    const struct symbols *symbols = &t->profile->symbols;

    buf_add_str(t->out, "function,class,self,self_percent,total,total_percent,unit\r\n");
    for (size_t i = 0; i < t->rows; i++) {
        const struct top_row *row = &t->top.rows.items[i];

        cells_csv_text(t->out, symbol_name(symbols, row->symbol));
        buf_add_char(t->out, ',');
        buf_add_slice(t->out, symbol_class_word(symbol_class(symbols, row->symbol)));
        write_csv_amount(t, row->self);
        write_csv_amount(t, row->total);
        cells_csv_unit(t->out, &t->scale.unit);
        buf_add_str(t->out, "\r\n");
    }
    write_csv_searches(t);
}

static void write_json_amount(struct json_writer *w, const struct table *t, const char *key,
                              const char *percent, uint64_t weight)
{
    json_writer_weight(w, key, weight, t->profile->decimals);
    json_writer_percent(w, percent, weight, t->total, 4);
}

static void write_json_searches(struct json_writer *w, const struct table *t)
{
    json_writer_list(w, "searches", JSON_LINES);
    vec_each (const struct share, share, t->shares) {
        json_writer_object(w, NULL, JSON_INLINE);
        json_writer_text(w, "name", share->search->name);
        json_writer_text(w, "pattern", share->search->pattern);
        if (share->exhausted) {
            json_writer_null(w, "total");
            json_writer_null(w, "total_percent");
        } else {
            write_json_amount(w, t, "total", "total_percent", share->weight);
        }
        json_writer_close(w);
    }
    json_writer_close(w);
}

/* As in report.json a weight of 1 is 10^exponent of the unit, and no display factor is applied. */
static void write_json(const struct table *t)
{
    const struct symbols *symbols = &t->profile->symbols;
    struct json_writer w;

    json_writer_init(&w, t->out);
    json_writer_object(&w, NULL, JSON_INLINE);
    json_writer_text(&w, "event", t->series->name);
    json_writer_text(&w, "unit", unit_word(&t->scale.unit));
    json_writer_i64(&w, "exponent", t->scale.unit.exponent);
    json_writer_weight(&w, "total", t->total, t->profile->decimals);
    write_json_amount(&w, t, "without_stack", "without_stack_percent", t->without);
    json_writer_u64(&w, "functions", t->top.rows.count);
    if (profile_is_estimated(t->profile))
        json_writer_bool(&w, "estimated", true);
    json_writer_list(&w, "top", JSON_LINES);
    for (size_t i = 0; i < t->rows; i++) {
        const struct top_row *row = &t->top.rows.items[i];

        json_writer_object(&w, NULL, JSON_INLINE);
        json_writer_text(&w, "name", symbol_name(symbols, row->symbol));
        json_writer_text(&w, "class", symbol_class_word(symbol_class(symbols, row->symbol)));
        write_json_amount(&w, t, "self", "self_percent", row->self);
        write_json_amount(&w, t, "total", "total_percent", row->total);
        json_writer_close(&w);
    }
    json_writer_close(&w);
    if (t->shares->count)
        write_json_searches(&w, t);
    json_writer_close(&w);
    buf_add_char(t->out, '\n');
}

static void write(const struct top_table *wanted, void (*write_rows)(const struct table *t),
                  struct buf *out)
{
    struct table t;

    init(&t, wanted, out);
    write_rows(&t);
    top_release(&t.top);
}

void top_table_text(const struct top_table *t, struct buf *out)
{
    write(t, write_text, out);
}

void top_table_csv(const struct top_table *t, struct buf *out)
{
    write(t, write_csv, out);
}

void top_table_json(const struct top_table *t, struct buf *out)
{
    write(t, write_json, out);
}
