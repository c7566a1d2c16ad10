#include "cli/command.h"

#include <string.h>

#include "base/json_writer.h"
#include "base/num.h"
#include "base/suggest.h"
#include "base/utf8.h"
#include "draw/draw.h"
#include "cli/confine.h"
#include "cli/load.h"
#include "cli/sink.h"
#include "cli/table.h"
#include "cli/top_tree.h"
#include "options/table.h"
#include "tree/top.h"

enum { TREE_ROWS = 50 }; /* default --rows of --tree and --around */

/* One table as the user asked for it. */
struct table {
    const struct profile *profile;
    const struct series *series;
    struct unit_scale scale;
    const struct top *top;
    size_t rows; /* shown */
    uint64_t total;
    struct buf *out;
};

typedef void table_fn(const struct table *t);

static void write_amount(const struct table *t, uint64_t weight, size_t width)
{
    struct buf cell;

    buf_init(&cell);
    unit_write_number(&cell, &t->scale, weight);
    table_column(t->out, buf_slice(&cell), width);
    buf_clear(&cell);
    num_write_percent(&cell, weight, t->total, 2);
    buf_add_char(&cell, '%');
    table_column(t->out, buf_slice(&cell), 9);
    buf_release(&cell);
}

static void write_text(const struct table *t)
{
    const struct symbols *symbols = &t->profile->symbols;
    enum { WIDTH = 16 };
    struct slice unit = unit_word(&t->scale.unit);

    unit_write_exact(t->out, &t->scale, t->total);
    if (t->series->name.len)
        buf_printf(t->out, " of %.*s", SLICE_ARG(t->series->name));
    buf_printf(t->out, ", %zu of %zu functions%s\n\n", t->rows, t->top->rows.count,
               table_is_estimated(t->profile) ? ", stacks estimated from calls" : "");
    buf_printf(t->out, "%*s%9s%*s%9s  function (%.*s)\n", WIDTH, "self", "", WIDTH, "total", "",
               SLICE_ARG(unit));
    for (size_t i = 0; i < t->rows; i++) {
        const struct top_row *row = &t->top->rows.items[i];

        write_amount(t, row->self, WIDTH);
        write_amount(t, row->total, WIDTH);
        buf_add_str(t->out, "  ");
        utf8_add_escaped(t->out, symbol_name(symbols, row->symbol));
        buf_add_slice(t->out, symbol_suffix(symbol_class(symbols, row->symbol)));
        buf_add_char(t->out, '\n');
    }
}

static void write_csv_amount(const struct table *t, uint64_t weight)
{
    buf_add_char(t->out, ',');
    num_write_decimal(t->out, weight, t->profile->decimals);
    buf_add_char(t->out, ',');
    num_write_percent(t->out, weight, t->total, 4);
}

/* Weights are exact, in the profile's own unit; no display factor is applied. */
static void write_csv(const struct table *t)
{
    const struct symbols *symbols = &t->profile->symbols;

    buf_add_str(t->out, "function,class,self,self_percent,total,total_percent,unit\r\n");
    for (size_t i = 0; i < t->rows; i++) {
        const struct top_row *row = &t->top->rows.items[i];

        table_csv_text(t->out, symbol_name(symbols, row->symbol));
        buf_add_char(t->out, ',');
        buf_add_slice(t->out, symbol_class_word(symbol_class(symbols, row->symbol)));
        write_csv_amount(t, row->self);
        write_csv_amount(t, row->total);
        table_csv_unit(t->out, &t->scale.unit);
        buf_add_str(t->out, "\r\n");
    }
}

static void write_json_amount(struct json_writer *w, const struct table *t, const char *key,
                              const char *percent, uint64_t weight)
{
    json_writer_weight(w, key, weight, t->profile->decimals);
    json_writer_percent(w, percent, weight, t->total, 4);
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
    json_writer_u64(&w, "functions", t->top->rows.count);
    if (table_is_estimated(t->profile))
        json_writer_bool(&w, "estimated", true);
    json_writer_list(&w, "top", JSON_LINES);
    for (size_t i = 0; i < t->rows; i++) {
        const struct top_row *row = &t->top->rows.items[i];

        json_writer_object(&w, NULL, JSON_INLINE);
        json_writer_text(&w, "name", symbol_name(symbols, row->symbol));
        json_writer_text(&w, "class", symbol_class_word(symbol_class(symbols, row->symbol)));
        write_json_amount(&w, t, "self", "self_percent", row->self);
        write_json_amount(&w, t, "total", "total_percent", row->total);
        json_writer_close(&w);
    }
    json_writer_close(&w);
    json_writer_close(&w);
    buf_add_char(t->out, '\n');
}

static const struct format {
    enum options_format name;
    table_fn *write;
    void (*write_tree)(const struct top_tree *t, struct buf *out);
} table_formats[] = {
    {FORMAT_TEXT, write_text, top_tree_text},
    {FORMAT_CSV, write_csv, top_tree_csv},
    {FORMAT_JSON, write_json, top_tree_json},
};

static const struct format *find_format(enum options_format name)
{
    size_t i = sizeof(table_formats) / sizeof(*table_formats) - 1;

    while (i && table_formats[i].name != name)
        i--;
    return &table_formats[i];
}

static void write_table(const struct plan *plan, const struct tree *tree, const struct format *f,
                        struct buf *out)
{
    struct top top;
    struct table table = {
        .profile = tree->profile,
        .series = &tree->profile->series.items[tree->series],
        .scale = recipe_scale(&plan->recipe, tree->profile, tree->series),
        .top = &top,
        .out = out,
        .total = tree_weight(tree),
    };

    top_init(&top, tree);
    top_sort(&top, &tree->profile->symbols, TOP_BY_SELF);
    table.rows = top.rows.count < plan->rows ? top.rows.count : plan->rows;
    f->write(&table);
    top_release(&top);
}

/* Writes the tree that is asked for. Returns false after reporting why there is none. */
static bool write_tree(const struct command_job *job, const struct tree *tree,
                       const struct format *f, struct buf *out, struct diag *diag)
{
    bool rows_given = options_given(job->options, options_find("rows", COMMAND_TOP));
    const struct recipe *recipe = &job->plan->recipe;
    struct top_tree top = {tree, recipe_scale(recipe, tree->profile, tree->series),
                           rows_given ? job->plan->rows : TREE_ROWS};
    struct tree around;

    if (recipe->around.len) {
        if (!draw_around(&around, recipe->around, tree, diag))
            return false;
        top.tree = &around;
    }
    f->write_tree(&top, out);
    if (recipe->around.len)
        tree_release(&around);
    return true;
}

/* Returns false after reporting why there is nothing to write. */
static bool write(const struct command_job *job, const struct profile *p, uint32_t series,
                  struct buf *out)
{
    const struct recipe *recipe = &job->plan->recipe;
    const struct format *f = find_format(job->options->format);
    struct tree_options tree_options = {.reverse = recipe->reverse};
    struct tree tree;
    struct diag diag;
    bool ok = true;

    diag_init(&diag, SLICE("flamepress"));
    tree_init(&tree, p, series, &tree_options);
    if (job->options->tree || recipe->around.len)
        ok = write_tree(job, &tree, f, out, &diag);
    else
        write_table(job->plan, &tree, f, out);
    tree_release(&tree);
    console_show(job->console, &diag);
    diag_release(&diag);
    return ok;
}

void command_top(const struct command_job *job)
{
    struct profile profile;
    struct buf text;
    uint32_t series;

    confine(job->options, &job->options->outputs, job->console);
    buf_init(&text);
    profile_init(&profile);
    if (load_graph(job, &profile, &series)) {
        if (write(job, &profile, series, &text))
            job->outcome->written = sink_write(job->console, options_output(job->options),
                                               buf_slice(&text)) != SINK_FAILED;
        else
            job->outcome->usage = true;
    }
    profile_release(&profile);
    buf_release(&text);
}
