/*
 * Xdebug's function trace for machines (xdebug.trace_format=1): calls and
 * their ends with time and memory, in columns behind tabs.
 *
 *     TRACE START [2020-09-15 15:49:45]
 *     2  1  0  0.000223  392400  parse  1  FILE  /app.php  24  ...    level, number, a call
 *     2  1  1  0.000343  392464                                       its end
 *     2  1  R  ...                                                    what it returned
 *     2     A  ...                                                    an assignment
 *              0.000750  323312                                       the end of the trace
 *     TRACE END   [2020-09-15 15:49:45]
 *
 * The time between two events belongs to the stack between them; so does the
 * memory that was taken, or given back, which is another series where there is
 * any. FILE is what include and its kin read; it becomes part of the name, as
 * Xdebug's profiler has it. What passes outside of all functions after the
 * last one ended is passed over. Grammar: xdebug.org/docs/trace.
 */
#include "base/num.h"
#include "input/builder.h"
#include "input/format.h"

enum column { LEVEL, NUMBER, TYPE, TIME, MEMORY, NAME, USER, INCLUDED, FILE_NAME, LINE, COLUMNS };

/* A call that has not ended. */
struct call {
    uint64_t level;
    uint32_t stack;
};

struct xdebug_trace {
    struct builder b;
    VEC(struct call) calls;
    bool running;          /* between TRACE START and TRACE END */
    bool timed;            /* an event was met */
    uint64_t time, memory; /* of the last event; nanoseconds, bytes */
    uint32_t time_series, memory_series;
    struct buf name;
};

static bool xdebug_trace_claims(const struct head *h)
{
    enum { LINES = 10 };
    struct slice rest = h->bytes, line;
    bool format = false;

    for (int i = 0; i < LINES && head_line(h, &rest, &line); i++) {
        format = format || slice_starts(line, SLICE("File format: "));
        if (format && slice_starts(line, SLICE("TRACE START [")))
            return true;
    }
    return false;
}

static bool xdebug_trace_begin(struct text *t, void *state)
{
    struct xdebug_trace *x = state;

    builder_init(&x->b, t->profile, t->options, t->diag);
    buf_init(&x->name);
    x->time_series =
        builder_series(&x->b, &(struct origin){.event = SLICE("Time")}, unit_named(SLICE("ns")));
    x->memory_series = SERIES_NONE;
    return true;
}

static void xdebug_trace_release(void *state)
{
    struct xdebug_trace *x = state;

    vec_release(&x->calls);
    buf_release(&x->name);
    builder_release(&x->b);
}

static bool skip_line(struct text *t, const char *what)
{
    t->profile->ledger.unreadable++;
    diag_warn_line(t->diag, t->line, "%s; line skipped", what);
    return true;
}

/* Seconds to nanoseconds. */
static bool parse_time(struct slice text, uint64_t *ns)
{
    struct decimal d;

    return num_parse_decimal(text, &d) && num_mul(d.value, num_pow10(9 - d.decimals), ns);
}

static uint32_t stack_in_hand(const struct xdebug_trace *x)
{
    return x->calls.count ? x->calls.items[x->calls.count - 1].stack : STACK_ROOT;
}

/* Gives the time and the memory since the last event to the stack in hand. */
static bool add_weights(struct text *t, struct xdebug_trace *x, uint64_t time, uint64_t memory)
{
    int64_t taken = (int64_t)(memory - x->memory);
    uint32_t stack = stack_in_hand(x);

    if (x->timed && time < x->time)
        diag_warn_line(t->diag, t->line, "the time runs backwards; taken as none");
    if (x->timed && time > x->time &&
        !builder_add_at(&x->b, x->time_series, stack, (struct decimal){.value = time - x->time}))
        return false;
    if (x->timed && taken) {
        if (x->memory_series == SERIES_NONE)
            x->memory_series = builder_series(&x->b, &(struct origin){.event = SLICE("Memory")},
                                              unit_named(SLICE("bytes")));
        if (!builder_add_signed_at(&x->b, x->memory_series, stack, taken))
            return false;
    }
    x->timed = true;
    x->time = time;
    x->memory = memory;
    return true;
}

/* Ends all calls of this level and above. */
static void leave(struct xdebug_trace *x, uint64_t level)
{
    while (x->calls.count && x->calls.items[x->calls.count - 1].level >= level)
        x->calls.count--;
}

static bool enter(struct xdebug_trace *x, uint64_t level, const struct slice *columns)
{
    struct frame f = {.name = columns[NAME], .file = columns[FILE_NAME], .kind = FRAME_PLAIN};
    struct slice included = columns[INCLUDED];
    struct call call = {.level = level};

    num_parse_u64(columns[LINE], &f.line);
    if (included.len && included.ptr[0] != '\'' && x->b.options->names == NAMES_CLEAN) {
        buf_clear(&x->name);
        buf_printf(&x->name, "%.*s::%.*s", SLICE_ARG(f.name), SLICE_ARG(included));
        f.name = buf_slice(&x->name);
    }
    if (!builder_child(&x->b, stack_in_hand(x), &f, &call.stack))
        return false;
    *vec_add(&x->calls) = call;
    return true;
}

static bool read_event(struct text *t, struct xdebug_trace *x, const struct slice *columns)
{
    bool call = slice_equal(columns[TYPE], SLICE("0"));
    uint64_t level, time, memory;

    if (!call && !slice_equal(columns[TYPE], SLICE("1")))
        return slice_equal(columns[TYPE], SLICE("R")) || slice_equal(columns[TYPE], SLICE("A")) ||
               skip_line(t, "neither a call nor its end");
    if (!num_parse_u64(columns[LEVEL], &level) || !parse_time(columns[TIME], &time) ||
        !num_parse_u64(columns[MEMORY], &memory))
        return skip_line(t, "level, time or memory is no number");
    if (call && !columns[NAME].len)
        return skip_line(t, "a call without a name");
    if (!add_weights(t, x, time, memory))
        return false;
    leave(x, level);
    return !call || enter(x, level, columns);
}

/* The last line: what ran at the end runs up to it. */
static bool read_last(struct text *t, struct xdebug_trace *x, const struct slice *columns)
{
    uint64_t time, memory;

    if (!parse_time(columns[TIME], &time) || !num_parse_u64(columns[MEMORY], &memory))
        return skip_line(t, "time or memory is no number");
    return !x->calls.count || add_weights(t, x, time, memory);
}

static void start(struct xdebug_trace *x, bool running)
{
    vec_clear(&x->calls);
    x->running = running;
    x->timed = false;
}

static bool xdebug_trace_line(struct text *t, void *state, struct slice line)
{
    struct xdebug_trace *x = state;
    struct slice columns[COLUMNS] = {{0}};
    bool last = line.len && line.ptr[0] == '\t';

    if (slice_starts(line, SLICE("TRACE START "))) {
        start(x, true);
        return true;
    }
    if (slice_starts(line, SLICE("TRACE END "))) {
        start(x, false);
        return true;
    }
    if (!x->running || !line.len)
        return true;
    t->profile->ledger.lines++;
    for (int i = 0; i < COLUMNS && slice_cut(&line, '\t', &columns[i]); i++)
        ;
    return last ? read_last(t, x, columns) : read_event(t, x, columns);
}

static bool xdebug_trace_end(struct text *t, void *state)
{
    struct xdebug_trace *x = state;

    if (x->running)
        diag_add(t->diag, DIAG_WARNING, DIAG_AT_LINE(t->line),
                 "the file ends before the trace does; what was running is counted up to here");
    return true;
}

static const struct text_reader xdebug_trace_reader = {
    .state_size = sizeof(struct xdebug_trace),
    .begin = xdebug_trace_begin,
    .line = xdebug_trace_line,
    .end = xdebug_trace_end,
    .release = xdebug_trace_release,
};

const struct format format_xdebug_trace = {
    .name = "xdebug-trace",
    .family = FORMAT_LANGUAGES,
    .description = "Xdebug's function trace (trace_format=1): PHP functions, time and memory",
    .recognised = "'File format:' and 'TRACE START [' in the first lines",
    .example = "php -d xdebug.mode=trace -d xdebug.trace_format=1 app.php   # writes trace.*.xt",
    .claims = xdebug_trace_claims,
    .reader = &xdebug_trace_reader,
};
