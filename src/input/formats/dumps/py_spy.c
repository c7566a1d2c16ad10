/*
 * What py-spy dump prints: the stacks of a Python process, once or repeatedly.
 *
 *     Process 1912: python3 app.py
 *     Python v3.11.2 (/usr/bin/python3.11)
 *
 *     Thread 1912 (active+gil): "MainThread"
 *         parse (app.py:5)
 *             Arguments:
 *                 text: "abc"
 *         <module> (app.py:9)
 *     Thread 1920 (idle): "worker"
 *         wait (threading.py:320)
 *         pthread_cond_wait (libc.so.6)
 *
 * Leaf first. A stack weighs 1; active and idle threads are a series each. Kept: function, file
 * and line, module of native functions (--native), name and number of the thread. Dropped:
 * arguments and local variables (--locals).
 *
 * Source: src/dump.rs of py-spy.
 */
#include "base/num.h"
#include "input/build/python.h"
#include "input/build/sample.h"
#include "input/format.h"

enum { FRAME_COLUMN = 4 };

/* Parses `Thread 1912 (active+gil): "MainThread"`. Returns false for any other line. */
static bool parse_thread(struct slice line, struct origin *origin)
{
    const struct slice start = SLICE("Thread "), close = SLICE("):");
    struct slice rest = slice_skip(line, start.len);
    size_t open = slice_search(rest, SLICE(" (")), end = slice_search(rest, close);
    struct slice number = slice_take(rest, open);
    uint64_t ignored;

    if (!slice_starts(line, start) || end >= rest.len || open >= end)
        return false;
    if (!num_parse_u64(number, &ignored) &&
        (!slice_starts(number, SLICE("0x")) || !num_parse_hex(slice_skip(number, 2), &ignored)))
        return false;
    origin->tid = number;
    origin->state = slice_skip(slice_take(rest, end), open + 2);
    origin->state = slice_take(origin->state, slice_find(origin->state, '+'));
    origin->thread = slice_trim(slice_skip(rest, end + close.len));
    if (origin->thread.len > 1 && slice_starts(origin->thread, SLICE("\"")))
        origin->thread = slice_take(slice_skip(origin->thread, 1), origin->thread.len - 2);
    return slice_equal(origin->state, SLICE("active")) || slice_equal(origin->state, SLICE("idle"));
}

/* "Process 1912: python3 app.py"; returns the command. */
static bool parse_process(struct slice line, struct slice *pid, struct slice *command)
{
    const struct slice start = SLICE("Process ");
    struct slice rest = slice_skip(line, start.len);
    size_t colon = slice_search(rest, SLICE(": "));
    uint64_t number;

    *pid = slice_take(rest, colon);
    *command = slice_trim(slice_skip(rest, colon + 2));
    return slice_starts(line, start) && num_parse_u64(*pid, &number);
}

/* Parses "    parse (app.py:5)" or "    read (libc.so.6)". */
static bool parse_frame(struct slice line, struct frame *f)
{
    struct slice text = slice_trim(line), place;
    size_t open = slice_find_last(text, '('), colon;

    if (line.len - slice_trim_left(line).len != FRAME_COLUMN || !slice_ends(text, SLICE(")")) ||
        open < 2 || open >= text.len)
        return false;
    *f = (struct frame){.name = slice_trim(slice_take(text, open)), .kind = FRAME_NATIVE};
    place = slice_take(slice_skip(text, open + 1), text.len - open - 2);
    colon = slice_find_last(place, ':');
    if (colon < place.len && num_parse_u64(slice_skip(place, colon + 1), &f->line)) {
        f->file = slice_take(place, colon);
        f->kind = FRAME_PLAIN;
    } else {
        f->module = place;
    }
    return true;
}

static bool py_spy_claims(const struct head *head)
{
    struct slice pid, command;
    struct origin origin;
    bool process = false;

    head_each (line, head) {
        if (process && parse_thread(line, &origin))
            return true;
        process = process || parse_process(line, &pid, &command);
    }
    return false;
}

struct py_spy {
    struct sample sample;
    struct slice process; /* number of the first */
    uint64_t dumps;
};

static bool open_thread(struct sample *s, const struct origin *origin)
{
    struct slice state = sample_keep(s, origin->state);
    struct origin kept = {.pid = s->origin.pid,
                          .tid = sample_keep(s, origin->tid),
                          .thread = sample_keep(s, origin->thread),
                          .event = state,
                          .state = state};

    if (!sample_close(s))
        return false;
    s->origin = kept;
    return sample_open(s, SLICE(""));
}

/* Begins a process. A dump has those of --subprocesses too, so the first one counts the dumps. */
static bool open_process(struct text *t, struct py_spy *x, struct slice pid, struct slice command)
{
    struct sample *s = &x->sample;

    if (!sample_close(s))
        return false;
    s->origin.pid = sample_keep(s, pid);
    if (!x->dumps)
        x->process = s->origin.pid;
    x->dumps += slice_equal(pid, x->process);
    profile_add_fact(t->profile, SLICE("command"), command);
    return true;
}

static bool py_spy_line(struct text *t, void *state, struct slice line)
{
    struct py_spy *x = state;
    struct sample *s = &x->sample;
    struct slice pid, command;
    struct origin origin;
    struct frame f;

    if (parse_thread(line, &origin))
        return open_thread(s, &origin);
    if (parse_process(line, &pid, &command))
        return open_process(t, x, pid, command);
    if (!s->open || !slice_trim(line).len)
        return true;
    if (parse_frame(line, &f)) {
        if (f.kind == FRAME_PLAIN)
            f.name = python_name(f.name, f.file, &s->scratch);
        sample_frame_line(s, t, &f);
        return true;
    }
    if (line.len - slice_trim_left(line).len > FRAME_COLUMN)
        return true;
    return text_skip_line(t, "expected 'FUNCTION (FILE:LINE)'", line);
}

static bool py_spy_end(struct text *t, void *state)
{
    struct py_spy *x = state;

    if (x->dumps > 1)
        profile_print_fact(t->profile, SLICE("dumps"), "%llu", (unsigned long long)x->dumps);
    return sample_end(t, state);
}

const struct format format_py_spy = {
    .name = "py-spy",
    .family = FORMAT_LANGUAGES,
    .description = "stacks of threads that py-spy dump prints",
    .recognised = "'Process PID:' and 'Thread ID (active):' or '(idle):'",
    .example = "for i in $(seq 100); do py-spy dump --pid PID; done > app.py-spy",
    .without_stacks = "no thread of the process has a Python stack",
    .needs = "Process ",
    .claims = py_spy_claims,
    .text = {.state_size = SAMPLE_STATE(struct py_spy),
             .begin = sample_begin_threads,
             .line = py_spy_line,
             .end = py_spy_end,
             .release = sample_free,
             .again = sample_again},
};
