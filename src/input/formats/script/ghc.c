/*
 * GHC's time and allocation profile as text (+RTS -p, -P).
 *
 *         Sun Aug  6 14:52 2023 Time and Allocation Profiling Report  (Final)
 *
 *            app +RTS -P -RTS
 *
 *         total time  =        0.02 secs   (23 ticks @ 1000 us, 1 processor)
 *         total alloc =  59,542,424 bytes  (excludes profiling overheads)
 *
 *     COST CENTRE MODULE SRC   %time %alloc  ticks  bytes          the flat table: skipped
 *     ...
 *                                            individual      inherited
 *     COST CENTRE MODULE SRC  no.  entries  %time %alloc   %time %alloc  ticks  bytes
 *
 *     MAIN        MAIN   <built-in>    337   0    0.0   0.0   100.0 100.0   0  728
 *      CAF        Lib    <entire-module>     ...
 *
 * A row is indented by one blank more than its caller. Its first word is the
 * cost centre, the second the module, the last words are numbers; what is
 * between is the source position, which old versions do not have and which may
 * contain blanks. The reader uses ticks and bytes, as time and as memory, if
 * the table has them (-P), else the individual percentages. A name is
 * "Module.cost centre". Grammar: GHC's user guide, profiling.
 */
#include <stdint.h>

#include "base/num.h"
#include "base/ascii.h"
#include "input/build/builder.h"
#include "input/build/frame.h"
#include "input/format.h"
#include "input/parse/json_tree.h"
#include "profile/unit.h"

/* ---- what both formats share --------------------------------------------------------------- */

/* What GHC's two formats, text and JSON, share: the length of a tick, and source positions. */

/*
 * Returns the unit of a tick that lasts `microseconds`: a time if that is a power
 * of ten, as it is by default, so that weights stay the ticks of the file; else
 * "ticks".
 */
static struct unit ghc_tick_unit(uint64_t microseconds)
{
    struct unit unit = unit_named(SLICE("us"));

    while (microseconds && microseconds % 10 == 0 && unit.exponent < 0) {
        microseconds /= 10;
        unit.exponent++;
    }
    return microseconds == 1 ? unit : unit_named(SLICE("ticks"));
}

/*
 * Sets file and line from "src/Lib.hs:(14,1)-(15,41)" or "app/Main.hs:6:1-11"; "<built-in>" has
 * neither.
 */
static void ghc_set_source(struct frame *f, struct slice source)
{
    size_t colon = slice_find(source, ':'), digits = 0;
    struct slice rest = slice_skip(source, colon + 1);

    if (colon == source.len || slice_starts(source, SLICE("<")))
        return;
    f->file = slice_take(source, colon);
    if (rest.len && rest.ptr[0] == '(')
        rest = slice_skip(rest, 1);
    while (digits < rest.len && ascii_is_digit(rest.ptr[digits]))
        digits++;
    num_parse_u64(slice_take(rest, digits), &f->line);
}

enum { SERIES_TIME, SERIES_ALLOC, SERIES };

/* ---- the profile as JSON ------------------------------------------------------------------- */

/*
 * GHC's time and allocation profile as JSON (+RTS -pj).
 *
 *     {"program": "app", "tick_interval": 1000, "total_ticks": 798, "total_alloc": 1921,
 *      "cost_centres": [{"id": 144, "label": "MAIN", "module": "MAIN", "src_loc": "<built-in>"}],
 *      "profile": {"id": 144, "entries": 0, "alloc": 1024, "ticks": 0, "children": [...]}}
 *
 * Ticks and bytes are self values; each becomes a graph. A name is
 * "Module.label". Both sums are compared with the totals that the file states.
 */

static const char *const series_keys[SERIES] = {"ticks", "alloc"};
static const char *const sum_keys[SERIES] = {"total_ticks", "total_alloc"};

/* What the file states about a node: its self ticks and bytes. */
struct node {
    uint32_t id; /* of the cost centre, or MAP_NONE */
    uint64_t weights[SERIES];
};

struct ghc_json {
    struct builder b;
    struct json_tree tree;
    VEC(struct node) nodes;
    VEC(uint32_t) stacks;  /* indexed by node */
    struct intern ids;     /* of cost centres, as written */
    VEC(uint32_t) entries; /* indexed by intern id; MAP_NONE if it is not in the table */
    struct buf program;
    uint64_t interval;
    uint64_t stated[SERIES]; /* totals of the file, if has_stated */
    bool has_stated[SERIES];
    uint64_t sums[SERIES];
    uint64_t unknown; /* nodes whose cost centre is not in the table */
};

static bool ghc_json_claims(const struct head *h)
{
    return head_has(h, "cost_centres") && (!h->whole || head_has(h, "profile"));
}

/* Returns the number of an id, added if the table or a node has it first. */
static uint32_t id_of(struct ghc_json *g, const struct json_value *v)
{
    uint32_t id = intern_add(&g->ids, v->text);

    if (id == g->entries.count)
        *vec_add(&g->entries) = MAP_NONE;
    return id;
}

static void read_cost_centre(struct ghc_json *g, const struct json_value *centre)
{
    const struct json_value *v = json_get(centre, "id");
    struct frame f = {.kind = FRAME_PLAIN};
    struct buf name = {0};
    uint32_t id;

    if (!v)
        return;
    id = id_of(g, v);
    if (g->entries.items[id] != MAP_NONE)
        return;
    buf_add_slice(&name, json_text(json_get(centre, "module")));
    buf_add_char(&name, '.');
    buf_add_slice(&name, json_text(json_get(centre, "label")));
    f.name = buf_slice(&name);
    ghc_set_source(&f, json_text(json_get(centre, "src_loc")));
    g->entries.items[id] = builder_entry(&g->b, &f);
    buf_release(&name);
}

/* ---- nodes --------------------------------------------------------------------------------- */

static struct node *get_node(struct ghc_json *g, uint32_t node)
{
    json_tree_follow(&g->tree, &g->nodes, (struct node){.id = MAP_NONE});
    return &g->nodes.items[node];
}

static void read_member(void *context, uint32_t node, const struct json_value *v)
{
    struct ghc_json *g = context;
    struct node *n;

    if (node == JSON_TREE_NONE) {
        builder_skip_child(&g->b, v);
        return;
    }
    n = get_node(g, node);
    if (slice_equal(v->key, SLICE("id"))) {
        n->id = id_of(g, v);
        return;
    }
    for (int i = 0; i < SERIES; i++)
        if (slice_equal(v->key, slice_str(series_keys[i])) && !json_u64(v, &n->weights[i]))
            n->weights[i] = 0;
}

static bool open_container(void *context, struct slice key)
{
    struct ghc_json *g = context;

    if (slice_equal(key, SLICE("cost_centres")))
        return true;
    if (!slice_equal(key, SLICE("profile")))
        return false;
    g->tree.parents.count = 0;
    json_tree_begin(&g->tree);
    return true;
}

static void read_fact(struct ghc_json *g, const struct json_value *v)
{
    if (slice_equal(v->key, SLICE("program"))) {
        buf_clear(&g->program);
        buf_add_slice(&g->program, json_text(v));
    } else if (slice_equal(v->key, SLICE("tick_interval"))) {
        json_u64(v, &g->interval);
    }
    for (int i = 0; i < SERIES; i++)
        if (slice_equal(v->key, slice_str(sum_keys[i])))
            g->has_stated[i] = json_u64(v, &g->stated[i]);
}

static bool read_value(void *context, struct slice parent, const struct json_value *v, uint64_t at)
{
    struct ghc_json *g = context;

    (void)at;
    if (slice_equal(parent, SLICE("cost_centres")))
        read_cost_centre(g, v);
    else if (!parent.len)
        read_fact(g, v);
    return true;
}

/* ---- stacks -------------------------------------------------------------------------------- */

static uint32_t entry_of(struct ghc_json *g, uint32_t id)
{
    if (id < g->entries.count && g->entries.items[id] != MAP_NONE)
        return g->entries.items[id];
    g->unknown++;
    return builder_entry(&g->b, &(struct frame){.kind = FRAME_PLAIN});
}

static bool add_node(struct ghc_json *g, uint32_t node, const uint32_t *series)
{
    uint32_t above = g->tree.parents.items[node];
    uint32_t *stack = vec_add(&g->stacks);

    g->b.profile->ledger.lines++;
    if (!builder_child_entry(&g->b, above == JSON_TREE_NONE ? STACK_ROOT : g->stacks.items[above],
                             entry_of(g, g->nodes.items[node].id), stack))
        return false;
    for (int i = 0; i < SERIES; i++) {
        uint64_t weight = g->nodes.items[node].weights[i];

        g->sums[i] += weight;
        if (weight && !builder_add_at(&g->b, series[i], *stack, (struct decimal){.value = weight}))
            return false;
    }
    return true;
}

static void check_json_sum(struct ghc_json *g, int series)
{
    if (g->has_stated[series] && g->stated[series] != g->sums[series])
        diag_warn(g->b.diag,
                  "%s is %llu, but the nodes add up to %llu; the sum of the nodes is shown",
                  sum_keys[series], (unsigned long long)g->stated[series],
                  (unsigned long long)g->sums[series]);
}

static bool finish(struct ghc_json *g)
{
    uint32_t series[SERIES];

    if (!g->tree.parents.count)
        return diag_error(g->b.diag, "the file contains no 'profile', the tree");
    json_tree_end(&g->tree);
    get_node(g, 0);
    if (g->program.len)
        profile_add_fact(g->b.profile, SLICE("command"), buf_slice(&g->program));
    series[SERIES_TIME] =
        builder_series(&g->b, &(struct origin){.event = SLICE("time")}, ghc_tick_unit(g->interval));
    series[SERIES_ALLOC] = builder_series(&g->b, &(struct origin){.event = SLICE("alloc")},
                                          unit_named(SLICE("bytes")));
    for (uint32_t i = 0; i < g->nodes.count; i++)
        if (!add_node(g, i, series))
            return false;
    diag_warn_count(g->b.diag, g->unknown,
                    "# node{ has a cost centre that is not in the table; it is|s have a cost "
                    "centre that is not in the table; they are} shown as unknown");
    check_json_sum(g, SERIES_TIME);
    check_json_sum(g, SERIES_ALLOC);
    return true;
}

static bool ghc_json_read(struct content *c)
{
    struct ghc_json g = {.tree.member = read_member};
    struct json_handler handler = {.context = &g,
                                   .one_document = true,
                                   .open = open_container,
                                   .tree = &g.tree,
                                   .value = read_value};
    bool ok;

    builder_init(&g.b, c->profile, c->options, c->diag);
    ok = json_read(c, &handler) && finish(&g);
    release_each(&g, (json_tree, tree), (vec, nodes, stacks, entries), (buf, program),
                 (intern, ids), (builder, b));
    return ok;
}

const struct format format_ghc_json = {
    .name = "ghc-json",
    .family = FORMAT_LANGUAGES,
    .description = "GHC profile of a Haskell program as JSON: time and allocation",
    .recognised = "JSON with 'cost_centres' and 'profile'",
    .example = "ghc -prof -fprof-auto app.hs && ./app +RTS -pj   # writes app.prof",
    .claims = ghc_json_claims,
    .read = ghc_json_read,
};

enum { PERCENTAGES = 6, NUMBERS = 8 }; /* numbers of a row, without ticks and bytes and with them */

struct ghc_prof {
    struct builder b;
    unsigned numbers; /* of a row; 0 before the table */
    bool in_rows, ended;
    uint64_t tick; /* microseconds; 0 if not stated */
    uint64_t stated[SERIES], sums[SERIES];
    bool has_stated[SERIES];
    uint32_t series[SERIES];
    uint32_t rows;
    VEC(struct decimal) weights; /* of remembered rows, SERIES for each, from `context` */
    struct buf name;
};

/* Claims the title or, if that is missing, the headings of the tables. */
static bool ghc_prof_claims(const struct head *h)
{
    struct slice line = head_first(h);

    if (slice_has(line, SLICE(" Time and Allocation Profiling Report  ")))
        return true;
    return slice_starts(line, SLICE("COST CENTRE ")) && slice_has(line, SLICE(" MODULE ")) &&
           slice_has(line, SLICE(" %time %alloc"));
}

STATE_RELEASE(ghc_prof, (vec, weights), (buf, name), (builder, b));

/* ---- header -------------------------------------------------------------------------------- */

/* Parses a number with commas between thousands. */
static bool parse_grouped(struct slice word, uint64_t *value)
{
    struct buf digits = {0};
    bool ok;

    for (size_t i = 0; i < word.len; i++)
        if (word.ptr[i] != ',')
            buf_add_char(&digits, word.ptr[i]);
    ok = num_parse_u64(buf_slice(&digits), value);
    buf_release(&digits);
    return ok;
}

/* "0.02 secs   (23 ticks @ 1000 us, 1 processor)" */
static void read_total_time(struct ghc_prof *g, struct slice line)
{
    struct slice rest = slice_skip(line, slice_find(line, '(') + 1), word;

    if (!slice_word(&rest, &word) || !num_parse_u64(word, &g->stated[SERIES_TIME]))
        return;
    g->has_stated[SERIES_TIME] = true;
    rest = slice_skip(rest, slice_find(rest, '@') + 1);
    if (slice_word(&rest, &word))
        num_parse_u64(word, &g->tick);
}

/* "59,542,424 bytes  (excludes profiling overheads)" */
static void read_total_alloc(struct ghc_prof *g, struct slice line)
{
    struct slice rest = slice_skip(line, slice_find(line, '=') + 1), word;

    g->has_stated[SERIES_ALLOC] =
        slice_word(&rest, &word) && parse_grouped(word, &g->stated[SERIES_ALLOC]);
}

static void enter_table(struct ghc_prof *g, struct slice line)
{
    struct slice percent = SLICE("percent");
    bool exact = slice_has(line, SLICE(" ticks "));

    g->numbers = exact ? NUMBERS : PERCENTAGES;
    g->series[SERIES_TIME] = builder_series(&g->b, &(struct origin){.event = SLICE("time")},
                                            exact ? ghc_tick_unit(g->tick) : unit_named(percent));
    g->series[SERIES_ALLOC] = builder_series(&g->b, &(struct origin){.event = SLICE("alloc")},
                                             unit_named(exact ? SLICE("bytes") : percent));
}

static void read_header(struct text *t, struct ghc_prof *g, struct slice line)
{
    struct slice text = slice_trim(line);

    if (slice_starts(text, SLICE("total time ")))
        read_total_time(g, text);
    else if (slice_starts(text, SLICE("total alloc ")))
        read_total_alloc(g, text);
    else if (slice_has(text, SLICE(" +RTS ")))
        profile_add_fact(t->profile, SLICE("command"), text);
    else if (slice_starts(text, SLICE("COST CENTRE")) && slice_has(text, SLICE(" entries ")))
        enter_table(g, text);
}

/* ---- rows ---------------------------------------------------------------------------------- */

struct row {
    uint32_t depth;
    struct slice centre, module, source;
    struct decimal numbers[NUMBERS];
};

/* Takes the last word off the end. */
static bool cut_last_word(struct slice *rest, struct slice *word)
{
    size_t at;

    *rest = slice_trim_right(*rest);
    for (at = rest->len; at > 0 && rest->ptr[at - 1] != ' ';)
        at--;
    *word = slice_skip(*rest, at);
    *rest = slice_take(*rest, at);
    return word->len > 0;
}

static bool parse_row(const struct ghc_prof *g, struct slice line, struct row *row)
{
    struct slice rest = line, word;

    for (row->depth = 0; row->depth < line.len && line.ptr[row->depth] == ' ';)
        row->depth++;
    for (unsigned i = g->numbers; i-- > 0;)
        if (!cut_last_word(&rest, &word) || !num_parse_decimal(word, &row->numbers[i]))
            return false;
    if (!slice_word(&rest, &row->centre) || !slice_word(&rest, &row->module))
        return false;
    row->source = slice_trim(rest);
    return true;
}

static bool add_row(struct ghc_prof *g, const struct line_meaning *m)
{
    g->rows++;
    builder_cut(&g->b, m->depth);
    builder_push(&g->b, m->entry);
    for (uint32_t i = 0; i < SERIES; i++) {
        struct decimal weight = g->weights.items[m->context + i];

        g->sums[i] += weight.value;
        if (!builder_add_decimal(&g->b, g->series[i], weight))
            return false;
    }
    return true;
}

/* Returns the meaning of a row; appends its weights to g->weights. */
static struct line_meaning meaning_of(struct ghc_prof *g, const struct row *row)
{
    unsigned first =
        g->numbers == NUMBERS ? PERCENTAGES : 2; /* the number and the entries come first */
    struct line_meaning m = {.kind = 1, .depth = row->depth};
    struct frame f = {.kind = FRAME_PLAIN};

    buf_clear(&g->name);
    buf_add_slice(&g->name, row->module);
    buf_add_char(&g->name, '.');
    buf_add_slice(&g->name, row->centre);
    f.name = buf_slice(&g->name);
    ghc_set_source(&f, row->source);
    m.entry = builder_entry(&g->b, &f);
    m.context = (uint32_t)g->weights.count;
    for (int i = 0; i < SERIES; i++)
        *vec_add(&g->weights) = row->numbers[first + i];
    return m;
}

static bool read_row(struct text *t, struct ghc_prof *g, struct slice line)
{
    struct line_meaning m;
    struct row row;

    if (!parse_row(g, line, &row))
        return text_skip(t, "expected a cost centre, a module and %u numbers; line skipped",
                         g->numbers);
    if (row.depth > builder_depth(&g->b))
        return text_fail(t, "a row of level %u follows a row of level %zu", row.depth,
                         builder_depth(&g->b));
    m = meaning_of(g, &row);
    if (!add_row(g, &m))
        return false;
    if (t->keeps)
        t->meaning = m;
    else
        g->weights.count = m.context;
    return true;
}

static enum text_again ghc_prof_again(struct text *t, void *state, const struct line_meaning *m)
{
    struct ghc_prof *g = state;

    (void)t;
    if (g->ended)
        return TEXT_DONE;
    if (m->depth > builder_depth(&g->b))
        return TEXT_UNFIT;
    return add_row(g, m) ? TEXT_DONE : TEXT_FAILED;
}

static bool ghc_prof_line(struct text *t, void *state, struct slice line)
{
    struct ghc_prof *g = state;
    bool blank = slice_trim(line).len == 0;

    if (g->ended || (blank && !g->in_rows))
        return true;
    if (!g->numbers) {
        read_header(t, g, line);
        return true;
    }
    g->ended = blank;
    g->in_rows = true;
    return blank || read_row(t, g, line);
}

/* Compares the sum of a complete file with the total in its header. */
static void check_sum(struct text *t, const struct ghc_prof *g, int series, const char *what)
{
    if (g->numbers == NUMBERS && g->has_stated[series] && g->stated[series] != g->sums[series])
        diag_warn(t->diag,
                  "the %s of the rows add up to %llu, but the file states %llu; the sum of the "
                  "rows is shown",
                  what, (unsigned long long)g->sums[series], (unsigned long long)g->stated[series]);
}

static bool ghc_prof_end(struct text *t, void *state)
{
    struct ghc_prof *g = state;

    if (!g->numbers)
        return diag_error(t->diag, "the file ends before its table of cost centres");
    if (!g->rows)
        return diag_error(t->diag, "the table of cost centres has no rows");
    check_sum(t, g, SERIES_TIME, "ticks");
    check_sum(t, g, SERIES_ALLOC, "bytes");
    return true;
}

const struct format format_ghc_prof = {
    .name = "ghc-prof",
    .family = FORMAT_LANGUAGES,
    .description = "GHC profile of a Haskell program as text: time and allocation",
    .recognised =
        "'Time and Allocation Profiling Report', or 'COST CENTRE MODULE', in the first line",
    .example = "ghc -prof -fprof-auto app.hs && ./app +RTS -P   # writes app.prof",
    .claims = ghc_prof_claims,
    .text = {BUILDER_READER(ghc_prof, b), .again = ghc_prof_again},
};
