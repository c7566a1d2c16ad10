/*
 * Stacks that Python's profiling.sampling dump prints, once or repeatedly.
 *
 *     Stack dump for PID 9295, thread 9338 (idle; most recent call last):
 *       File "/usr/lib/python3.15/threading.py", line 1181, in Thread._bootstrap
 *         self._bootstrap_inner()
 *       File "slow.py", line 4, in deep
 *         time.sleep(4)
 *
 *     Stack dump, thread 9295 (main thread, has GIL; most recent call last):
 *       ...
 *
 * Root first. A stack weighs 1; idle threads and the others are a series each. With --async-aware a
 * stack is a task's, whose name is the frame `File "<task>", in NAME`, below that of the task that
 * awaits it; they are a third series. Kept: function, file and line, number of the thread and of
 * the first process. Dropped: lines of source.
 *
 * Source: Lib/profiling/sampling/dump.py of CPython 3.15, by its output.
 */
#include "base/num.h"
#include "input/build/python.h"
#include "input/build/sample.h"
#include "input/format.h"

struct heading {
    struct slice pid, tid, states; /* "main thread, idle" */
};

/* Parses the line above a stack. Returns false for any other line. */
static bool parse_heading(struct slice line, struct heading *h)
{
    const struct slice start = SLICE("Stack dump"), process = SLICE(" for PID "),
                       thread = SLICE(", thread "), end = SLICE("most recent call last):");
    struct slice rest = slice_skip(slice_trim_right(line), start.len);
    uint64_t number;

    *h = (struct heading){.pid = SLICE("")};
    if (!slice_starts(line, start) || !slice_ends(rest, end))
        return false;
    rest.len -= end.len;
    if (slice_starts(rest, process)) {
        rest = slice_skip(rest, process.len);
        h->pid = slice_take(rest, slice_find(rest, ','));
        rest = slice_skip(rest, h->pid.len);
    }
    if (!slice_starts(rest, thread))
        return false;
    rest = slice_skip(rest, thread.len);
    h->tid = slice_take(rest, slice_find(rest, ' '));
    rest = slice_skip(rest, h->tid.len);
    h->states = slice_skip(rest, 2);
    h->states = slice_take(h->states, slice_find(h->states, ';'));
    return slice_starts(rest, SLICE(" (")) && num_parse_u64(h->tid, &number);
}

static bool has_state(struct slice states, struct slice wanted)
{
    struct slice state;

    while (slice_cut(&states, ',', &state))
        if (slice_starts(slice_trim(state), wanted))
            return true;
    return slice_starts(slice_trim(states), wanted);
}

/* Parses `  File "app.py", line 5, in parse`, or `  File "<task>", in NAME`. */
static bool parse_frame(struct slice line, struct frame *f)
{
    const struct slice start = SLICE("  File \""), middle = SLICE("\", "), in = SLICE("in "),
                       number = SLICE("line ");
    struct slice rest = slice_skip(line, start.len), digits;
    size_t at = slice_search(rest, middle);

    *f = (struct frame){.file = slice_take(rest, at), .kind = FRAME_PLAIN};
    if (!slice_starts(line, start) || at == rest.len)
        return false;
    rest = slice_skip(rest, at + middle.len);
    if (slice_starts(rest, number)) {
        digits = slice_skip(rest, number.len);
        digits = slice_take(digits, slice_find(digits, ','));
        if (!num_parse_u64(digits, &f->line))
            return false;
        rest = slice_trim_left(slice_skip(rest, number.len + digits.len + 1));
    }
    f->name = slice_trim(slice_skip(rest, in.len));
    if (slice_is_any(f->file, "~", "<task>"))
        f->file = SLICE("");
    return slice_starts(rest, in) && f->name.len;
}

static bool sampling_dump_claims(const struct head *head)
{
    struct heading h;
    struct frame f;
    bool below = false;

    head_each (line, head) {
        if (below && parse_frame(line, &f))
            return true;
        below = parse_heading(line, &h);
    }
    return false;
}

struct sampling_dump {
    struct sample sample;
    struct slice process; /* number of the first */
    uint64_t dumps;
};

static bool open_stack(struct sampling_dump *d, const struct heading *h)
{
    struct sample *s = &d->sample;
    bool idle = has_state(h->states, SLICE("idle"));
    bool task = has_state(h->states, SLICE("task ")), ok = sample_close(s);

    if (h->pid.len && !d->dumps++)
        d->process = sample_keep(s, h->pid);
    s->origin = (struct origin){.pid = d->process, .tid = sample_keep(s, h->tid)};
    if (has_state(h->states, SLICE("main thread")))
        s->origin.thread = SLICE("main thread");
    s->origin.event = task ? SLICE("tasks") : idle ? SLICE("idle") : SLICE("active");
    if (!task)
        s->origin.state = s->origin.event;
    s->unit = task ? unit_named(SLICE("tasks")) : unit_threads;
    ok = ok && sample_open(s, SLICE(""));
    builder_root_first(&s->builder);
    return ok;
}

static bool sampling_dump_line(struct text *t, void *state, struct slice line)
{
    struct sampling_dump *d = state;
    struct sample *s = &d->sample;
    struct heading h;
    struct frame f;

    if (parse_heading(line, &h))
        return open_stack(d, &h);
    if (s->open && parse_frame(line, &f)) {
        f.name = python_name(f.name, f.file, &s->scratch);
        sample_frame_line(s, t, &f);
        return true;
    }
    if (!s->open || slice_starts(line, SLICE("   ")))
        return true;
    if (!slice_trim(line).len)
        return sample_close_line(s, t);
    return text_skip_line(t, "expected 'File \"...\", line N, in NAME'", line);
}

static bool sampling_dump_end(struct text *t, void *state)
{
    struct sampling_dump *d = state;

    if (d->dumps > 1)
        profile_print_fact(t->profile, SLICE("dumps"), "%llu", (unsigned long long)d->dumps);
    return sample_end(t, state);
}

const struct format format_sampling_dump = {
    .name = "sampling-dump",
    .family = FORMAT_LANGUAGES,
    .description = "stacks of threads or tasks that Python's profiling.sampling dump prints",
    .recognised = "'Stack dump ... most recent call last):' and 'File \"...\", line N, in NAME'",
    .example =
        "for i in $(seq 100); do python3.15 -m profiling.sampling dump -a PID; done > app.dump",
    .without_stacks = "no thread of the process has a Python stack",
    .needs = "most recent call last):",
    .claims = sampling_dump_claims,
    .text = {.state_size = SAMPLE_STATE(struct sampling_dump),
             .begin = sample_begin_threads,
             .line = sampling_dump_line,
             .end = sampling_dump_end,
             .release = sample_free,
             .again = sample_again},
};
