/*
 * Xdebug's machine-readable function trace (xdebug.trace_format=1): begin and
 * end of calls with time and memory, in columns separated by tabs.
 *
 *     TRACE START [2020-09-15 15:49:45]
 *     2  1  0  0.000223  392400  parse  1  FILE  /app.php  24  ...    level, number, a call
 *     2  1  1  0.000343  392464                                       its end
 *     2  1  R  ...                                                    its return value
 *     2     A  ...                                                    an assignment
 *              0.000750  323312                                       the end of the trace
 *     TRACE END   [2020-09-15 15:49:45]
 *
 * The time between two events is charged to the stack between them; so is the
 * memory allocated or freed, which is a second series if there is any. FILE is
 * the file that include and similar functions read; it becomes part of the
 * name, as in Xdebug's profiler. Time outside of all functions, after the last
 * one ended, is not counted. Grammar: xdebug.org/docs/trace.
 */
#include "base/num.h"
#include "input/build/builder.h"
#include "input/core/cut_off.h"
#include "input/format.h"

enum column { LEVEL, NUMBER, TYPE, TIME, MEMORY, NAME, USER, INCLUDED, FILE_NAME, LINE, COLUMNS };

/* An open call. */
struct call {
    uint64_t level;
    uint32_t stack;
};

struct xdebug_trace {
    struct builder b;
    VEC(struct call) calls;
    bool running;          /* between TRACE START and TRACE END */
    bool timed;            /* an event was read */
    uint64_t time, memory; /* of the last event; nanoseconds, bytes */
    uint64_t before;       /* nanoseconds of the traces before, because each trace starts at 0 */
    uint32_t time_series, memory_series;
    struct buf name;
    struct line_memo calls_known; /* the text after the memory in the line of a call */
};

/* The first five columns of a line, if all are plain numbers. */
struct event {
    bool call;
    uint64_t level, time, memory;
};

static bool xdebug_trace_claims(const struct head *h)
{
    enum { LINES = 10 };
    bool format = false;

    head_each_of (line, h, LINES) {
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
    line_memo_init(&x->calls_known);
    x->time_series =
        builder_series(&x->b, &(struct origin){.event = SLICE("Time")}, unit_named(SLICE("ns")));
    profile_uncount(t->profile, x->time_series); /* a call is added in parts */
    x->memory_series = SERIES_NONE;
    return true;
}

STATE_RELEASE(xdebug_trace, (vec, calls), (buf, name), (line_memo, calls_known), (builder, b));

static bool skip_line(struct text *t, const char *what)
{
    return text_skip(t, "%s; line skipped", what);
}

/* Converts seconds to nanoseconds. */
static bool parse_time(struct slice text, uint64_t *ns)
{
    struct decimal d;

    return num_parse_decimal(text, &d) && num_mul(d.value, num_pow10(9 - d.decimals), ns);
}

static uint32_t stack_in_hand(const struct xdebug_trace *x)
{
    return x->calls.count ? x->calls.items[x->calls.count - 1].stack : STACK_ROOT;
}

/* Charges the time and the memory since the last event to the current stack. */
static bool add_weights(struct text *t, struct xdebug_trace *x, uint64_t time, uint64_t memory)
{
    int64_t taken = (int64_t)(memory - x->memory);
    uint32_t stack = stack_in_hand(x);

    if (x->timed && time < x->time)
        diag_warn_line(t->diag, t->line,
                       "the time is earlier than in the event before; counted as 0");
    builder_set_time(&x->b, x->time_series, (int64_t)(x->before + x->time));
    if (x->timed && time > x->time &&
        !builder_add_at(&x->b, x->time_series, stack, (struct decimal){.value = time - x->time}))
        return false;
    if (x->timed && taken) {
        if (x->memory_series == SERIES_NONE)
            x->memory_series = builder_series(&x->b, &(struct origin){.event = SLICE("Memory")},
                                              unit_named(SLICE("bytes")));
        profile_uncount(t->profile, x->memory_series);
        builder_set_time(&x->b, x->memory_series, (int64_t)(x->before + x->time));
        if (!builder_add_signed_at(&x->b, x->memory_series, stack, taken))
            return false;
    }
    x->timed = true;
    x->time = time;
    x->memory = memory;
    return true;
}

/* Ends all calls of this level and deeper. */
static void leave(struct xdebug_trace *x, uint64_t level)
{
    while (x->calls.count && x->calls.items[x->calls.count - 1].level >= level)
        x->calls.count--;
}

static uint32_t entry_of(struct xdebug_trace *x, const struct slice *columns)
{
    struct frame f = {.name = columns[NAME], .file = columns[FILE_NAME], .kind = FRAME_PLAIN};
    struct slice included = columns[INCLUDED];

    num_parse_u64(columns[LINE], &f.line);
    if (included.len && included.ptr[0] != '\'' && x->b.options->names == NAMES_CLEAN) {
        buf_clear(&x->name);
        buf_printf(&x->name, "%.*s::%.*s", SLICE_ARG(f.name), SLICE_ARG(included));
        f.name = buf_slice(&x->name);
    }
    return builder_entry(&x->b, &f);
}

static bool enter(struct xdebug_trace *x, uint64_t level, uint32_t entry)
{
    struct call call = {.level = level};

    if (!builder_child_entry(&x->b, stack_in_hand(x), entry, &call.stack))
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
               skip_line(t, "expected a call or its end");
    if (!num_parse_u64(columns[LEVEL], &level) || !parse_time(columns[TIME], &time) ||
        !num_parse_u64(columns[MEMORY], &memory))
        return skip_line(t, "level, time or memory is not a number");
    if (call && !columns[NAME].len)
        return skip_line(t, "a call without a name");
    if (!add_weights(t, x, time, memory))
        return false;
    leave(x, level);
    return !call || enter(x, level, entry_of(x, columns));
}

/* Reads the last line: open calls run up to its time. */
static bool read_last(struct text *t, struct xdebug_trace *x, const struct slice *columns)
{
    uint64_t time, memory;

    if (!parse_time(columns[TIME], &time) || !num_parse_u64(columns[MEMORY], &memory))
        return skip_line(t, "time or memory is not a number");
    return !x->calls.count || add_weights(t, x, time, memory);
}

static void start(struct xdebug_trace *x, bool running)
{
    vec_clear(&x->calls);
    x->before += x->time;
    x->time = 0;
    x->running = running;
    x->timed = false;
}

static bool read_line(struct text *t, struct xdebug_trace *x, struct slice line)
{
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
    for (int i = 0; i < COLUMNS && slice_cut(&line, '\t', &columns[i]); i++)
        ;
    return last ? read_last(t, x, columns) : read_event(t, x, columns);
}

/* ---- nearly all lines ----------------------------------------------------------------------- */

/* Parses a number of up to 16 digits. Returns its end, or NULL if there is none at `p`. */
static const char *take_number(const char *p, uint64_t *number)
{
    enum { WORD = 8 };
    unsigned digits = num_take_digits(p, number);
    uint64_t more;

    if (digits == WORD) {
        digits = num_take_digits(p + WORD, &more);
        if (digits == WORD)
            return NULL;
        *number = *number * num_pow10(digits) + more;
        digits += WORD;
    }
    return digits ? p + digits : NULL;
}

/* Parses seconds with up to 8 decimals, as nanoseconds. Returns the end, or NULL. */
static const char *take_time(const char *p, uint64_t *ns)
{
    enum { WORD = 8, NANO = 9 };
    uint64_t fraction;
    unsigned digits = num_take_digits(p, ns);

    if (!digits || digits == WORD || p[digits] != '.')
        return NULL;
    p += digits + 1;
    digits = num_take_digits(p, &fraction);
    *ns = *ns * num_pow10(NANO) + fraction * num_pow10(NANO - digits);
    return digits ? p + digits : NULL;
}

/* Parses "3 TAB 5 TAB 0 TAB 0.000363 TAB 392400". Returns the end, or NULL for any other line. */
static const char *take_event(const char *p, struct event *e)
{
    uint64_t number;

    if (!(p = take_number(p, &e->level)) || *p++ != '\t')
        return NULL;
    if (!(p = take_number(p, &number)) || *p++ != '\t')
        return NULL;
    e->call = *p == '0';
    if ((*p != '0' && *p != '1') || *++p != '\t')
        return NULL;
    return (p = take_time(p + 1, &e->time)) && *p == '\t' ? take_number(p + 1, &e->memory) : NULL;
}

/*
 * Returns the function called, from the text of a line after the memory; NULL if there is no name.
 */
static const struct line_known *find_call(struct xdebug_trace *x, const char *p, const char *end)
{
    const struct line_known *known = line_memo_guess(&x->calls_known, p, end);
    struct slice text, rest, columns[COLUMNS] = {{0}};
    struct line_meaning m = {.kind = 1};

    if (known)
        return known;
    text = slice_make(p, (size_t)(text_line_end(p, end) - p) + 1);
    known = line_memo_find(&x->calls_known, text);
    if (known || !line_memo_keeps(&x->calls_known, text))
        return known;
    rest = slice_trim_right(text);
    for (int i = NAME; i < COLUMNS && slice_cut(&rest, '\t', &columns[i]); i++)
        ;
    if (!columns[NAME].len)
        return NULL;
    m.entry = entry_of(x, columns);
    return line_memo_add(&x->calls_known, text, &m);
}

/* Reads a call or its end. Returns the start of the next line, or NULL for any other line. */
static const char *read_plain(struct text *t, struct xdebug_trace *x, const char *p,
                              const char *end, bool *ok)
{
    const struct line_known *called = NULL;
    struct event e;

    p = take_event(p, &e);
    if (!p || *p != (e.call ? '\t' : '\n'))
        return NULL;
    p++;
    if (e.call) {
        called = find_call(x, p, end);
        if (!called)
            return NULL;
        p += called->len;
    }
    *ok = add_weights(t, x, e.time, e.memory);
    if (*ok)
        leave(x, e.level);
    if (*ok && e.call)
        *ok = enter(x, e.level, called->meaning.entry);
    return p;
}

static bool xdebug_trace_lines(struct text *t, void *state, struct slice block)
{
    const char *p = block.ptr, *end = block.ptr + block.len;
    struct xdebug_trace *x = state;
    struct slice line;
    bool ok = true;

    while (ok && p < end) {
        const char *next = NULL;

        t->line++;
        if (x->running)
            next = read_plain(t, x, p, end, &ok);
        if (!next) {
            line = slice_make(p, (size_t)(text_line_end(p, end) - p));
            next = p + line.len + 1;
            if (line.len && line.ptr[line.len - 1] == '\r')
                line.len--;
            ok = read_line(t, x, line);
        }
        p = next;
    }
    return ok;
}

static bool xdebug_trace_end(struct text *t, void *state)
{
    struct xdebug_trace *x = state;

    if (x->running)
        cut_off(t, DIAG_AT_LINE(t->line),
                "the file ends before 'TRACE END'; open calls are counted up to here");
    return true;
}

const struct format format_xdebug_trace = {
    .name = "xdebug-trace",
    .family = FORMAT_LANGUAGES,
    .description = "Xdebug function trace (trace_format=1): PHP functions, time and memory",
    .recognised = "'File format:' and 'TRACE START [' in its first lines",
    .example = "php -d xdebug.mode=trace -d xdebug.trace_format=1 app.php   # writes trace.*.xt",
    .claims = xdebug_trace_claims,
    .text = {TEXT_BLOCK_READER(xdebug_trace)},
};
