#include "report/change_table.h"

#include <string.h>

#include "base/json_writer.h"
#include "base/num.h"
#include "base/utf8.h"
#include "profile/pair.h"
#include "report/cells.h"
#include "tree/top.h"

struct table {
    const struct profile *profile;
    uint32_t series;
    struct unit_scale scale;
    struct top top;
    size_t rows; /* shown */
    uint64_t total, base;
    uint64_t unscaled, unscaled_base; /* totals before --normalize; 0 if it did not scale them */
    struct buf *out;
};

static void init(struct table *t, const struct change_table *c, struct buf *out)
{
    const struct profile *p = c->profile;
    const struct series *s = &p->series.items[c->series];
    struct tree_options whole = {.reverse = false};
    struct tree tree;

    *t = (struct table){.profile = p, .series = c->series, .scale = c->scale, .out = out};
    tree_init(&tree, p, c->series, &whole);
    top_init(&t->top, &tree);
    top_sort(&t->top, &p->symbols, c->by_total ? TOP_BY_TOTAL_CHANGE : TOP_BY_SELF_CHANGE);
    t->total = tree.total[TREE_ROOT];
    t->base = tree.base[TREE_ROOT];
    t->unscaled = s->unscaled;
    if (s->base != SERIES_NONE)
        t->unscaled_base = p->series.items[s->base].unscaled;
    t->rows = t->top.rows.count < c->rows ? t->top.rows.count : c->rows;
    tree_release(&tree);
}

static uint64_t size_of(int64_t change)
{
    return change < 0 ? -(uint64_t)change : (uint64_t)change;
}

static const char *sign_of(int64_t change)
{
    return change < 0 ? "-" : change > 0 ? "+" : "";
}

/* ---- text ---------------------------------------------------------------------------------- */

enum { WIDTH = 16 };

static void write_number(const struct table *t, const char *sign, uint64_t weight)
{
    struct buf cell = {0};

    buf_add_str(&cell, sign);
    unit_write_part(&cell, &t->scale, pair_readable(t->profile, t->series, weight),
                    t->total > t->base ? t->total : t->base);
    cells_column(t->out, buf_slice(&cell), WIDTH);
    buf_release(&cell);
}

static void write_change(const struct table *t, int64_t change, uint64_t base, uint64_t now)
{
    write_number(t, sign_of(change), size_of(change));
    write_number(t, "", base);
    write_number(t, "", now);
}

static void write_side(const struct table *t, uint64_t total, uint64_t unscaled)
{
    unit_write_exact(t->out, &t->scale, total);
    if (unscaled) {
        buf_add_str(t->out, ", scaled from ");
        unit_write_exact(t->out, &t->scale, unscaled);
    }
}

static void write_head(const struct table *t)
{
    static const char *const heads[] = {"self change",  "base", "new",
                                        "total change", "base", "new"};
    int64_t change = (int64_t)(t->total - t->base);

    buf_add_str(t->out, "base ");
    write_side(t, t->base, t->unscaled_base);
    buf_add_str(t->out, ", new ");
    write_side(t, t->total, t->unscaled);
    buf_printf(t->out, ", change %s", sign_of(change));
    unit_write_exact(t->out, &t->scale, size_of(change));
    if (t->base) {
        buf_printf(t->out, " (%s", sign_of(change));
        num_write_percent(t->out, size_of(change), t->base, PERCENT_TABLE);
        buf_add_str(t->out, "%)");
    }
    buf_printf(t->out, "; %zu of %zu functions\n\n", t->rows, t->top.rows.count);
    for (size_t i = 0; i < sizeof(heads) / sizeof(heads[0]); i++)
        cells_column(t->out, slice_str(heads[i]), WIDTH);
    buf_printf(t->out, "        function (%.*s)\n", SLICE_ARG(unit_word(&t->scale.unit)));
}

void change_table_write_text(const struct change_table *c, struct buf *out)
{
    const struct profile *p = c->profile;
    struct table t;

    init(&t, c, out);
    write_head(&t);
    for (size_t i = 0; i < t.rows; i++) {
        const struct top_row *row = &t.top.rows.items[i];

        write_change(&t, top_self_change(row), row->base_self, row->self);
        write_change(&t, top_total_change(row), row->base_total, row->total);
        buf_printf(out, "  %-4.*s  ", SLICE_ARG(top_state(row)));
        utf8_add_escaped(out, symbol_name(&p->symbols, row->symbol));
        buf_add_slice(out, symbol_mark(&p->symbols, row->symbol));
        buf_add_char(out, '\n');
    }
    top_release(&t.top);
}

/* ---- for programs -------------------------------------------------------------------------- */

static void write_exact(const struct table *t, const char *sign, uint64_t weight)
{
    buf_add_str(t->out, sign);
    num_write_decimal(t->out, weight, t->profile->decimals);
}

static const char *minus_of(int64_t change)
{
    return change < 0 ? "-" : "";
}

static void write_csv_change(const struct table *t, int64_t change, uint64_t base, uint64_t now)
{
    buf_add_char(t->out, ',');
    write_exact(t, "", base);
    buf_add_char(t->out, ',');
    write_exact(t, "", now);
    buf_add_char(t->out, ',');
    write_exact(t, minus_of(change), size_of(change));
}

void change_table_write_csv(const struct change_table *c, struct buf *out)
{
    const struct profile *p = c->profile;
    struct table t;

    init(&t, c, out);
    buf_add_str(out, "function,class,state,self_base,self_new,self_change,total_base,total_new,"
                     "total_change,unit\r\n");
    for (size_t i = 0; i < t.rows; i++) {
        const struct top_row *row = &t.top.rows.items[i];

        cells_csv_text(out, symbol_name(&p->symbols, row->symbol));
        buf_add_char(out, ',');
        buf_add_slice(out, symbol_class_word(symbol_class(&p->symbols, row->symbol)));
        buf_add_char(out, ',');
        buf_add_slice(out, top_state(row));
        write_csv_change(&t, top_self_change(row), row->base_self, row->self);
        write_csv_change(&t, top_total_change(row), row->base_total, row->total);
        cells_csv_unit(out, &t.scale.unit);
        buf_add_str(out, "\r\n");
    }
    top_release(&t.top);
}

static void write_json_change(struct json_writer *w, const struct table *t, const char *key,
                              uint64_t base, uint64_t now)
{
    json_writer_object(w, key, JSON_INLINE);
    json_writer_weight(w, "base", base, t->profile->decimals);
    json_writer_weight(w, "new", now, t->profile->decimals);
    json_writer_change(w, "change", (int64_t)(now - base), t->profile->decimals);
    json_writer_close(w);
}

static void write_json_row(struct json_writer *w, const struct table *t, const struct top_row *row)
{
    const struct symbols *symbols = &t->profile->symbols;

    json_writer_object(w, NULL, JSON_INLINE);
    json_writer_text(w, "name", symbol_name(symbols, row->symbol));
    json_writer_text(w, "class", symbol_class_word(symbol_class(symbols, row->symbol)));
    json_writer_optional(w, "state", top_state(row));
    write_json_change(w, t, "self", row->base_self, row->self);
    write_json_change(w, t, "total", row->base_total, row->total);
    json_writer_close(w);
}

void change_table_write_json(const struct change_table *c, struct buf *out)
{
    const struct profile *p = c->profile;
    struct json_writer w;
    struct table t;

    init(&t, c, out);
    json_writer_init(&w, out);
    json_writer_object(&w, NULL, JSON_INLINE);
    json_writer_text(&w, "event", p->series.items[c->series].name);
    json_writer_text(&w, "unit", unit_word(&t.scale.unit));
    json_writer_i64(&w, "exponent", t.scale.unit.exponent);
    write_json_change(&w, &t, "total", t.base, t.total);
    if (t.unscaled_base)
        json_writer_weight(&w, "unscaled_base", t.unscaled_base, p->decimals);
    if (t.unscaled)
        json_writer_weight(&w, "unscaled_new", t.unscaled, p->decimals);
    json_writer_u64(&w, "functions", t.top.rows.count);
    json_writer_list(&w, "changes", JSON_LINES);
    for (size_t i = 0; i < t.rows; i++)
        write_json_row(&w, &t, &t.top.rows.items[i]);
    json_writer_close(&w);
    json_writer_close(&w);
    buf_add_char(out, '\n');
    top_release(&t.top);
}
