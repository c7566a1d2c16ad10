/*
 * Reader of callgrind's format, which cachegrind, Xdebug's profiler, pprof
 * -callgrind and others write, too.
 *
 *     events: Ir Dr                     what the costs count
 *     ob=(1) /usr/bin/app               object, file, function: first "(id) name", then "(id)"
 *     fl=(1) app.c
 *     fn=(1) main
 *     16 20 3                           a position (`positions:` tells their number), self costs
 *     cob= cfi= cfn=(2) parse           object, file and function of a callee
 *     calls=1 50
 *     16 400 12                         a position, inclusive costs of the calls
 *     jump=4 18                         followed by a position alone
 *     summary: 420 15
 *
 * A position is a number, "+N", "-N" or "*"; costs omitted at the end of a line
 * are 0. A file has one or more parts, of one or more threads.
 *
 * Callgrind writes calls instead of stacks; the stacks are estimated
 * (input/build/call_graph.h), which the fact "estimated" states. Xdebug writes a block for
 * each call, so its tree is exact (call_blocks.h). Each event is a series; if
 * caches or branches were simulated, estimated cycles are one more. Positions
 * and jumps are ignored. The sums of costs are compared with those that the
 * file states.
 *
 * Source: valgrind.org/docs/manual/cl-format.html.
 */
#include "base/num.h"
#include "base/slice.h"
#include "input/core/cut_off.h"
#include "input/format.h"
#include "input/build/call_graph.h"
#include "input/formats/callgrind/callgrind_file.h"
#include "profile/unit.h"

/* ---- events -------------------------------------------------------------------------------- */

/* Name of the event that callgrind_cycles_add() adds. */
#define CALLGRIND_CYCLES "estimated cycles"

struct callgrind_event {
    struct slice name; /* without the unit */
    struct unit unit;
};

#define COUNT(noun)                                                                                \
    {                                                                                              \
        UNIT_COUNT, 0,                                                                             \
        {                                                                                          \
            "" noun, sizeof(noun) - 1                                                              \
        }                                                                                          \
    }

static const struct {
    struct slice word;
    struct unit unit;
} counters[] = {
    {{"Ir", 2}, COUNT("instructions")},
    {{"Dr", 2}, COUNT("data reads")},
    {{"Dw", 2}, COUNT("data writes")},
    {{"I1mr", 4}, COUNT("L1 instruction misses")},
    {{"D1mr", 4}, COUNT("L1 data read misses")},
    {{"D1mw", 4}, COUNT("L1 data write misses")},
    {{"I2mr", 4}, COUNT("L2 instruction misses")},
    {{"D2mr", 4}, COUNT("L2 data read misses")},
    {{"D2mw", 4}, COUNT("L2 data write misses")},
    {{"ILmr", 4}, COUNT("last-level instruction misses")},
    {{"DLmr", 4}, COUNT("last-level data read misses")},
    {{"DLmw", 4}, COUNT("last-level data write misses")},
    {{"Bc", 2}, COUNT("conditional branches")},
    {{"Bcm", 3}, COUNT("mispredicted conditional branches")},
    {{"Bi", 2}, COUNT("indirect branches")},
    {{"Bim", 3}, COUNT("mispredicted indirect branches")},
    {{"Ge", 2}, COUNT("global bus events")},
    {{"sysCount", 8}, COUNT("system calls")},
    {{CALLGRIND_CYCLES, sizeof(CALLGRIND_CYCLES) - 1}, COUNT("cycles")},
};

/* Returns a unit that may have a factor, a power of ten of a time: "10ns". */
static struct unit scaled_unit(struct slice word)
{
    struct unit unit;
    int zeros = 0;

    if (!word.len || word.ptr[0] != '1')
        return unit_named(word);
    while ((size_t)zeros + 1 < word.len && word.ptr[zeros + 1] == '0' && zeros < 6)
        zeros++;
    unit = unit_named(slice_skip(word, (size_t)zeros + 1));
    if (unit.kind != UNIT_SECONDS)
        return unit_named(word);
    unit.exponent += zeros;
    return unit;
}

/*
 * Returns name and unit of an event. Valgrind's tools have a fixed set of short
 * names; other programs write the unit after the name: "Time_(10ns)",
 * "cpu(nanoseconds)". Xdebug's older versions write "Time" for microseconds.
 */
static struct callgrind_event callgrind_event(struct slice word, bool xdebug)
{
    size_t at = slice_find(word, '(');
    struct callgrind_event e = {word, {UNIT_COUNT, 0, word}};

    for (size_t i = 0; i < sizeof(counters) / sizeof(counters[0]); i++)
        if (slice_equal(word, counters[i].word))
            e.unit = counters[i].unit;
    if (xdebug && slice_equal(word, SLICE("Time")))
        e.unit = unit_named(SLICE("us"));
    if (xdebug && slice_equal(word, SLICE("Memory")))
        e.unit = unit_named(SLICE("bytes"));
    if (at == 0 || at + 2 >= word.len || word.ptr[word.len - 1] != ')')
        return e;
    e.unit = scaled_unit(slice_take(slice_skip(word, at + 1), word.len - at - 2));
    while (at > 1 && word.ptr[at - 1] == '_')
        at--;
    e.name = slice_take(word, at);
    return e;
}

/*
 * KCachegrind's cycle estimate "CEst" (GlobalConfig::knownFormula in its
 * libcore): 1 for each instruction, 10 for each mispredicted branch and each
 * first-level miss, 20 for each global bus event, 100 for each miss of the
 * second or last level.
 */

static const struct {
    const char *event;
    int cycles;
} rows[] = {
    {"Ir", 1},     {"Bcm", 10},   {"Bim", 10},   {"I1mr", 10},  {"D1mr", 10},
    {"D1mw", 10},  {"Ge", 20},    {"I2mr", 100}, {"D2mr", 100}, {"D2mw", 100},
    {"ILmr", 100}, {"DLmr", 100}, {"DLmw", 100}, {NULL, 0},
};

static int cycles_of(const struct callgrind_file *f, uint32_t event)
{
    struct slice word = intern_get(&f->names.texts, f->events.items[event].word);

    return slice_row(word, slice_equal, rows)->cycles;
}

/* Whether the file has instructions as well as misses or mispredictions. */
static bool is_simulated(const struct callgrind_file *f)
{
    bool instructions = false, misses = false;

    for (uint32_t i = 0; i < f->events.count; i++) {
        int cycles = cycles_of(f, i);

        instructions |= cycles == 1;
        misses |= cycles > 1;
    }
    return instructions && misses;
}

/* Adds the costs of an event times `cycles` to event `to`. Returns false on overflow. */
static bool add_event(struct call_graph *g, uint32_t from, uint32_t to, int cycles)
{
    int64_t cost;

    for (uint32_t i = 0; from < g->events.count && i < g->events.items[from].self.count; i++)
        if (__builtin_mul_overflow(g->events.items[from].self.items[i], cycles, &cost) ||
            !call_graph_add_self(g, to, i, cost))
            return false;
    for (uint32_t i = 0; from < g->events.count && i < g->events.items[from].inclusive.count; i++)
        if (__builtin_mul_overflow(g->events.items[from].inclusive.items[i], cycles, &cost) ||
            !call_graph_add_calls(g, to, i, cost))
            return false;
    return true;
}

/* Adds estimated cycles as an event, if the file has their terms. Warns on overflow. */
static void callgrind_cycles_add(struct callgrind_file *f, struct text *t)
{
    uint32_t events = (uint32_t)f->events.count;

    if (!is_simulated(f))
        return;
    vec_each (struct callgrind_thread, thread, &f->threads)
        for (uint32_t i = 0; i < events; i++)
            if (cycles_of(f, i) && !add_event(&thread->graph, i, events, cycles_of(f, i))) {
                diag_warn(t->diag, "the " CALLGRIND_CYCLES " exceed 63 bits; skipped");
                return;
            }
    *vec_add(&f->events) = (struct callgrind_sums){
        .word = intern_add(&f->names.texts, SLICE(CALLGRIND_CYCLES)),
    };
    profile_add_fact(t->profile, SLICE(CALLGRIND_CYCLES),
                     SLICE("Ir + 10 (mispredicted branches + first-level misses) + 20 Ge + 100 "
                           "(second and last-level misses), as in KCachegrind"));
}

struct callgrind {
    struct builder b;
    struct callgrind_file file;
};

/* ---- recognition --------------------------------------------------------------------------- */

/* Whether the creator is Xdebug; its oldest versions only show in PHP's internal functions. */
static bool is_xdebug(struct slice head)
{
    enum { LINES = 12 };
    struct slice line;

    for (int i = 0; i < LINES && slice_line(&head, &line); i++)
        if (slice_starts(line, SLICE("creator: xdebug ")) ||
            slice_equal(slice_trim(line), SLICE("fl=php:internal")))
            return true;
    return false;
}

/* Whether a line cannot be in a header, as in a document that describes the format. */
static bool is_text(struct slice line)
{
    struct slice word;

    line = slice_take(line, slice_find(line, ':') + 1);
    return slice_word(&line, &word) && word.ptr[0] != '#' && slice_find(word, ':') == word.len;
}

/* Requires events and a function, or a header with events, creator and positions. */
static bool callgrind_claims(const struct head *h)
{
    struct slice rest = h->bytes, line;
    bool events = false, creator = false, positions = false;

    if (slice_starts(rest, SLICE("# callgrind format")))
        return true;
    while (head_line(h, &rest, &line)) {
        if (!events && is_text(line))
            return false;
        events = events || slice_starts(line, SLICE("events: "));
        creator = creator || slice_starts(line, SLICE("creator: "));
        positions = positions || slice_starts(line, SLICE("positions: "));
        if (events && (slice_starts(line, SLICE("fn=")) || (creator && positions)))
            return true;
    }
    return false;
}

static bool xdebug_claims(const struct head *h)
{
    return is_xdebug(h->bytes) && callgrind_claims(h);
}

/* ---- sums ---------------------------------------------------------------------------------- */

/* Sums up the self costs of an event over all threads. Returns false on overflow. */
static bool sum_of(const struct callgrind_file *f, uint32_t event, int64_t *sum)
{
    *sum = 0;
    vec_each (struct callgrind_thread, thread, &f->threads) {
        if (event >= thread->graph.events.count)
            continue;
        vec_each (int64_t, cost, &thread->graph.events.items[event].self)
            if (__builtin_add_overflow(*sum, *cost, sum))
                return false;
    }
    return true;
}

/* Warns if costs and stated sums differ. Xdebug's summary is no sum of its costs. */
static void check_sums(struct text *t, const struct callgrind_file *f)
{
    int64_t sum;

    if (f->xdebug || (!f->has_totals && !f->has_summary && !f->described))
        return;
    for (uint32_t i = 0; i < f->events.count; i++) {
        const struct callgrind_sums *s = &f->events.items[i];
        uint64_t stated = f->has_totals ? s->totals : s->summary;

        /* A dump requested by the program states "summary: 0", whatever it contains. */
        if (!stated && !f->has_totals)
            continue;
        if (sum_of(f, i, &sum) && (sum < 0 || (uint64_t)sum != stated))
            diag_warn(t->diag,
                      "the costs of %.*s add up to %lld, but the file states %llu; the costs are "
                      "drawn",
                      SLICE_ARG(intern_get(&f->names.texts, s->word)), (long long)sum,
                      (unsigned long long)stated);
    }
    if (!f->has_totals)
        cut_off(t, DIAG_AT_FILE, "no totals at the end; the file may be truncated");
}

/* Warns if {main} is not a root: the calls running when the run was stopped are missing. */
static void check_main(struct text *t, const struct callgrind_file *f)
{
    uint32_t main = intern_find(&f->names.texts, SLICE("{main}"));

    for (uint32_t id = 0; id < f->frames.count; id++)
        if (call_blocks_is_root(&f->blocks, id) &&
            callgrind_names_function_text(&f->names, id) == main)
            return;
    cut_off(t, DIAG_AT_FILE,
            "the file ends before {main} returns: calls that were running are missing, and their "
            "callees are roots");
}

/* ---- stacks -------------------------------------------------------------------------------- */

static uint32_t series_of(struct callgrind *c, const struct callgrind_thread *thread,
                          uint32_t event)
{
    struct slice word = intern_get(&c->file.names.texts, c->file.events.items[event].word);
    struct callgrind_event e = callgrind_event(word, c->file.xdebug);
    struct origin origin = {
        .event = e.name,
        .process = profile_fact(c->b.profile, SLICE("command")),
        .pid = profile_fact(c->b.profile, SLICE("pid")),
        .tid = intern_get(&c->file.names.texts, thread->name),
    };

    slice_word(&origin.process, &origin.process);
    return builder_series(&c->b, &origin, e.unit);
}

/* Adds Xdebug's exact call tree. */
static bool add_blocks(struct text *t, struct callgrind *c)
{
    uint32_t series[CALL_BLOCKS_EVENTS];

    check_main(t, &c->file);
    for (uint32_t i = 0; i < c->file.events.count && i < CALL_BLOCKS_EVENTS; i++)
        series[i] = series_of(c, &c->file.threads.items[0], i);
    return call_blocks_add_stacks(&c->file.blocks, &c->b, c->file.frames.items, series,
                                  (uint32_t)c->file.events.count);
}

/* Makes the root frame of a thread, for files with several threads. */
static bool thread_root(struct callgrind *c, const struct callgrind_thread *thread, uint32_t *root)
{
    struct slice name = intern_get(&c->file.names.texts, thread->name);
    struct buf text = {0};
    bool ok;

    buf_printf(&text, "thread%s%.*s", name.len ? " " : "", SLICE_ARG(name));
    ok = builder_child(&c->b, STACK_ROOT,
                       &(struct frame){.name = buf_slice(&text), .kind = FRAME_OWNER}, root);
    buf_release(&text);
    return ok;
}

static bool add_estimates(struct text *t, struct callgrind *c)
{
    bool calls = false;
    size_t threads = 0;

    vec_each (struct callgrind_thread, thread, &c->file.threads) {
        threads += thread->graph.functions.count > 0;
        calls = calls || thread->graph.edges.count > 0;
    }
    if (calls)
        call_graph_tell(t->profile);
    for (uint32_t event = 0; event < c->file.events.count; event++)
        vec_each (struct callgrind_thread, thread, &c->file.threads) {
            uint32_t root = STACK_ROOT;

            if (!thread->graph.functions.count)
                continue;
            if (threads > 1 && !thread_root(c, thread, &root))
                return false;
            if (!call_graph_add_stacks(&thread->graph, event, &c->b, series_of(c, thread, event),
                                       root))
                return false;
        }
    return true;
}

/* ---- reading ------------------------------------------------------------------------------- */

static bool callgrind_begin(struct text *t, void *state)
{
    struct callgrind *c = state;

    builder_init(&c->b, t->profile, t->options, t->diag);
    callgrind_file_init(&c->file, &c->b, is_xdebug(t->start));
    return true;
}

static bool callgrind_lines(struct text *t, void *state, struct slice block)
{
    struct callgrind *c = state;

    return callgrind_file_lines(&c->file, t, block);
}

static bool callgrind_end(struct text *t, void *state)
{
    struct callgrind *c = state;

    if (c->file.of_calls)
        cut_off(t, DIAG_AT_LINE(t->line),
                "the file is truncated: the costs of the last calls are missing");
    check_sums(t, &c->file);
    if (c->file.xdebug && !c->file.blocks.broken && c->file.threads.count == 1)
        return add_blocks(t, c);
    callgrind_cycles_add(&c->file, t);
    return add_estimates(t, c);
}

STATE_RELEASE(callgrind, (callgrind_file, file), (builder, b));

const struct format format_xdebug_profile = {
    .name = "xdebug-profile",
    .family = FORMAT_LANGUAGES,
    .description = "Xdebug's profiler: PHP functions with time and memory",
    .recognised = "'creator: xdebug' above lines 'fn=...' and costs",
    .example = "php -d xdebug.mode=profile app.php   # writes cachegrind.out.PID",
    .claims = xdebug_claims,
    .text = {TEXT_BLOCK_READER(callgrind)},
};

const struct format format_callgrind = {
    .name = "callgrind",
    .family = FORMAT_MEMORY,
    .description = "callgrind and cachegrind; stacks are estimated from the calls",
    .recognised = "'# callgrind format', or 'events:' above lines 'fn=...'",
    .example = "valgrind --tool=callgrind ./app   # writes callgrind.out.PID",
    .claims = callgrind_claims,
    .text = {TEXT_BLOCK_READER(callgrind)},
};
