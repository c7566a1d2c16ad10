#include "report/build.h"

#include <stdlib.h>

#include "base/ascii.h"
#include "base/num.h"
#include "base/utf8.h"
#include "profile/pair.h"
#include "profile/reshape.h"
#include "report/commentary.h"
#include "report/display.h"
#include "report/outlier.h"
#include "tree/idle.h"
#include "tree/share.h"
#include "tree/top.h"

enum {
    FACT_VALUE = 1000, /* characters of a fact of the input's header */
    AREA_NAME = 120,   /* characters of a name in an area's title */
    ADDRESS = 2000,    /* bytes of a name that fit in an address */
    STACK_ENDS = 3,    /* frames of a long stack that are named at each end */
    STACK_NAME = 60,   /* characters of a name in a stack */
};

/* What the steps of report_graph_build() share. */
struct builder {
    struct report_graph *graph;
    const struct report_source *source;
    const struct tree *tree;
    const struct series *series;
    struct buf scratch;
    struct unit_scale other; /* of the second counter, in graphs of two */
};

static struct slice take_scratch(struct builder *b)
{
    struct slice text = arena_copy(&b->graph->memory, buf_slice(&b->scratch));

    buf_clear(&b->scratch);
    return text;
}

/* Makes the number of a weight, "1,234", in the unit that the heading of its column names. */
static struct slice make_number(struct builder *b, uint64_t weight)
{
    unit_write_part(&b->scratch, &b->graph->scale,
                    pair_readable(b->tree->profile, b->tree->series, weight), b->graph->total);
    return take_scratch(b);
}

/* Makes "+1,234", which is now - before. */
static struct slice make_difference(struct builder *b, uint64_t now, uint64_t before)
{
    if (now != before)
        buf_add_char(&b->scratch, now < before ? '-' : '+');
    return make_number(b, now < before ? before - now : now - before);
}

/* Writes "1.22" instructions per cycle, or "45.30%" stalled; "-" without cycles. */
static void write_ratio(struct builder *b, uint64_t cycles, uint64_t other)
{
    if (cycles && b->graph->relative)
        pair_write_relative(&b->scratch, other, cycles, b->graph->base_total, b->graph->total);
    else if (cycles)
        pair_write_ratio(&b->scratch, pair_kind(b->tree->profile, b->tree->series), other, cycles);
    else
        buf_add_char(&b->scratch, '-');
}

static struct report_amount make_amount(struct builder *b, uint64_t weight, uint64_t base)
{
    const struct report_graph *g = b->graph;
    struct report_amount amount = {.weight = weight, .base = base};

    amount.number = make_number(b, weight);
    num_write_percent(&b->scratch, weight, g->total, PERCENT_TABLE);
    amount.percent = take_scratch(b);
    if (g->other_unit.len) {
        write_ratio(b, weight, base);
        amount.ratio = take_scratch(b);
        unit_write_number(&b->scratch, &b->other, base);
        amount.other = take_scratch(b);
    }
    if (g->differential) {
        amount.before = make_number(b, base);
        amount.difference = make_difference(b, weight, base);
    }
    return amount;
}

/* ---- totals ---------------------------------------------------------------------------------- */
/* Writes the total in seconds, bytes or things, as a script reads numbers: "0.00567e3". */
static void write_sort_key(struct builder *b)
{
    const struct report_graph *g = b->graph;

    num_write_decimal(&b->scratch, g->total, g->scale.decimals);
    if (g->scale.unit.kind == UNIT_SECONDS && g->scale.unit.exponent)
        buf_printf(&b->scratch, "e%d", g->scale.unit.exponent);
}

/* Fills what the second of two counters counted. */
static void build_other(struct builder *b)
{
    const struct profile *p = b->tree->profile;
    struct report_graph *g = b->graph;

    if (!b->tree->base || g->differential)
        return;
    b->other = g->scale;
    b->other.unit = p->series.items[b->series->base].unit;
    g->relative = pair_is_relative(p, b->tree->series);
    g->stalls = pair_kind(p, b->tree->series) == PAIR_STALLS;
    g->other_unit = arena_copy(&g->memory, unit_word(&b->other.unit));
    unit_write_exact(&b->scratch, &b->other, g->base_total);
    g->other_text = take_scratch(b);
    write_ratio(b, g->total, g->base_total);
    g->ratio = take_scratch(b);
}

/* Fills the number of samples. It is unknown if the recipe says that counts are something else. */
static void count_samples(struct builder *b)
{
    struct report_graph *g = b->graph;

    if (!unit_counts_records(&b->series->unit) || unit_counts_records(&g->scale.unit))
        g->samples = profile_samples(b->tree->profile, b->tree->series);
    g->exact = profile_is_exact(b->tree->profile);
    g->samples_apart = unit_needs_samples(&g->scale.unit, g->samples, g->total) ? g->samples : 0;
    g->records = arena_copy(&g->memory, profile_records(b->tree->profile, b->tree->series));
    if (!g->samples)
        return;
    unit_write_things(&b->scratch, g->samples, g->records);
    g->records_text = take_scratch(b);
    buf_add_slice(&b->scratch, g->records);
    if (ascii_is_small(b->scratch.ptr[0]))
        b->scratch.ptr[0] = (char)(b->scratch.ptr[0] - 'a' + 'A');
    g->records_label = take_scratch(b);
    if (slice_equal(g->records, unit_samples.noun))
        num_write_grouped(&b->scratch, g->samples, 0);
    else
        buf_add_slice(&b->scratch, g->records_text);
    g->records_cell = take_scratch(b);
}

static void build_totals(struct builder *b)
{
    struct report_graph *g = b->graph;
    const struct unit_scale seconds = {.unit = {.kind = UNIT_SECONDS, .exponent = -9}, .factor = 1};

    g->scale = b->source->scale;
    g->scale.unit.noun = arena_copy(&g->memory, g->scale.unit.noun);
    g->unit = arena_copy(&g->memory, unit_word(&g->scale.unit));
    g->total = b->tree->part_of ? b->tree->part_of : tree_weight(b->tree);
    g->differential = b->tree->base && pair_kind(b->tree->profile, b->tree->series) == PAIR_CHANGE;
    g->base_total = b->tree->base ? b->tree->base[TREE_ROOT] : 0;
    build_other(b);
    count_samples(b);
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

/* The second column of folded stacks is called "new", which is no event. */
static bool is_second_column(const struct builder *b)
{
    return b->series->base != SERIES_NONE &&
           pair_kind(b->tree->profile, b->tree->series) == PAIR_CHANGE &&
           slice_equal(b->series->name, SLICE("new"));
}

/* The title is the user's, else the commentary's heading, else the name and perhaps the event. */
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
    f.idle = idle_is_cpu(symbols, row->symbol);
    if (b->graph->differential)
        f.state = top_state(row);
    f.self = make_amount(b, row->self, row->base_self);
    f.total = make_amount(b, row->total, row->base_total);
    return f;
}

/* Fills the functions that changed most. Functions that did not change are left out. */
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
    outlier_add_leading(g);
    top_sort(&top, symbols, TOP_BY_TOTAL);
    for (size_t i = 0; i < top.rows.count && i < rows && top.rows.items[i].total; i++)
        *vec_add(&g->by_total) = make_function(b, &top.rows.items[i], (unsigned)i + 1);
    if (g->differential)
        build_changes(b, &top, rows);
    top_release(&top);
}

/* ---- the ledger ------------------------------------------------------------------------------ */
static struct report_omission *add_omission(struct report_graph *g,
                                            struct report_omissions *omissions, const char *key,
                                            const char *what, struct slice much,
                                            struct slice percent, struct slice exact)
{
    struct report_omission *omission = vec_add(omissions);

    *omission = (struct report_omission){
        .key = slice_str(key),
        .what = slice_str(what),
        .much = arena_copy(&g->memory, much),
        .percent = arena_copy(&g->memory, percent),
        .exact = arena_copy(&g->memory, exact),
    };
    return omission;
}

/* Adds a weight that the picture does not show, with its share of `whole`. Nothing if it is 0. */
static void add_part_omission(struct report_graph *g, const char *key, const char *what,
                              uint64_t weight, uint64_t whole)
{
    struct buf much = {0}, percent = {0}, exact = {0};

    if (!weight)
        return;
    unit_write_plain(&much, &g->scale, weight);
    num_write_percent(&percent, weight, whole, PERCENT_TABLE);
    num_write_decimal(&exact, weight, g->scale.decimals);
    add_omission(g, &g->omissions, key, what, buf_slice(&much), buf_slice(&percent),
                 buf_slice(&exact))
        ->weight = weight;
    buf_release(&much);
    buf_release(&percent);
    buf_release(&exact);
}

/* Adds a weight that the picture does not show, with its share of the graph's total. */
static void add_weight_omission(struct report_graph *g, const char *key, const char *what,
                                uint64_t weight)
{
    add_part_omission(g, key, what, weight, g->total);
}

/* A number of things that were not used. */
struct count_omission {
    const char *key, *what, *noun;
    uint64_t count, whole; /* `whole` is what the share is of; 0 if that is unknown */
};

/* Adds a row to a ledger. Nothing if the count is 0. */
static void add_count_omission(struct report_graph *g, struct report_omissions *omissions,
                               const struct count_omission *row)
{
    struct buf much = {0}, percent = {0}, exact = {0};

    if (!row->count)
        return;
    num_write_grouped(&much, row->count, 0);
    buf_printf(&much, " %s%s", row->noun, row->count == 1 ? "" : "s");
    if (row->whole)
        num_write_percent(&percent, row->count, row->whole, PERCENT_TABLE);
    buf_add_u64(&exact, row->count);
    add_omission(g, omissions, row->key, row->what, buf_slice(&much), buf_slice(&percent),
                 buf_slice(&exact));
    buf_release(&much);
    buf_release(&percent);
    buf_release(&exact);
}

/* Returns the weight of all stacks with a frame called `name`, each counted once. */
static uint64_t weigh_name(const struct tree *t, struct slice name)
{
    const struct symbols *symbols = &t->profile->symbols;
    uint32_t id = intern_find(&symbols->names, name);
    uint64_t weight = 0;
    bool *inside;

    if (id == MAP_NONE)
        return 0;
    inside = xcalloc(t->count, sizeof(*inside));
    for (uint32_t i = 1; i < t->count; i++) {
        inside[i] = inside[t->parent[i]];
        if (inside[i] || symbols->items.items[t->symbol[i]].name != id)
            continue;
        inside[i] = true;
        weight += t->total[i];
    }
    free(inside);
    return weight;
}

/* Adds what each filter removed, as a share of the weight before all filters. */
static void add_removal_omissions(struct report_graph *g, const struct series *s)
{
    uint64_t whole = reshape_whole(s);

    vec_each (const struct removal, r, &s->removals) {
        char *key = arena_printf(&g->memory, "%s_%s", r->stayed ? "shortened" : "left_out",
                                 r->option + strspn(r->option, "-"));

        for (char *c = key; *c; c++)
            *c = *c == '-' ? '_' : *c;
        add_part_omission(
            g, key, arena_printf(&g->memory, "in stacks %s%s", reshape_removal_verb(r), r->option),
            r->weight, whole);
    }
}

static void add_count_omissions(struct report_graph *g, struct report_omissions *omissions,
                                const struct count_omission *rows, size_t count)
{
    for (size_t i = 0; i < count; i++)
        add_count_omission(g, omissions, &rows[i]);
}

static const struct {
    const char *key, *what, *noun;
} note_rows[] = {
    [NOTE_WAKERS_LOOPED] = {"wakers_looped",
                            "chains of wakers cut at a thread that they contain already", "chain"},
    [NOTE_WAKERS_CUT] = {"wakers_cut", "chains of wakers cut at the maximum length", "chain"},
    [NOTE_LOCKS_NESTED] = {"locks_nested", "recursive locks, counted once", "lock"},
    [NOTE_LOCKS_KEPT] = {"locks_kept", "locks whose release is not in the recording", "lock"},
    [NOTE_LOCKS_UNSEEN] = {"locks_unseen",
                           "releases of locks whose acquisition is not in the recording", "lock"},
    [NOTE_FREES_UNPAIRED] = {"frees_unpaired", "frees whose allocation is not in the recording",
                             "free"},
    [NOTE_FREES_UNSEEN] = {"frees_unseen",
                           "allocations of an address whose free is not in the recording",
                           "allocation"},
    [NOTE_CALLS_UNPAIRED] = {"calls_unpaired", "allocations whose size is not in the recording",
                             "allocation"},
    [NOTE_INPUT_CUT] =
        {"input_cut",
         "places where the input ends early or is damaged, and what follows is missing", "place"},
};
_Static_assert(sizeof(note_rows) / sizeof(note_rows[0]) == LEDGER_NOTES, "each note has its row");

static void add_notes(struct report_graph *g, struct report_omissions *omissions,
                      const uint64_t *notes)
{
    for (int i = 0; i < LEDGER_NOTES; i++) {
        const struct count_omission row = {note_rows[i].key, note_rows[i].what, note_rows[i].noun,
                                           notes[i], 0};

        add_count_omission(g, omissions, &row);
    }
}

/* Adds what the reader counted for the series. */
static void add_own_counts(struct report_graph *g, const struct series *s)
{
    const struct unit things = {.kind = UNIT_COUNT, .noun = g->records};
    const char *without = arena_printf(&g->memory, "%.*s without a stack", SLICE_ARG(g->records));
    const char *one = arena_printf(&g->memory, "%.*s", SLICE_ARG(unit_word_of_one(&things)));
    const struct count_omission rows[] = {
        {"truncated", "truncated stacks", "stack", s->truncated, g->samples},
        {"without_frames", without, one, s->without_frames, g->samples},
    };

    add_count_omissions(g, &g->omissions, rows, sizeof(rows) / sizeof(rows[0]));
    add_notes(g, &g->omissions, s->notes);
}

/* Adds what the reader counted for the base of a differential graph. */
static void add_base_counts(struct report_graph *g, const struct series *base)
{
    const struct count_omission rows[] = {
        {"base_truncated", "truncated stacks of the base", "stack", base->truncated, base->samples},
        {"base_without_frames", "samples of the base without a stack", "sample",
         base->without_frames, base->samples},
    };

    add_count_omissions(g, &g->omissions, rows, sizeof(rows) / sizeof(rows[0]));
}

/* Adds what the reader counted for the input as a whole. */
static void add_file_counts(struct report_graph *g, const struct read_ledger *l)
{
    const struct count_omission rows[] = {
        {"truncated", "truncated stacks", "stack", l->truncated - l->truncated_of_series, 0},
        {"without_frames", "samples without a stack", "sample",
         l->without_frames - l->without_frames_of_series, 0},
        {"unreadable", "malformed lines", "line", l->unreadable, l->lines},
        {"distributions", "stacks and maps with a histogram in place of a count", "distribution",
         l->distributions, 0},
        {"left_out", "samples left out by options", "sample", l->left_out, 0},
        {"lost", "events that the profiler reports as lost", "event", l->lost, 0},
    };

    add_count_omissions(g, &g->file_omissions, rows, sizeof(rows) / sizeof(rows[0]));
    add_notes(g, &g->file_omissions, l->notes);
}

void report_graph_add_undrawn(struct report_graph *g, struct slice name,
                              const struct unit_scale *scale, uint64_t weight)
{
    struct slice shown = display_text(&g->memory, name, DISPLAY_NAME);
    const char *what = arena_printf(
        &g->memory, "in graph \"%.*s\", which is not drawn (--max-graphs)", SLICE_ARG(shown));
    struct buf much = {0}, exact = {0};

    unit_write_plain(&much, scale, weight);
    num_write_decimal(&exact, weight, scale->decimals);
    add_omission(g, &g->file_omissions, "not_drawn", what, buf_slice(&much), slice_make(NULL, 0),
                 buf_slice(&exact));
    buf_release(&much);
    buf_release(&exact);
}

static void build_omissions(struct report_graph *g, const struct tree *t)
{
    const struct series *s = &t->profile->series.items[t->series];

    add_removal_omissions(g, s);
    add_weight_omission(g, "unknown", "in stacks with [unknown] frames",
                        weigh_name(t, SLICE("[unknown]")));
    add_weight_omission(g, "unknown_launch",
                        "in work of a device whose launch is not in the recording",
                        weigh_name(t, SLICE("[unknown launch]")));
    add_own_counts(g, s);
    if (s->base != SERIES_NONE)
        add_base_counts(g, &t->profile->series.items[s->base]);
    add_file_counts(g, &t->profile->ledger);
}

static void add_exhausted(struct report_graph *g, uint64_t names)
{
    const struct count_omission row = {"search_exhausted", "names left when a search was given up",
                                       "name", names, 0};

    add_count_omission(g, &g->omissions, &row);
}

void report_graph_add_thin(struct report_graph *g, uint64_t weight)
{
    add_weight_omission(g, "too_thin", "in frames too thin to draw", weight);
}

void report_graph_add_above(struct report_graph *g, uint64_t weight)
{
    add_weight_omission(g, "above_max_depth", "in frames above the highest row drawn", weight);
}

/* ---- searches -------------------------------------------------------------------------------- */
static void build_matches(struct builder *b)
{
    struct report_graph *g = b->graph;
    uint64_t exhausted = 0;

    for (size_t i = 0; i < b->source->share_count; i++) {
        const struct share *share = &b->source->shares[i];
        const struct search *search = share->search;

        exhausted += share->exhausted;
        *vec_add(&g->matches) = (struct report_match){
            .name = display_text(&g->memory, search->name, DISPLAY_NAME),
            .pattern = display_text(&g->memory, search->pattern, DISPLAY_NAME),
            .expression = arena_copy(&g->memory, search->pattern),
            .ignore_case = search->ignore_case,
            .amount = share->exhausted ? (struct report_amount){0}
                                       : make_amount(b, share->weight, share->base),
            .symbols = share->symbols,
            .exhausted = share->exhausted,
        };
    }
    add_exhausted(g, exhausted);
}

/* ---- the picture in words -------------------------------------------------------------------- */
/* Returns true if the sampled function of the stack that ends with a node is one of an idle CPU. */
static bool is_idle_stack(const struct tree *t, uint32_t last)
{
    while (t->reversed && t->parent[last] != TREE_ROOT)
        last = t->parent[last];
    return idle_is_cpu(&t->profile->symbols, t->symbol[last]);
}

/*
 * Returns the last frame of the stack with the highest weight, of those that end in nodes with ids
 * from `from` and below `to`; TREE_ROOT if all weights are 0. Stacks of idle CPUs count only if
 * there are no others; sets `left_out` if one would be returned.
 */
static uint32_t find_heaviest_stack(const struct tree *t, uint32_t from, uint32_t to,
                                    bool *left_out)
{
    uint64_t *self = xreallocarray(NULL, t->count, sizeof(*self));
    uint32_t heaviest[2] = {TREE_ROOT, TREE_ROOT}; /* [1]: of idle CPUs */
    uint64_t most[2] = {0, 0};

    tree_self(t, self);
    for (uint32_t i = from; i < to; i++) {
        bool idle;

        if (self[i] <= most[0])
            continue;
        idle = is_idle_stack(t, i);
        if (self[i] > most[idle]) {
            most[idle] = self[i];
            heaviest[idle] = i;
        }
    }
    free(self);
    *left_out = most[0] && most[1] > most[0];
    return heaviest[!most[0]];
}

static void write_name(struct slice name, struct buf *out)
{
    struct arena memory = {0};

    utf8_add_isolated(out, display_text(&memory, name, STACK_NAME));
    arena_release(&memory);
}

/* Writes "main, run, ..., read.": the ends of a path, from the root to `last` or back. */
static void write_path(const struct tree *t, uint32_t last, bool back, struct buf *out)
{
    const struct symbols *symbols = &t->profile->symbols;
    uint32_t depth = 0, at = 0;
    uint32_t *path;

    for (uint32_t i = last; i != TREE_ROOT; i = t->parent[i])
        depth++;
    path = xreallocarray(NULL, depth + (size_t)1, sizeof(*path));
    for (uint32_t i = last; i != TREE_ROOT; i = t->parent[i], at++)
        path[back ? at : depth - 1 - at] = i;
    for (uint32_t i = 0; i < depth; i++) {
        if (depth > 2 * STACK_ENDS && i == STACK_ENDS) {
            buf_add_str(out, ", …");
            i = depth - STACK_ENDS;
        }
        if (i)
            buf_add_str(out, ", ");
        write_name(symbol_name(symbols, t->symbol[path[i]]), out);
    }
    buf_add_char(out, '.');
    free(path);
}

/*
 * Writes the heaviest stack in the order of the picture, from its root: of a graph around one
 * function, that of its callers and that of its callees.
 */
static void write_stack(const struct tree *t, struct buf *out)
{
    const bool around = t->around != SYMBOL_NONE;
    const struct {
        const char *what;
        uint32_t from, to;
    } sides[] = {
        {"callers", t->callers, t->count},
        {around ? "callees" : "stack", 1, t->callers},
    };

    for (size_t i = around ? 0 : 1; i < sizeof(sides) / sizeof(sides[0]); i++) {
        bool left_out;
        uint32_t last = find_heaviest_stack(t, sides[i].from, sides[i].to, &left_out);

        if (last == TREE_ROOT)
            continue;
        buf_printf(out, " Heaviest %s%s: ", sides[i].what, left_out ? REPORT_IDLE_LEFT_OUT : "");
        write_path(t, last, i == 0, out);
    }
}

/* Writes what each filter removed, as a share of the weight before all filters. */
static void write_removals(const struct series *s, struct buf *out)
{
    vec_each (const struct removal, r, &s->removals) {
        buf_add_str(out, ", ");
        num_write_percent(out, r->weight, reshape_whole(s), PERCENT_CAPTION);
        buf_printf(out, " %% %s%s", reshape_removal_verb(r), r->option);
    }
}

/* Ranks the functions of a tree by self weight. */
static void rank_by_self(const struct tree *t, struct top *top)
{
    const struct symbols *symbols = &t->profile->symbols;
    uint64_t *self;

    if (t->around == SYMBOL_NONE) {
        top_init(top, t->measured ? t->measured : t);
        top_sort(top, symbols, TOP_BY_SELF);
        return;
    }
    *top = (struct top){0};
    self = xreallocarray(NULL, symbols_count(symbols) + (size_t)1, sizeof(*self));
    tree_self_symbols(t, self);
    for (uint32_t id = 0; id < symbols_count(symbols); id++)
        if (self[id])
            *vec_add(&top->rows) = (struct top_row){.symbol = id, .self = self[id]};
    free(self);
    top_sort(top, symbols, TOP_BY_SELF);
}

static void write_highest(struct slice name, bool left_out, struct slice percent, struct buf *out)
{
    buf_printf(out, " Highest self%s: ", left_out ? REPORT_IDLE_LEFT_OUT : "");
    write_name(name, out);
    buf_printf(out, ", %.*s %%.", SLICE_ARG(percent));
}

/* Writes the function with the most self weight; one of an idle CPU if there is no other. */
static void write_highest_self(const struct report_graph *g, struct buf *out)
{
    const struct report_function *first = g->by_self.items, *f = report_graph_busiest(g);

    if (!g->by_self.count)
        return;
    if (!f)
        f = first;
    write_highest(f->name, f != first, f->self.percent, out);
}

/* As write_highest_self(), for a tree that is drawn instead. */
static void write_highest_drawn(const struct report_graph *g, const struct tree *t, struct buf *out)
{
    const struct symbols *symbols = &t->profile->symbols;
    struct buf percent = {0};
    struct top top;
    size_t first = 0;

    rank_by_self(t, &top);
    while (first < top.rows.count && idle_is_cpu(symbols, top.rows.items[first].symbol))
        first++;
    if (first == top.rows.count || !top.rows.items[first].self)
        first = 0;
    if (top.rows.count && top.rows.items[first].self) {
        num_write_percent(&percent, top.rows.items[first].self, g->total, PERCENT_TABLE);
        write_highest(symbol_name(symbols, top.rows.items[first].symbol), first > 0,
                      buf_slice(&percent), out);
    }
    buf_release(&percent);
    top_release(&top);
}

/* Appends "Flame graph of mysqld: 12.4 s of cpu-clock. Heaviest stack: main, run, read. ..." */
static void write_alt(const struct report_graph *g, const struct report_source *source,
                      const struct tree *t, struct buf *out)
{
    buf_add_slice(out, source->form.len ? source->form : SLICE("Flame graph"));
    buf_add_str(out, " of ");
    utf8_add_isolated(out, g->title);
    buf_printf(out, ": %.*s", SLICE_ARG(g->total_plain));
    if (!t->base)
        profile_add_dumps(t->profile, t->series, out);
    if (!unit_implies(&g->scale.unit, g->event)) {
        buf_add_str(out, " of ");
        utf8_add_isolated(out, g->event);
    }
    if (source->made.len)
        buf_printf(out, ", %.*s", SLICE_ARG(source->made));
    write_removals(&t->profile->series.items[t->series], out);
    buf_add_char(out, '.');
    write_stack(t, out);
}

void report_graph_set_drawn(struct report_graph *g, const struct report_source *source,
                            const struct tree *drawn)
{
    struct buf text = {0};

    write_alt(g, source, drawn, &text);
    write_highest_drawn(g, drawn, &text);
    g->alt = arena_copy(&g->memory, buf_slice(&text));
    buf_release(&text);
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

    build_totals(&b);
    build_texts(&b, d);
    build_facts(&b);
    build_functions(&b);
    build_omissions(g, t);
    build_matches(&b);
    write_alt(g, source, t, &b.scratch);
    write_highest_self(g, &b.scratch);
    g->alt = take_scratch(&b);
    buf_release(&b.scratch);
}

void report_graph_add_export(struct report_graph *g, struct slice title, const char *name,
                             struct slice path)
{
    *vec_add(&g->exports) = (struct report_export){title, name, arena_copy(&g->memory, path)};
}

void report_graph_set_picture(struct report_graph *g, enum report_picture which,
                              const struct report_file *file)
{
    BUG_ON(which >= REPORT_PICTURES);
    g->pictures[which] = *file;
    g->pictures[which].path = arena_copy(&g->memory, file->path);
    g->pictures[which].inside = arena_copy(&g->memory, file->inside);
}

void report_graph_add_area(struct report_graph *g, const int32_t corners[static 4],
                           struct slice name, struct slice share, struct slice place)
{
    struct buf title = {0};

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

/* Returns what the file beside a run says about the run, as one text. */
static struct slice make_remark(struct arena *memory, const struct run *run)
{
    const struct {
        const char *key, *before, *after;
    } parts[] = {{RUN_COMMIT, "commit ", ""},
                 {RUN_BUILD, "build ", ""},
                 {RUN_REQUESTS, "", " requests"},
                 {RUN_NOTE, "", ""}};
    struct buf text = {0};
    struct slice made;

    for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
        struct slice value = service_fact(run, slice_str(parts[i].key));
        uint64_t count;

        if (!value.len)
            continue;
        buf_printf(&text, "%s%s", text.len ? ", " : "", parts[i].before);
        if (strcmp(parts[i].key, RUN_REQUESTS) == 0 && num_parse_u64(value, &count))
            num_write_grouped(&text, count, 0);
        else
            buf_add_slice(&text, value);
        buf_add_str(&text, parts[i].after);
    }
    made = display_text(memory, buf_slice(&text), FACT_VALUE);
    buf_release(&text);
    return made;
}

static void add_run(struct report_graph *g, const struct run *run)
{
    const struct unit_scale seconds = {.unit = {.kind = UNIT_SECONDS, .exponent = -9}, .factor = 1};
    struct arena *memory = &g->memory;
    struct report_run *shown = vec_add(&g->runs);
    struct buf text = {0};

    *shown = (struct report_run){
        .name = display_text(memory, run->name, DISPLAY_NAME),
        .host = display_text(memory, service_fact(run, SLICE(RUN_HOST)), DISPLAY_NAME),
        .date = display_text(memory, service_fact(run, SLICE(RUN_TIME)), DISPLAY_NAME),
        .remark = make_remark(memory, run),
        .samples = run->samples,
        .duration_ns = run->duration_ns,
        .lost = run->lost,
    };
    g->has_remarks |= shown->remark.len > 0;
    if (run->samples)
        num_write_grouped(&text, run->samples, 0);
    shown->samples_text = arena_copy(memory, buf_slice(&text));
    buf_clear(&text);
    if (run->duration_ns)
        unit_write_short(&text, &seconds, run->duration_ns);
    shown->duration_text = arena_copy(memory, buf_slice(&text));
    buf_release(&text);
    vec_each (const struct fact, f, &run->facts)
        *vec_add(&shown->facts) = (struct report_fact){display_text(memory, f->key, DISPLAY_NAME),
                                                       display_text(memory, f->value, FACT_VALUE)};
}

void report_graph_set_service(struct report_graph *g, const struct service *s)
{
    g->service = display_text(&g->memory, s->name, DISPLAY_NAME);
    g->owner = display_text(&g->memory, s->owner, DISPLAY_NAME);
    if (s->runs.count < 2)
        return;
    g->run_count = slice_str(arena_printf(&g->memory, "%zu runs", s->runs.count));
    vec_each (const struct run, run, &s->runs)
        add_run(g, run);
}
