/*
 * The text of Linux' ftrace: /sys/kernel/tracing/trace, trace-cmd report, atrace and systrace.
 *
 *     # tracer: nop
 *     RenderThread-18964 (18926) [002] ...1 683202.133760: tracing_mark_write: B|18926|draw
 *     RenderThread-18964 (18926) [002] ...1 683202.133771: tracing_mark_write: E
 *     app-12    [000] d... 10.000001: sched_switch: prev_comm=app ...
 *     app-12    [000] d... 10.000002: <stack trace>
 *      => __schedule
 *      => schedule
 *
 * Marks B and E that programs write begin and end slices of their thread; the weight is the time
 * between them (trace_slices.h). A stack trace, leaf first, is a sample of the event before it.
 * Systrace's page holds the same lines. Dropped: all other events, asynchronous marks, counters.
 *
 * Source: Documentation/trace/ftrace.rst of Linux.
 */
#include "base/ascii.h"
#include "input/build/sample.h"
#include "input/format.h"
#include "input/formats/web/trace_mark.h"
#include "input/build/trace_slices.h"
#include "input/build/trace_threads.h"

/* What a line begins with up to "[CPU]", and what that says. */
struct task {
    struct slice text, comm, tid;
};

struct ftrace {
    struct sample sample; /* of a stack trace */
    struct trace_threads threads;
    struct trace_slices slices;
    struct slice event; /* of the line before */
    struct task task;   /* of the line before, in `text` */
    struct buf text;
    uint32_t thread; /* of `task`; NO_THREAD before its first mark */
};

#define NO_THREAD UINT32_MAX

/* A line of an event, its slices in the line. */
struct event {
    struct slice comm, tid, cpu, name, arguments;
    int64_t ns;
};

/* ---- lines --------------------------------------------------------------------------------- */

/* "app-12 ", "app-12 (  12) ": the name may contain blanks and hyphens. */
static bool parse_task(struct slice text, struct task *task)
{
    size_t hyphen;
    uint64_t number;

    task->text = text;
    text = slice_trim(text);
    if (slice_ends(text, SLICE(")")))
        text = slice_trim_right(slice_take(text, slice_find_last(text, '(')));
    hyphen = slice_find_last(text, '-');
    task->tid = slice_skip(text, hyphen + 1);
    task->comm = slice_take(text, hyphen);
    return hyphen < text.len && num_parse_u64(task->tid, &number);
}

/* "10.000001:", with as many decimals as there are */
static bool parse_time(struct slice word, int64_t *ns)
{
    enum { NANO = 9 };
    const uint64_t second = 1000000000;
    struct decimal time;
    uint64_t fixed;

    if (!slice_ends(word, SLICE(":")))
        return false;
    word.len--;
    if (num_parse_fixed(word, NANO, &fixed)) {
        *ns = (int64_t)fixed;
        return true;
    }
    if (slice_find(word, '.') == word.len)
        return false;
    if (!num_parse_decimal(word, &time) || time.value / num_pow10(time.decimals) > second * 8)
        return false;
    *ns = (int64_t)(time.value * num_pow10(NANO - time.decimals));
    return true;
}

/* Takes the digits and the bracket of "[002] ". */
static bool take_cpu(struct slice *rest, struct slice *digits)
{
    size_t n = 0;

    while (n < rest->len && ascii_is_digit(rest->ptr[n]))
        n++;
    *digits = slice_take(*rest, n);
    if (!n || !slice_starts(slice_skip(*rest, n), SLICE("] ")))
        return false;
    *rest = slice_skip(*rest, n + 1);
    return true;
}

/*
 * Takes " ...1 683202.133760:" or " 10.000001:" in the usual form, with one word of flags at most.
 * Returns false for any other text.
 */
static bool take_usual_time(struct slice *rest, int64_t *ns)
{
    enum { MOST = 40, NANO = 9 };
    size_t colon = slice_find(slice_take(*rest, MOST), ':'), start = colon, flags = 0;
    uint64_t fixed;

    if (colon + 1 >= rest->len || rest->ptr[colon] != ':' || rest->ptr[colon + 1] != ' ')
        return false;
    while (start && rest->ptr[start - 1] != ' ')
        start--;
    while (flags < start && rest->ptr[flags] == ' ')
        flags++;
    while (flags < start && !slice_is_blank(rest->ptr[flags]))
        flags++;
    if (flags + 1 < start ||
        !num_parse_fixed(slice_make(rest->ptr + start, colon - start), NANO, &fixed))
        return false;
    *ns = (int64_t)fixed;
    *rest = slice_skip(*rest, colon + 1);
    return true;
}

static bool take_time(struct slice *rest, int64_t *ns)
{
    struct slice word;

    if (take_usual_time(rest, ns))
        return true;
    return slice_word(rest, &word) &&
           (parse_time(word, ns) || (slice_word(rest, &word) && parse_time(word, ns)));
}

/* Parses what follows "[CPU]": flags, time, name and arguments. */
static bool parse_what(struct slice rest, struct event *e)
{
    size_t colon;

    if (!take_time(&rest, &e->ns))
        return false;
    rest = slice_trim(rest);
    if (slice_ends(rest, SLICE("\\n\\"))) /* a text of JavaScript, as old pages have it */
        rest.len -= strlen("\\n\\");
    colon = slice_find(rest, ':');
    if (!slice_starts(slice_skip(rest, colon + 1), SLICE(" ")))
        colon = slice_search(rest, SLICE(": "));
    e->name = slice_take(rest, colon);
    if (colon == rest.len && slice_ends(rest, SLICE(":")))
        e->name.len--;
    e->arguments = slice_trim(slice_skip(rest, colon + 2));
    return true;
}

/*
 * Splits a line at the first "[CPU]" that is preceded by a task and followed by a time. `task` is
 * that of the line before; if this line begins with another one, it becomes that, in the line.
 */
static bool parse_event(struct slice line, struct task *task, struct event *e)
{
    struct task other;
    struct slice rest;

    for (size_t at = 0; at < line.len; at++) {
        at += slice_find(slice_skip(line, at), '[');
        rest = slice_skip(line, at + 1);
        if (!take_cpu(&rest, &e->cpu))
            continue;
        if (!at || !slice_equal(slice_take(line, at), task->text)) {
            if (!parse_task(slice_take(line, at), &other))
                continue;
            *task = other;
        }
        e->comm = task->comm;
        e->tid = task->tid;
        return parse_what(rest, e);
    }
    return false;
}

/* The text that a program wrote into the trace: "B|12|draw". */
static bool parse_mark(const struct event *e, struct slice *mark)
{
    *mark = e->arguments;
    if (slice_equal(e->name, SLICE("print")) && !trace_mark_is(*mark))
        *mark = slice_skip(*mark, slice_search(*mark, SLICE(": ")) + 2);
    else if (!slice_equal(e->name, SLICE("tracing_mark_write")) &&
             !slice_equal(e->name, SLICE("print")) && !slice_equal(e->name, SLICE("0")))
        return false;
    return trace_mark_is(*mark);
}

static bool is_stack(const struct event *e)
{
    if (!slice_starts(e->name, SLICE("<")) && !slice_starts(e->arguments, SLICE("<")))
        return false;
    return slice_equal(e->name, SLICE("<stack trace>")) ||
           slice_equal(e->arguments, SLICE("<stack trace>")) ||
           slice_equal(e->arguments, SLICE("<user stack trace>")) ||
           slice_equal(e->name, SLICE("<user stack trace>"));
}

/* "> app-12 [000] ...": a letter, a patch or a comment that quotes a trace. */
static bool is_quoted(struct slice line)
{
    line = slice_trim_left(line);
    return line.len > 1 && strchr(">+*/|", line.ptr[0]) && slice_is_blank(line.ptr[1]);
}

static bool ftrace_claims(const struct head *h)
{
    struct slice rest = h->bytes, line, mark;
    bool tracer = slice_starts(rest, SLICE("# tracer:"));
    struct task task = {0};
    struct event e;

    if (slice_starts(rest, SLICE("<!DOCTYPE html>")))
        return slice_has(rest, SLICE("<title>Android System Trace</title>"));
    while (head_line(h, &rest, &line)) {
        if ((line.len && line.ptr[0] == '#') || is_quoted(line))
            continue;
        if (parse_event(line, &task, &e) && (tracer || is_stack(&e) || parse_mark(&e, &mark)))
            return true;
    }
    return false;
}

/* ---- events -------------------------------------------------------------------------------- */

static bool ftrace_begin(struct text *t, void *state)
{
    struct ftrace *f = state;

    f->thread = NO_THREAD;
    sample_init(&f->sample, t->profile, t->options, t->diag);
    trace_slices_init(&f->slices, &f->sample.builder, &f->threads);
    return true;
}

/* Keeps the task of a line for the next one. */
static void keep_task(struct ftrace *f, const struct task *task)
{
    const char *line = task->text.ptr, *kept;

    buf_clear(&f->text);
    buf_add_slice(&f->text, task->text);
    kept = f->text.ptr;
    f->task.text = buf_slice(&f->text);
    f->task.comm = slice_make(kept + (task->comm.ptr - line), task->comm.len);
    f->task.tid = slice_make(kept + (task->tid.ptr - line), task->tid.len);
    f->thread = NO_THREAD;
}

static uint32_t thread_of(struct ftrace *f, const struct event *e)
{
    if (f->thread != NO_THREAD)
        return f->thread;
    f->thread = trace_threads_get(&f->threads, SLICE(""), e->tid);
    if (e->comm.len && !slice_equal(e->comm, SLICE("<...>")))
        trace_threads_name(&f->threads, f->thread, e->comm);
    return f->thread;
}

static bool open_stack(struct ftrace *f, const struct event *e)
{
    struct sample *s = &f->sample;
    bool named = e->comm.len && !slice_equal(e->comm, SLICE("<...>"));

    if (!sample_open(s, named ? e->comm : SLICE("")))
        return false;
    s->origin = (struct origin){
        .event = f->event.len ? f->event : SLICE("stacks"),
        .thread = sample_keep(s, named ? e->comm : SLICE("")),
        .tid = sample_keep(s, e->tid),
        .cpu = sample_keep(s, e->cpu),
    };
    builder_time(&s->builder, builder_series(&s->builder, &s->origin, s->unit), (uint64_t)e->ns);
    return true;
}

/* " => schedule", " => schedule+0x12", "=> schedule (ffffffff81)", " => <00007f12>" */
static void add_frame(struct ftrace *f, struct slice text)
{
    struct frame frame = {.kind = FRAME_NATIVE};
    struct slice rest, address;
    size_t open;

    text = slice_trim(slice_skip(slice_trim_left(text), 2));
    if (!f->sample.open || !text.len)
        return;
    if (slice_starts(text, SLICE("<")) && slice_ends(text, SLICE(">"))) {
        address = slice_make(text.ptr + 1, text.len - 2);
        frame.has_address = num_parse_hex(address, &frame.address);
    } else {
        open = slice_search(text, SLICE(" ("));
        rest = slice_take(text, open);
        frame.name = slice_trim(rest);
    }
    sample_frame(&f->sample, &frame);
}

static bool ftrace_line(struct text *t, void *state, struct slice line)
{
    struct ftrace *f = state;
    struct task task = f->task;
    struct slice mark;
    struct event e;

    (void)t;
    if (!parse_event(line, &task, &e)) {
        if (slice_starts(slice_trim_left(line), SLICE("=>")))
            add_frame(f, line);
        return true;
    }
    if (task.text.ptr != f->task.text.ptr)
        keep_task(f, &task);
    if (is_stack(&e))
        return open_stack(f, &e);
    if (!sample_close(&f->sample))
        return false;
    if (!slice_equal(f->event, e.name))
        f->event = sample_keep(&f->sample, e.name);
    return !parse_mark(&e, &mark) || trace_mark_add(&f->slices, thread_of(f, &e), e.ns, mark);
}

static bool ftrace_end(struct text *t, void *state)
{
    struct ftrace *f = state;
    bool ok = sample_close(&f->sample) && trace_slices_pair(&f->slices);

    ok =
        ok && trace_slices_nest(&f->slices, t->profile->series.count ? SLICE("slices") : SLICE(""));
    if (ok)
        trace_slices_tell(&f->slices, t->diag);
    t->profile->ledger.unreadable += f->slices.unmatched;
    return ok;
}

static void ftrace_release(void *state)
{
    struct ftrace *f = state;

    trace_slices_release(&f->slices);
    trace_threads_release(&f->threads);
    buf_release(&f->text);
    sample_release(&f->sample);
}

const struct format format_ftrace = {
    .name = "ftrace",
    .family = FORMAT_LINUX,
    .description = "text of ftrace, trace-cmd report, atrace and systrace: marks and stack traces",
    .recognised = "'# tracer:' and lines 'TASK-TID [CPU] FLAGS TIME: EVENT: ...'",
    .example = "trace-cmd record -e sched_switch -T ./app && trace-cmd report > app.ftrace",
    .without_stacks = "record stack traces (trace-cmd record -T), or marks of programs (atrace)",
    .of_events = true,
    .claims = ftrace_claims,
    .text = {TEXT_READER(ftrace)},
};
