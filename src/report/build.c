#include "report/build.h"

#include "base/num.h"
#include "base/utf8.h"
#include "profile/pair.h"
#include "report/alt.h"
#include "report/commentary.h"
#include "report/display.h"
#include "report/gaps.h"
#include "tree/share.h"
#include "tree/top.h"

enum {
    PERCENT_DECIMALS = 2,
    FACT_VALUE = 1000, /* characters of a header fact */
    AREA_NAME = 120,   /* characters of a name in an area's title */
    ADDRESS = 2000,    /* bytes of a name that may stand in an address */
};

/* What the steps of report_graph_build() share. */
struct builder {
    struct report_graph *graph;
    const struct report_source *source;
    const struct tree *tree;
    const struct series *series;
    struct buf scratch;
    struct unit_scale other; /* of the other of two counters */
};

static struct slice take_scratch(struct builder *b)
{
    struct slice text = arena_copy(&b->graph->memory, buf_slice(&b->scratch));

    buf_clear(&b->scratch);
    return text;
}

/* new / new_whole - old / old_whole in percentage points. */
static void write_change(struct buf *out, uint64_t part, uint64_t whole, uint64_t old_part,
                         uint64_t old_whole)
{
    long double now = whole ? 100.0L * part / whole : 0;
    long double before = old_whole ? 100.0L * old_part / old_whole : 0;
    long double change = now - before;

    if (change > -0.005L && change < 0.005L)
        buf_add_str(out, "0");
    else
        buf_printf(out, "%+.2Lf", change);
}

/* "+1,234": now less before. */
static struct slice make_difference(struct builder *b, uint64_t now, uint64_t before)
{
    if (now != before)
        buf_add_char(&b->scratch, now < before ? '-' : '+');
    unit_write_part(&b->scratch, &b->graph->scale, now < before ? before - now : now - before,
                    b->graph->total);
    return take_scratch(b);
}

/* What two counters make of each other. */
static void write_ratio(struct builder *b, uint64_t cycles, uint64_t other)
{
    if (cycles)
        pair_write_ratio(&b->scratch, pair_kind(b->tree->profile, b->tree->series), other, cycles);
    else
        buf_add_char(&b->scratch, '-');
}

static struct report_amount make_amount(struct builder *b, uint64_t weight, uint64_t base)
{
    const struct report_graph *g = b->graph;
    struct report_amount amount = {.weight = weight, .base = base};

    unit_write_part(&b->scratch, &g->scale, weight, g->total);
    amount.number = take_scratch(b);
    num_write_percent(&b->scratch, weight, g->total, weight ? PERCENT_DECIMALS : 0);
    amount.percent = take_scratch(b);
    if (g->other_unit.len) {
        write_ratio(b, weight, base);
        amount.ratio = take_scratch(b);
        unit_write_number(&b->scratch, &b->other, base);
        amount.other = take_scratch(b);
    }
    if (g->differential) {
        write_change(&b->scratch, weight, g->total, base, g->base_total);
        amount.change = take_scratch(b);
        unit_write_part(&b->scratch, &g->scale, base, g->total);
        amount.before = take_scratch(b);
        amount.difference = make_difference(b, weight, base);
    }
    return amount;
}

/* ---- totals ---------------------------------------------------------------------------------- */
/* The total without a unit's prefix, as a script reads numbers: "0.00567e3". */
static void write_sort_key(struct builder *b)
{
    const struct report_graph *g = b->graph;

    num_write_decimal(&b->scratch, g->total, g->scale.decimals);
    if (g->scale.unit.kind == UNIT_SECONDS && g->scale.unit.exponent)
        buf_printf(&b->scratch, "e%d", g->scale.unit.exponent);
}

/* Whether the number of samples tells what the total does not; an estimate has none. */
static bool counts_apart(const struct builder *b)
{
    const struct unit *unit = &b->series->unit;

    return !(unit->kind == UNIT_COUNT && slice_equal(unit->noun, unit_samples.noun)) &&
           !profile_fact(b->tree->profile, SLICE("estimated")).len;
}

/* The other of two counters. */
static void build_other(struct builder *b)
{
    const struct profile *p = b->tree->profile;
    struct report_graph *g = b->graph;

    if (!b->tree->base || g->differential)
        return;
    b->other = g->scale;
    b->other.unit = p->series.items[b->series->base].unit;
    g->stalls = pair_kind(p, b->tree->series) == PAIR_STALLS;
    g->other_unit = arena_copy(&g->memory, unit_word(&b->other.unit));
    unit_write_exact(&b->scratch, &b->other, g->base_total);
    g->other_text = take_scratch(b);
    write_ratio(b, g->total, g->base_total);
    g->ratio = take_scratch(b);
}

static void build_totals(struct builder *b)
{
    struct report_graph *g = b->graph;
    const struct unit_scale seconds = {.unit = {.kind = UNIT_SECONDS, .exponent = -9}, .factor = 1};

    g->scale = b->source->scale;
    g->scale.unit.noun = arena_copy(&g->memory, g->scale.unit.noun);
    g->unit = arena_copy(&g->memory, unit_word(&g->scale.unit));
    g->total = tree_weight(b->tree);
    g->differential = b->tree->base && pair_kind(b->tree->profile, b->tree->series) == PAIR_CHANGE;
    g->base_total = b->tree->base ? b->tree->base[TREE_ROOT] : 0;
    build_other(b);
    g->samples = b->series->samples;
    g->samples_apart = counts_apart(b) ? g->samples : 0;
    g->has_duration = b->series->first_ns < b->series->last_ns;
    unit_write_exact(&b->scratch, &g->scale, g->total);
    g->total_text = take_scratch(b);
    unit_write_plain(&b->scratch, &g->scale, g->total);
    g->total_plain = take_scratch(b);
    unit_write_short(&b->scratch, &g->scale, g->total);
    g->total_short = take_scratch(b);
    write_sort_key(b);
    g->total_sort = take_scratch(b);
    if (g->differential) {
        unit_write_exact(&b->scratch, &g->scale, g->base_total);
        g->base_text = take_scratch(b);
        g->difference = make_difference(b, g->total, g->base_total);
    }
    if (g->has_duration) {
        g->duration_ns = b->series->last_ns - b->series->first_ns;
        unit_write_short(&b->scratch, &seconds, g->duration_ns);
        g->duration_text = take_scratch(b);
    }
}

static void build_facts(struct builder *b)
{
    vec_each (const struct fact, f, &b->tree->profile->facts) {
        *vec_add(&b->graph->facts) = (struct report_fact){
            display_text(&b->graph->memory, f->key, DISPLAY_NAME),
            display_text(&b->graph->memory, f->value, FACT_VALUE),
        };
    }
}

/* The second of two columns, whose name says which and not what. */
static bool is_second_column(const struct builder *b)
{
    return b->series->base != SERIES_NONE &&
           pair_kind(b->tree->profile, b->tree->series) == PAIR_CHANGE &&
           slice_equal(b->series->name, SLICE("new"));
}

/* The user's title, or that of the commentary, or the name; with the event where there are more. */
static void build_texts(struct builder *b, struct diag *d)
{
    struct report_graph *g = b->graph;
    const struct report_source *source = b->source;
    struct commentary c;

    commentary_read(&c, source->commentary, 3, &g->memory, d);
    g->commentary = c.markdown;
    g->headings = c.headings;
    g->name = arena_copy(&g->memory, source->name);
    g->source = display_text(&g->memory, source->path, DISPLAY_NAME);
    g->subtitle = display_text(&g->memory, source->subtitle, DISPLAY_NAME);
    g->format = arena_copy(&g->memory, slice_str(b->tree->profile->format));
    g->kind = arena_copy(&g->memory, source->kind);
    g->kind_about = arena_copy(&g->memory, source->kind_about);
    if (!is_second_column(b))
        g->event = display_text(&g->memory, b->series->name, DISPLAY_NAME);
    g->title = display_text(&g->memory, source->title, DISPLAY_NAME);
    if (!g->title.len)
        g->title = c.heading;
    if (!g->title.len)
        g->title = g->name;
    else if (source->several && g->event.len)
        g->title = slice_str(
            arena_printf(&g->memory, "%.*s: %.*s", SLICE_ARG(g->title), SLICE_ARG(g->event)));
}

/* ---- tables ---------------------------------------------------------------------------------- */
static struct report_function make_function(struct builder *b, const struct top_row *row,
                                            unsigned rank)
{
    const struct symbols *symbols = &b->tree->profile->symbols;
    struct arena *memory = &b->graph->memory;
    const struct symbol *symbol = &symbols->items.items[row->symbol];
    struct slice name = symbol_name(symbols, row->symbol);
    struct report_function f = {.rank = rank};

    f.name = arena_copy(memory, name);
    f.shown = display_text(memory, name, DISPLAY_NAME);
    if (name.len <= ADDRESS)
        f.address = f.name;
    if (symbol->class != SYMBOL_USER)
        f.kind = symbol_class_word(symbol->class);
    if (symbol->module != SYMBOL_NONE)
        f.module = display_text(memory, intern_get(&symbols->names, symbol->module), DISPLAY_NAME);
    if (b->graph->differential)
        f.state = top_state(row);
    f.self = make_amount(b, row->self, row->base_self);
    f.total = make_amount(b, row->total, row->base_total);
    return f;
}

/* The functions that changed most; those that did not change at all are none of them. */
static void build_changes(struct builder *b, struct top *top, size_t rows)
{
    const struct symbols *symbols = &b->tree->profile->symbols;
    struct report_graph *g = b->graph;

    top_sort(top, symbols, TOP_BY_SELF_CHANGE);
    for (size_t i = 0; i < top->rows.count && i < rows; i++)
        if (top_self_change(&top->rows.items[i]))
            *vec_add(&g->self_changes) = make_function(b, &top->rows.items[i], (unsigned)i + 1);
    top_sort(top, symbols, TOP_BY_TOTAL_CHANGE);
    for (size_t i = 0; i < top->rows.count && i < rows; i++)
        if (top_total_change(&top->rows.items[i]))
            *vec_add(&g->total_changes) = make_function(b, &top->rows.items[i], (unsigned)i + 1);
}

static void build_functions(struct builder *b)
{
    const struct symbols *symbols = &b->tree->profile->symbols;
    struct report_graph *g = b->graph;
    size_t rows = b->source->rows ? b->source->rows : REPORT_DEFAULT_ROWS;
    struct top top;

    top_init(&top, b->tree);
    g->functions = top.rows.count;
    top_sort(&top, symbols, TOP_BY_SELF);
    for (size_t i = 0; i < top.rows.count && i < rows && top.rows.items[i].self; i++)
        *vec_add(&g->by_self) = make_function(b, &top.rows.items[i], (unsigned)i + 1);
    top_sort(&top, symbols, TOP_BY_TOTAL);
    for (size_t i = 0; i < top.rows.count && i < rows && top.rows.items[i].total; i++)
        *vec_add(&g->by_total) = make_function(b, &top.rows.items[i], (unsigned)i + 1);
    if (g->differential)
        build_changes(b, &top, rows);
    top_release(&top);
}

static void build_matches(struct builder *b)
{
    struct report_graph *g = b->graph;
    uint64_t exhausted = 0;

    for (size_t i = 0; i < b->source->query_count; i++) {
        const struct report_query *query = &b->source->queries[i];
        struct share result;

        share_sum(query->search, b->tree, &result);
        exhausted += result.exhausted;
        *vec_add(&g->matches) = (struct report_match){
            .name = display_text(&g->memory, query->name, DISPLAY_NAME),
            .pattern = display_text(&g->memory, query->pattern, DISPLAY_NAME),
            .expression = arena_copy(&g->memory, query->pattern),
            .ignore_case = query->ignore_case,
            .amount = make_amount(b, result.weight, result.base),
            .symbols = result.symbols,
            .exhausted = result.exhausted,
        };
    }
    report_gaps_add_exhausted(g, exhausted);
}

void report_graph_build(struct report_graph *g, const struct report_source *source,
                        const struct tree *t, struct diag *d)
{
    struct builder b = {
        .graph = g,
        .source = source,
        .tree = t,
        .series = &t->profile->series.items[t->series],
    };

    buf_init(&b.scratch);
    build_totals(&b);
    build_texts(&b, d);
    build_facts(&b);
    build_functions(&b);
    report_gaps_build(g, t);
    build_matches(&b);
    report_alt_write(g, source, t, &b.scratch);
    g->alt = take_scratch(&b);
    buf_release(&b.scratch);
}

void report_graph_set_picture(struct report_graph *g, enum report_picture which, struct slice path,
                              unsigned width, unsigned height)
{
    BUG_ON(which >= REPORT_PICTURES);
    g->pictures[which] = (struct report_file){
        .path = arena_copy(&g->memory, path),
        .width = width,
        .height = height,
    };
}

void report_graph_set_inside(struct report_graph *g, enum report_picture which, struct slice text,
                             unsigned width, unsigned height)
{
    BUG_ON(which >= REPORT_PICTURES);
    g->pictures[which] = (struct report_file){
        .inside = arena_copy(&g->memory, text),
        .width = width,
        .height = height,
    };
}

void report_graph_add_area(struct report_graph *g, const int32_t corners[static 4],
                           struct slice name, struct slice share, struct slice place)
{
    struct buf title;

    buf_init(&title);
    utf8_add_isolated(&title, display_text(&g->memory, name, AREA_NAME));
    buf_add_char(&title, ' ');
    buf_add_slice(&title, share);
    *vec_add(&g->areas) = (struct report_area){
        .coordinates =
            slice_str(arena_printf(&g->memory, "%ld,%ld,%ld,%ld", (long)corners[0],
                                   (long)corners[1], (long)corners[2], (long)corners[3])),
        .title = arena_copy(&g->memory, buf_slice(&title)),
        .place = arena_copy(&g->memory, place),
    };
    buf_release(&title);
}
