/*
 * Callgrind's files, and those of other tools in the same format: cachegrind,
 * Xdebug's profiler, pprof -callgrind.
 *
 *     events: Ir Dr                     what the costs below count
 *     ob=(1) /usr/bin/app               object, file, function: "(id) name" first, then "(id)"
 *     fl=(1) app.c
 *     fn=(1) main
 *     16 20 3                           a position (`positions:` says how many), its own costs
 *     cob= cfi= cfn=(2) parse           for one call: the callee
 *     calls=1 50
 *     16 400 12                         a position, the costs of the calls with all below
 *     jump=4 18                         followed by a position alone
 *     summary: 420 15
 *
 * A position is a number, "+N", "-N" or "*"; costs left out at the end of a
 * line are 0. A file holds one part or several, of one thread or several.
 * Grammar: valgrind.org/docs/manual/cl-format.html.
 *
 * Callgrind writes no stacks; they are estimated from the calls, and the fact
 * "estimated" says so (call_estimate.h). Where it simulated caches or
 * branches, cycles are estimated as well (callgrind_cycles.h). Xdebug writes a block for each
 * call, from which the tree is exact (call_blocks.h). A graph for each
 * event. Kept of the header: command, creator. Positions and jumps are passed
 * over. The sums are compared with those that the file states.
 */
#include "base/num.h"
#include "base/slice.h"
#include "input/format.h"
#include "input/formats/callgrind/call_graph.h"
#include "input/formats/callgrind/callgrind_file.h"
#include "profile/unit.h"

/*
 * The events of callgrind's files, and what they count.
 *
 * Valgrind's tools have a fixed set of short names. Other programs that write
 * the format put the unit behind the name: "Time_(10ns)", "cpu(nanoseconds)".
 */

/* What the event of callgrind_cycles_add() is called. */
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

/* A unit with a number before it, "10ns": powers of ten of time only. */
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

/* `xdebug`: the file is Xdebug's, whose older versions write "Time" and mean microseconds. */
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
 * The cycles that a run under callgrind would have taken, estimated from what
 * its simulation counted, as one more event.
 *
 * The estimate is the one that KCachegrind shows as "CEst" (GlobalConfig::knownFormula in
 * its libcore): a cycle for each instruction, 10 more for each branch that was
 * mispredicted and each miss of a first-level cache, 20 for each global bus
 * event, 100 for each miss of the second or last level.
 */

static const struct {
    const char *event;
    int cycles;
} rows[] = {
    {"Ir", 1},     {"Bcm", 10},   {"Bim", 10},   {"I1mr", 10},  {"D1mr", 10},
    {"D1mw", 10},  {"Ge", 20},    {"I2mr", 100}, {"D2mr", 100}, {"D2mw", 100},
    {"ILmr", 100}, {"DLmr", 100}, {"DLmw", 100},
};

static int cycles_of(const struct callgrind_file *f, uint32_t event)
{
    struct slice word = intern_get(&f->names.texts, f->events.items[event].word);

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        if (slice_equal(word, slice_str(rows[i].event)))
            return rows[i].cycles;
    return 0;
}

/* Whether there are instructions and what makes them slow. */
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

/* Adds costs of one event times `cycles` to those of event `to`; false where that does not fit. */
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

/*
 * Adds the event where the file has instructions and misses to make it of. Warns, and adds
 * nothing, where costs do not fit.
 */
static void callgrind_cycles_add(struct callgrind_file *f, struct text *t)
{
    uint32_t events = (uint32_t)f->events.count;

    if (!is_simulated(f))
        return;
    vec_each (struct callgrind_thread, thread, &f->threads)
        for (uint32_t i = 0; i < events; i++)
            if (cycles_of(f, i) && !add_event(&thread->graph, i, events, cycles_of(f, i))) {
                diag_add(t->diag, DIAG_WARNING, DIAG_AT_FILE,
                         "the " CALLGRIND_CYCLES " do not fit in 63 bits and are left out");
                return;
            }
    *vec_add(&f->events) = (struct callgrind_sums){
        .word = intern_add(&f->names.texts, SLICE(CALLGRIND_CYCLES)),
    };
    profile_add_fact(t->profile, SLICE(CALLGRIND_CYCLES),
                     SLICE("Ir + 10 (mispredicted branches + first-level misses) + 20 Ge + 100 "
                           "(second and last-level misses), as KCachegrind has them"));
}

struct callgrind {
    struct builder b;
    struct callgrind_file file;
};

/* ---- recognition --------------------------------------------------------------------------- */

/* By its creator, which the oldest do not tell; they begin with a function of PHP's own. */
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

/* What a header has none of: a description of the format in HTML, for one. */
static bool is_text(struct slice line)
{
    struct slice word;

    return slice_word(&line, &word) && word.ptr[0] != '#' && slice_find(word, ':') == word.len;
}

/* Events and a function, or a header that has them before its first function. */
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
    return callgrind_claims(h) && is_xdebug(h->bytes);
}

/* ---- what was read against what the file says ----------------------------------------------- */

/* The sum of an event over all threads. False where it does not fit. */
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

/* Xdebug's summary is of the clock and of the peak, not of the costs. */
static void check_sums(struct text *t, const struct callgrind_file *f)
{
    int64_t sum;

    if (f->xdebug || (!f->has_totals && !f->has_summary && !f->described))
        return;
    for (uint32_t i = 0; i < f->events.count; i++) {
        const struct callgrind_sums *s = &f->events.items[i];
        uint64_t stated = f->has_totals ? s->totals : s->summary;

        /* A dump that a program asked for states nothing: "summary: 0". */
        if (!stated && !f->has_totals)
            continue;
        if (sum_of(f, i, &sum) && (sum < 0 || (uint64_t)sum != stated))
            diag_add(t->diag, DIAG_WARNING, DIAG_AT_FILE,
                     "the costs of %.*s add up to %lld and not to %llu, as the file says; "
                     "what they add up to is shown",
                     SLICE_ARG(intern_get(&f->names.texts, s->word)), (long long)sum,
                     (unsigned long long)stated);
    }
    if (!f->has_totals)
        diag_add(t->diag, DIAG_WARNING, DIAG_AT_FILE,
                 "the file ends without its totals and may have been cut");
}

/* A run that was stopped leaves calls that never returned, among them {main}. */
static void check_main(struct text *t, const struct callgrind_file *f)
{
    uint32_t main = intern_find(&f->names.texts, SLICE("{main}"));

    for (uint32_t id = 0; id < f->frames.count; id++)
        if (call_blocks_is_root(&f->blocks, id) &&
            callgrind_names_function_text(&f->names, id) == main)
            return;
    diag_add(t->diag, DIAG_WARNING, DIAG_AT_FILE,
             "the file ends before {main} does: calls that were running are missing, and what "
             "they had called begins at the root");
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

/* Xdebug: the tree of calls as it was. */
static bool add_blocks(struct text *t, struct callgrind *c)
{
    uint32_t series[CALL_BLOCKS_EVENTS];

    check_main(t, &c->file);
    for (uint32_t i = 0; i < c->file.events.count && i < CALL_BLOCKS_EVENTS; i++)
        series[i] = series_of(c, &c->file.threads.items[0], i);
    return call_blocks_add_stacks(&c->file.blocks, &c->b, c->file.frames.items, series,
                                  (uint32_t)c->file.events.count);
}

/* The frame below all stacks of a thread, where there is more than one. */
static bool thread_root(struct callgrind *c, const struct callgrind_thread *thread, uint32_t *root)
{
    struct slice name = intern_get(&c->file.names.texts, thread->name);
    struct buf text;
    bool ok;

    buf_init(&text);
    buf_printf(&text, "thread%s%.*s", name.len ? " " : "", SLICE_ARG(name));
    ok = builder_child(&c->b, STACK_ROOT,
                       &(struct frame){.name = buf_slice(&text), .kind = FRAME_PLAIN}, root);
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
        profile_add_fact(t->profile, SLICE("estimated"),
                         SLICE("The file holds calls and not stacks: where a function is called "
                               "from several places, its cost is divided among them in the "
                               "proportion of what the calls cost."));
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
        diag_add(t->diag, DIAG_WARNING, DIAG_AT_LINE(t->line),
                 "the file ends where the costs of calls should follow");
    check_sums(t, &c->file);
    if (c->file.xdebug && !c->file.blocks.broken && c->file.threads.count == 1)
        return add_blocks(t, c);
    callgrind_cycles_add(&c->file, t);
    return add_estimates(t, c);
}

static void callgrind_release(void *state)
{
    struct callgrind *c = state;

    callgrind_file_release(&c->file);
    builder_release(&c->b);
}

const struct format format_xdebug_profile = {
    .name = "xdebug-profile",
    .family = FORMAT_LANGUAGES,
    .description = "Xdebug's profiler: PHP functions with time and memory",
    .recognised = "'creator: xdebug' above lines of 'fn=' and costs",
    .example = "php -d xdebug.mode=profile app.php   # writes cachegrind.out.PID",
    .claims = xdebug_claims,
    .text =
        {
            .state_size = sizeof(struct callgrind),
            .begin = callgrind_begin,
            .lines = callgrind_lines,
            .end = callgrind_end,
            .release = callgrind_release,
        },
};

const struct format format_callgrind = {
    .name = "callgrind",
    .family = FORMAT_MEMORY,
    .description = "callgrind's and cachegrind's files; stacks are estimated from the calls",
    .recognised = "'# callgrind format', or 'events:' above lines of 'fn='",
    .example = "valgrind --tool=callgrind ./app   # writes callgrind.out.PID",
    .claims = callgrind_claims,
    .text =
        {
            .state_size = sizeof(struct callgrind),
            .begin = callgrind_begin,
            .lines = callgrind_lines,
            .end = callgrind_end,
            .release = callgrind_release,
        },
};
