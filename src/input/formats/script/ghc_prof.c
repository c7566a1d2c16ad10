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
 *     COST CENTRE MODULE SRC   %time %alloc  ticks  bytes          the flat table: passed over
 *     ...
 *                                            individual      inherited
 *     COST CENTRE MODULE SRC  no.  entries  %time %alloc   %time %alloc  ticks  bytes
 *
 *     MAIN        MAIN   <built-in>    337   0    0.0   0.0   100.0 100.0   0  728
 *      CAF        Lib    <entire-module>     ...
 *
 * A row stands a blank deeper than its caller; of its words the first is the
 * cost centre, the second the module, the last ones are numbers, and what is
 * between is the place in the source (which old versions do not have, and
 * which may hold blanks). Read are ticks and bytes, as time and as memory,
 * where the table has them (-P), else the individual percentages. A name is
 * "Module.cost centre". Grammar: GHC's user guide, profiling.
 */
#include "base/num.h"
#include "input/build/builder.h"
#include "input/format.h"
#include "input/formats/script/ghc.h"

enum { PERCENTAGES = 6, NUMBERS = 8 }; /* numbers in a row, without ticks and bytes and with them */

enum { SERIES_TIME, SERIES_ALLOC, SERIES };

struct ghc_prof {
    struct builder b;
    unsigned numbers; /* of a row; 0 before the table */
    bool in_rows, ended;
    uint64_t tick; /* microseconds; 0 where not told */
    uint64_t stated[SERIES], sums[SERIES];
    bool has_stated[SERIES];
    uint32_t series[SERIES];
    uint32_t rows;
    VEC(struct decimal) weights; /* of rows met before, SERIES for each: `context` */
    struct buf name;
};

/* By the title, or, where that was cut off, by the heads of the tables. */
static bool ghc_prof_claims(const struct head *h)
{
    struct slice rest = h->bytes, line = SLICE("");

    while (slice_line(&rest, &line) && !slice_trim(line).len)
        ;
    if (slice_search(line, SLICE(" Time and Allocation Profiling Report  ")) < line.len)
        return true;
    return slice_starts(line, SLICE("COST CENTRE ")) &&
           slice_search(line, SLICE(" MODULE ")) < line.len &&
           slice_search(line, SLICE(" %time %alloc")) < line.len;
}

static bool ghc_prof_begin(struct text *t, void *state)
{
    struct ghc_prof *g = state;

    builder_init(&g->b, t->profile, t->options, t->diag);
    buf_init(&g->name);
    return true;
}

static void ghc_prof_release(void *state)
{
    struct ghc_prof *g = state;

    vec_release(&g->weights);
    buf_release(&g->name);
    builder_release(&g->b);
}

/* ---- header -------------------------------------------------------------------------------- */

/* A number with commas between thousands. */
static bool parse_grouped(struct slice word, uint64_t *value)
{
    struct buf digits;
    bool ok;

    buf_init(&digits);
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
    bool exact = slice_search(line, SLICE(" ticks ")) < line.len;

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
    else if (slice_search(text, SLICE(" +RTS ")) < text.len)
        profile_add_fact(t->profile, SLICE("command"), text);
    else if (slice_starts(text, SLICE("COST CENTRE")) &&
             slice_search(text, SLICE(" entries ")) < text.len)
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
    g->b.profile->ledger.lines++;
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

/* What a row means, its weights added to those met before. */
static struct line_meaning meaning_of(struct ghc_prof *g, const struct row *row)
{
    unsigned first = g->numbers == NUMBERS ? PERCENTAGES : 2; /* behind no. and entries */
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

    if (!parse_row(g, line, &row)) {
        t->profile->ledger.lines++;
        text_skip(t, "expected a cost centre, a module and %u numbers; line skipped", g->numbers);
        return true;
    }
    if (row.depth > builder_depth(&g->b)) {
        diag_add(t->diag, DIAG_ERROR, DIAG_AT_LINE(t->line),
                 "a row stands %u deep below one that is %zu deep", row.depth,
                 builder_depth(&g->b));
        return false;
    }
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

/* The sums of a whole file are those of its header. */
static void check_sum(struct text *t, const struct ghc_prof *g, int series, const char *what)
{
    if (g->numbers == NUMBERS && g->has_stated[series] && g->stated[series] != g->sums[series])
        diag_add(t->diag, DIAG_WARNING, DIAG_AT_FILE,
                 "the %s of the rows add up to %llu and not to %llu, as the file says; what they "
                 "add up to is shown",
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

static const struct text_reader ghc_prof_reader = {
    .state_size = sizeof(struct ghc_prof),
    .begin = ghc_prof_begin,
    .line = ghc_prof_line,
    .again = ghc_prof_again,
    .end = ghc_prof_end,
    .release = ghc_prof_release,
};

const struct format format_ghc_prof = {
    .name = "ghc-prof",
    .family = FORMAT_LANGUAGES,
    .description = "GHC's profile of Haskell programs as text, time and allocation",
    .recognised =
        "'Time and Allocation Profiling Report', or 'COST CENTRE MODULE', in the first line",
    .example = "ghc -prof -fprof-auto app.hs && ./app +RTS -P   # writes app.prof",
    .claims = ghc_prof_claims,
    .reader = &ghc_prof_reader,
};
