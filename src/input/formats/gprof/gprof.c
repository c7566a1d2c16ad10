/*
 * Reader of the reports of gprof: GNU's, BSD's, Darwin's and AIX's.
 *
 *     index % time    self  children    called     name
 *                     0.01    1.28       1/1           main [2]
 *     [1]    100.0    0.01    1.28       1         fparse [1]
 *                     0.00    1.24   30288/30288       parse [4]
 *     -----------------------------------------------
 *
 * An entry is about the function whose line begins with its index. The lines above it are its
 * callers, each with the time that the function and its callees took on account of that caller.
 * The lines below it, its callees, say the same as the callees' own entries and are ignored, as
 * are `<cycle 1 as a whole>` and calls within a cycle, which have no times. A report without a
 * call graph has a flat profile, whose functions become stacks of one frame:
 *
 *       %   cumulative   self              self     total
 *      time   seconds   seconds    calls  ms/call  ms/call  name
 *      18.18      0.06     0.06    23480     0.00     0.00  find_char_unquote
 *
 * The weight is the self time, which the report rounds to hundredths of a second. Stacks are
 * estimated from the calls (input/build/call_graph.h); the total of a function is its self time
 * and that of its children. The numbers of calls are dropped. The gprof of Xtensa measures cycles
 * in place of seconds: "self  children" without "time", and below the heading the factor, "(K)".
 *
 * Source: the manual of GNU gprof, "Interpreting gprof's Output".
 */
#include "base/ascii.h"
#include "base/hash.h"
#include "base/num.h"
#include "input/build/call_graph.h"
#include "input/format.h"
#include "profile/unit.h"

enum {
    NS_DECIMALS = 9,
    KNOWN_AHEAD = 1 << 16, /* numbers of indexes, so that a false one takes little memory */
};

/* A row of the call graph. */
struct row {
    struct slice index;   /* of the line's own function, "[7]" */
    uint64_t number;      /* in that */
    bool primary, timed;  /* begins with the index; has times */
    int64_t self, inside; /* ns, or cycles */
    struct slice name;
};

struct call {
    uint32_t caller; /* function */
    int64_t time;    /* ns, or cycles */
};

struct gprof {
    struct builder b;
    bool in_flat, in_graph;
    bool cycles;     /* times are in cycles */
    unsigned places; /* times are whole numbers of 10^-places of the unit in the report */
    struct call_graph graph, flat;
    struct intern indexes;    /* of functions in the graph, in their order */
    VEC(uint32_t) known;      /* by the number of an index: its function + 1, or 0 */
    VEC(struct call) callers; /* of the current entry, up to its primary line */
    bool below;               /* the primary line was met */
    bool calls;
};

/* ---- rows ---------------------------------------------------------------------------------- */

/* Parses a number with a decimal point, as a whole number of 10^-places. */
static bool parse_time(struct slice word, unsigned places, int64_t *value)
{
    struct decimal d;
    uint64_t n;

    if (slice_find(word, '.') == word.len || !num_parse_decimal(word, &d) || d.decimals > places ||
        !num_mul(d.value, num_pow10(places - d.decimals), &n) || n > INT64_MAX / 4)
        return false;
    *value = (int64_t)n;
    return true;
}

/* Columns are filled with spaces, of which a word is skipped at a time. */
static inline const char *skip_blanks(const char *p, const char *end)
{
    const uint64_t spaces = 0x2020202020202020u;

    for (; end - p >= (ptrdiff_t)sizeof(spaces); p += sizeof(spaces)) {
        uint64_t others = hash_load((const unsigned char *)p, sizeof(spaces)) ^ spaces;

        if (others) {
            p += __builtin_ctzll(others) / 8;
            break;
        }
    }
    while (p < end && slice_is_blank(*p))
        p++;
    return p;
}

/*
 * Quick way for a time of up to nine digits before and after the point, such as "12.34". Returns
 * false and takes nothing for any other word.
 */
static bool take_fixed(struct slice *rest, unsigned places, int64_t *value)
{
    const char *end = rest->ptr + rest->len, *start = skip_blanks(rest->ptr, end), *p = start, *dot;
    size_t decimals;
    uint64_t n = 0;

    for (; p < end && ascii_is_digit(*p); p++)
        n = n * 10 + (unsigned)(*p - '0');
    dot = p++;
    if (dot >= end || *dot != '.' || dot == start || dot - start > NUM_MAX_DECIMALS)
        return false;
    for (; p < end && ascii_is_digit(*p); p++)
        n = n * 10 + (unsigned)(*p - '0');
    decimals = (size_t)(p - dot) - 1;
    if (!decimals || decimals > places || (p < end && !slice_is_blank(*p)))
        return false;
    *value = (int64_t)(n * num_pow10(places - (unsigned)decimals));
    *rest = slice_make(p, (size_t)(end - p));
    return true;
}

static bool take_time(struct slice *rest, unsigned places, int64_t *value)
{
    struct slice word, after = *rest;

    if (take_fixed(rest, places, value))
        return true;
    if (!slice_word(&after, &word) || !parse_time(word, places, value))
        return false;
    *rest = after;
    return true;
}

/* Takes "30288/30288", "1+5" or "6". */
static void take_count(struct slice *rest)
{
    const char *end = rest->ptr + rest->len, *start = skip_blanks(rest->ptr, end), *p = start;

    while (p < end && (ascii_is_digit(*p) || *p == '/' || *p == '+'))
        p++;
    if (p > start && (p == end || slice_is_blank(*p)))
        *rest = slice_make(p, (size_t)(end - p));
}

static bool parse_index(struct slice word, uint64_t *number)
{
    return slice_starts(word, SLICE("[")) && slice_ends(word, SLICE("]")) &&
           num_parse_u64(slice_take(slice_skip(word, 1), word.len - 2), number);
}

static bool is_index(struct slice word)
{
    uint64_t number;

    return parse_index(word, &number);
}

/* Splits "name <cycle 1> [7]" into the name and the index. */
static bool split_name(struct slice text, struct row *row)
{
    const char *name;
    size_t at;

    text = slice_trim_right(text);
    if (!slice_ends(text, SLICE("]")))
        return false;
    at = text.len - 1;
    while (at > 0 && ascii_is_digit(text.ptr[at - 1]))
        at--;
    if (at < 2 || text.ptr[--at] != '[' || text.ptr[at - 1] != ' ')
        return false;
    row->index = slice_skip(text, at);
    name = skip_blanks(text.ptr, row->index.ptr);
    row->name = slice_trim_right(slice_make(name, (size_t)(row->index.ptr - name)));
    if (!parse_index(row->index, &row->number))
        return false;
    if (!slice_ends(row->name, SLICE(">")))
        return row->name.len > 0;
    at = slice_find_last(row->name, '<');
    if (at > 0 && at < row->name.len && slice_starts(slice_skip(row->name, at), SLICE("<cycle ")))
        row->name = slice_trim(slice_take(row->name, at));
    return row->name.len > 0;
}

/* Parses a line of the call graph. Returns false for any other, as "<spontaneous>". */
static bool parse_row(struct slice line, unsigned places, struct row *row)
{
    struct slice rest = line, word;
    int64_t percent;

    *row = (struct row){0};
    if (slice_starts(line, SLICE("["))) {
        row->primary = slice_word(&rest, &word) && is_index(word) &&
                       take_time(&rest, NUM_MAX_DECIMALS, &percent);
        if (!row->primary)
            return false;
    }
    row->timed = take_time(&rest, places, &row->self) && take_time(&rest, places, &row->inside);
    if (row->primary && !row->timed)
        return false;
    take_count(&rest);
    return split_name(rest, row) && (!row->primary || slice_equal(row->index, word));
}

/* Parses a line of the flat profile: "time, cumulative, self, [calls, self, total,] name". */
static bool parse_flat(struct slice line, unsigned places, struct row *row)
{
    const unsigned most = NUM_MAX_DECIMALS;
    int64_t ignored;
    struct slice calls;

    *row = (struct row){0};
    if (!take_time(&line, most, &ignored) || !take_time(&line, most, &ignored) ||
        !take_time(&line, places, &row->self))
        return false;
    calls = line;
    take_count(&calls);
    if (calls.ptr != line.ptr) {
        line = calls;
        if (take_time(&line, most, &ignored))
            take_time(&line, most, &ignored);
    }
    row->name = slice_trim(line);
    if (is_index(slice_skip(row->name, slice_find_last(row->name, ' ') + 1)))
        split_name(row->name, row);
    return row->name.len > 0;
}

/* ---- recognition --------------------------------------------------------------------------- */

static bool is_graph_head(struct slice line)
{
    static const char *const gnu[] = {"index", "%", "time", "self", "children"};
    static const char *const bsd[] = {"index", "%time", "self", "descendents"};
    static const char *const cycles[] = {"index", "%", "self", "children"};

    return head_words(line, gnu, 5) || head_words(line, bsd, 4) || head_words(line, cycles, 4);
}

static bool is_flat_head(struct slice line)
{
    static const char *const flat[] = {"%", "cumulative", "self"};

    return head_words(line, flat, 3);
}

/* The last line of the heading of a flat profile in cycles. */
static bool is_cycles_head(struct slice line)
{
    static const char *const cycles[] = {"%", "cycles", "cycles"};

    return head_words(line, cycles, 3);
}

/* Reads "(K) (K)", the factor of the numbers in cycles below, as a power of ten. */
static bool parse_factor(struct slice line, unsigned *places)
{
    static const char letters[] = "KMG";
    struct slice word;
    const char *at;

    if (!slice_word(&line, &word) || word.len != 3 || word.ptr[0] != '(' || word.ptr[2] != ')')
        return false;
    at = memchr(letters, word.ptr[1], sizeof(letters) - 1);
    if (at)
        *places = (unsigned)(at - letters + 1) * 3;
    return at != NULL;
}

/* Whether a line may be either of them: "index" or "%" comes first. */
static bool may_be_head(struct slice line)
{
    struct slice text = slice_trim_left(line);

    return text.len && (text.ptr[0] == 'i' || text.ptr[0] == '%');
}

static bool gprof_claims(const struct head *head)
{
    struct slice rest = head->bytes, line;
    bool graph = false, flat = false;
    struct row row;

    /* The source of a manual page may show such a report. */
    if (slice_starts(rest, SLICE(".")) || slice_starts(rest, SLICE("'\\\"")))
        return false;
    while (head_line(head, &rest, &line)) {
        if ((graph && parse_row(line, NUM_MAX_DECIMALS, &row) && row.primary) ||
            (flat && parse_flat(line, NUM_MAX_DECIMALS, &row)))
            return true;
        graph = graph || is_graph_head(line);
        flat = flat || is_flat_head(line) || is_cycles_head(line);
    }
    return false;
}

/* ---- reading ------------------------------------------------------------------------------- */

static uint32_t add_function(struct gprof *g, struct call_graph *graph, struct slice name)
{
    struct frame frame = {.name = name, .kind = FRAME_NATIVE};

    return call_graph_add_function(graph, builder_entry(&g->b, &frame));
}

/* Returns the function with an index, added at the first use. */
static uint32_t function_of_index(struct gprof *g, const struct row *row)
{
    uint32_t id = intern_add(&g->indexes, row->index);

    if (id == g->graph.functions.count)
        add_function(g, &g->graph, row->name);
    return id;
}

/* The same, from `known` if the number is among the next that a report gives; "[07]" is not. */
static uint32_t function_of(struct gprof *g, const struct row *row)
{
    uint32_t *known;

    if (row->number > 2 * g->graph.functions.count + KNOWN_AHEAD || row->index.ptr[1] == '0')
        return function_of_index(g, row);
    while (g->known.count <= row->number)
        *vec_add(&g->known) = 0;
    known = &g->known.items[row->number];
    if (!*known)
        *known = function_of_index(g, row) + 1;
    return *known - 1;
}

static bool too_large(struct text *t)
{
    return text_fail(t, "the sum of the times exceeds 63 bits");
}

/* Adds the function of an entry, with its callers. */
static bool add_entry(struct text *t, struct gprof *g, const struct row *row)
{
    uint32_t id = function_of(g, row);
    bool ok = call_graph_add_self(&g->graph, 0, id, row->self);

    call_graph_set_total(&g->graph, 0, id, row->self + row->inside);
    vec_each (const struct call, c, &g->callers)
        ok = ok &&
             call_graph_add_calls(&g->graph, 0, call_graph_edge(&g->graph, c->caller, id), c->time);
    g->calls = g->calls || g->callers.count;
    vec_clear(&g->callers);
    g->below = true;
    return ok || too_large(t);
}

/* Whether a line is a row, unlike headings and explanations. */
static bool begins_with_digit(struct slice line)
{
    line = slice_trim_left(line);
    return line.len && ascii_is_digit(line.ptr[0]);
}

static bool read_graph_line(struct text *t, struct gprof *g, struct slice line)
{
    struct row row;

    if (line.len && line.ptr[0] == '-' && slice_starts(line, SLICE("-----"))) {
        vec_clear(&g->callers);
        g->below = false;
        return true;
    }
    if (g->below && !slice_starts(line, SLICE("[")))
        return true;
    if (!parse_row(line, g->places, &row) || slice_ends(row.name, SLICE(" as a whole>")))
        return !(slice_starts(line, SLICE("[")) || begins_with_digit(line)) || row.name.len ||
               text_skip(t, "expected '[INDEX] %%TIME SELF CHILDREN CALLED NAME [INDEX]'; "
                            "line skipped");
    if (row.primary)
        return add_entry(t, g, &row);
    *vec_add(&g->callers) = (struct call){function_of(g, &row), row.self + row.inside};
    return true;
}

static bool read_flat_line(struct text *t, struct gprof *g, struct slice line)
{
    struct row row;

    if (!slice_trim(line).len || slice_starts(line, SLICE("\f"))) {
        g->in_flat = g->flat.functions.count == 0;
        return true;
    }
    if (!parse_flat(line, g->places, &row))
        return !begins_with_digit(line) ||
               text_skip_line(t, "expected '%TIME CUMULATIVE SELF ... NAME'", line);
    return call_graph_add_self(&g->flat, 0, add_function(g, &g->flat, row.name), row.self) ||
           too_large(t);
}

static bool gprof_begin(struct text *t, void *state)
{
    struct gprof *g = state;

    builder_init(&g->b, t->profile, t->options, t->diag);
    g->places = NS_DECIMALS;
    call_graph_init(&g->graph);
    call_graph_init(&g->flat);
    return true;
}

/* Of what follows the heading of the call graph, all but its rows is skipped. */
static bool gprof_line(struct text *t, void *state, struct slice line)
{
    struct gprof *g = state;
    const struct slice rate = SLICE("Each sample counts as ");

    if (line.len && line.ptr[0] == rate.ptr[0] && slice_starts(line, rate))
        profile_add_fact(t->profile, SLICE("sample interval"),
                         slice_trim(slice_skip(line, rate.len)));
    if (g->cycles && parse_factor(line, &g->places))
        return true;
    if (g->in_graph)
        return read_graph_line(t, g, line);
    if (may_be_head(line) && is_graph_head(line)) {
        if (!slice_has(line, SLICE("time")) && !g->cycles) {
            g->cycles = true;
            g->places = 0;
        }
        g->in_graph = true;
        g->in_flat = false;
        return true;
    }
    if (may_be_head(line) && (is_flat_head(line) || is_cycles_head(line))) {
        g->cycles = is_cycles_head(line);
        g->places = g->cycles ? 0 : NS_DECIMALS;
        g->in_flat = true;
        return true;
    }
    return !g->in_flat || read_flat_line(t, g, line);
}

static bool gprof_end(struct text *t, void *state)
{
    struct gprof *g = state;
    const struct call_graph *graph = g->graph.functions.count ? &g->graph : &g->flat;
    struct slice unit = g->cycles ? SLICE("cycles") : SLICE("ns");
    uint32_t series =
        builder_series(&g->b, &(struct origin){.event = SLICE("cpu")}, unit_named(unit));

    if (g->calls)
        call_graph_tell(t->profile);
    return call_graph_add_stacks(graph, 0, &g->b, series, STACK_ROOT);
}

STATE_RELEASE(gprof, (call_graph, graph, flat), (intern, indexes), (vec, callers, known),
              (builder, b));

const struct format format_gprof = {
    .name = "gprof",
    .family = FORMAT_SYSTEMS,
    .description = "reports of gprof; stacks are estimated from the calls",
    .recognised = "'index % time self children' or '% cumulative self' above rows of a report",
    .example = "gcc -pg app.c; ./a.out; gprof ./a.out gmon.out > app.gprof",
    .without_stacks = "the program ran for less than a sample of gprof, 0.01 s",
    .needs = "self",
    .claims = gprof_claims,
    .text = {TEXT_READER(gprof)},
};
