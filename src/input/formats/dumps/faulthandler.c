/*
 * What Python's faulthandler prints, once or again and again.
 *
 *     Timeout (0:00:05)!
 *     Thread 0x00007f50869e5b80 [worker] (most recent call first):
 *       File "/opt/app/fh.py", line 5 in parse
 *       File "/opt/app/fh.py", line 9 in <module>
 *     Current thread's C stack trace (most recent call first):
 *       Binary file "/usr/bin/python3", at _PyEval_Vector+0x1f [0x55e1]
 *
 * "Current thread 0x..." and "Stack" begin a stack, too. Each stack counts 1,
 * that of a thread without a Python frame at the root. Stacks of C functions
 * (Python 3.14) are a series of their own. Kept: function, file and line,
 * module and address; as the origin the thread. Counted: stacks that end in
 * "...", as faulthandler does after 100 frames. Dropped: what else is printed
 * between the stacks.
 *
 * The grammar is that of CPython's Python/traceback.c as its output shows it.
 */
#include "input/build/builder.h"
#include "input/format.h"
#include "input/parse/native.h"
#include "input/build/python.h"

struct faulthandler {
    struct builder builder;
    struct buf name, thread, tid;
    bool in_stack, native;
};

/* Lines met before. */
enum { FAULT_FRAME = 1, FAULT_BLANK };

/* "... (most recent call first):"; what is before it. */
static bool parse_header(struct slice line, struct slice *what)
{
    const struct slice mark = SLICE("(most recent call first):");

    line = slice_trim_right(line);
    if (!slice_ends(line, mark) || line.ptr[0] == ' ')
        return false;
    *what = slice_trim(slice_take(line, line.len - mark.len));
    return slice_starts(*what, SLICE("Thread 0x")) ||
           slice_starts(*what, SLICE("Current thread")) || slice_equal(*what, SLICE("Stack"));
}

/* `  File "fh.py", line 5 in parse` */
static bool parse_python(struct slice line, struct slice *function, struct frame *f)
{
    const struct slice start = SLICE("  File \""), middle = SLICE("\", line ");
    struct slice rest = slice_skip(line, start.len), digits;
    size_t at;

    if (!slice_starts(line, start))
        return false;
    at = slice_search(rest, middle);
    if (at == rest.len)
        return false;
    f->file = slice_take(rest, at);
    rest = slice_skip(rest, at + middle.len);
    at = slice_search(rest, SLICE(" in "));
    digits = slice_take(rest, at);
    if (at == rest.len || (!num_parse_u64(digits, &f->line) && !slice_equal(digits, SLICE("???"))))
        return false;
    *function = slice_skip(rest, at + 4);
    return function->len > 0;
}

/* `  Binary file "/usr/bin/python3", at main+0x1f [0x55e1]`; the name may be missing. */
static bool parse_native(struct slice line, struct frame *f)
{
    const struct slice start = SLICE("  Binary file \""), middle = SLICE("\", at ");
    struct slice rest = slice_skip(line, start.len), address;
    size_t at, bracket;

    if (!slice_starts(line, start))
        return false;
    at = slice_search(rest, middle);
    if (at == rest.len)
        return false;
    f->module = slice_take(rest, at);
    rest = slice_skip(rest, at + middle.len);
    bracket = slice_find_last(rest, '[');
    address = slice_skip(rest, bracket + 1);
    f->has_address = native_take_address(&address, &f->address);
    f->name = slice_trim(slice_take(rest, bracket));
    if (slice_starts(f->name, SLICE("+")))
        f->name = SLICE("");
    f->kind = FRAME_NATIVE;
    return true;
}

static void push_frame(struct text *t, struct faulthandler *h, const struct frame *f)
{
    t->meaning = (struct line_meaning){.kind = FAULT_FRAME, .entry = builder_entry(&h->builder, f)};
    builder_push(&h->builder, t->meaning.entry);
}

static bool read_frame(struct text *t, struct faulthandler *h, struct slice line)
{
    struct frame f = {.kind = FRAME_PLAIN};
    struct slice function;

    if (parse_native(line, &f)) {
        push_frame(t, h, &f);
        return true;
    }
    if (!parse_python(line, &function, &f))
        return false;
    if (t->options->names == NAMES_REFERENCE) {
        buf_clear(&h->name);
        buf_printf(&h->name, "%.*s:%llu:%.*s", SLICE_ARG(f.file), (unsigned long long)f.line,
                   SLICE_ARG(function));
        f = (struct frame){.name = buf_slice(&h->name), .kind = FRAME_PLAIN};
    } else {
        f.name = python_name(function, f.file, &h->name);
    }
    push_frame(t, h, &f);
    return true;
}

static bool finish_stack(struct faulthandler *h)
{
    struct origin origin = {
        .event = h->native ? SLICE("C stacks") : SLICE(""),
        .thread = buf_slice(&h->thread),
        .tid = buf_slice(&h->tid),
    };

    if (!h->in_stack)
        return true;
    h->in_stack = false;
    return builder_add(&h->builder, builder_series(&h->builder, &origin, unit_samples), 1);
}

/* "Thread 0x00007f50869e5b80 [worker]"; the C stack's header names no thread: it is the last. */
static void begin_stack(struct faulthandler *h, struct slice what)
{
    size_t hex = slice_search(what, SLICE("0x")), name = slice_find(what, '[');
    struct slice number = slice_skip(what, hex);

    h->in_stack = true;
    h->native = slice_search(what, SLICE("C stack")) < what.len;
    builder_begin(&h->builder);
    builder_leaf_first(&h->builder);
    if (h->native)
        return;
    buf_clear(&h->tid);
    buf_clear(&h->thread);
    buf_add_slice(&h->tid, slice_take(number, slice_find(number, ' ')));
    what = slice_skip(what, name + 1);
    buf_add_slice(&h->thread, slice_take(what, slice_find_last(what, ']')));
}

static bool faulthandler_claims(const struct head *head)
{
    struct slice rest = head->bytes, line, what;
    bool header = false;

    while (head_line(head, &rest, &line)) {
        struct frame f = {0};

        if (header && (parse_python(line, &what, &f) || parse_native(line, &f) ||
                       slice_equal(line, SLICE("  <no Python frame>"))))
            return true;
        header = line.len > 0 && parse_header(line, &what);
    }
    return false;
}

static bool faulthandler_begin(struct text *t, void *state)
{
    struct faulthandler *h = state;

    builder_init(&h->builder, t->profile, t->options, t->diag);
    buf_init(&h->name);
    buf_init(&h->thread);
    buf_init(&h->tid);
    return true;
}

static bool faulthandler_line(struct text *t, void *state, struct slice line)
{
    struct faulthandler *h = state;
    struct slice what;

    if (h->in_stack && slice_starts(line, SLICE("  "))) {
        if (slice_starts(line, SLICE("  ...")) || slice_starts(line, SLICE("  <truncated"))) {
            t->profile->ledger.truncated++;
        } else if (!read_frame(t, h, line) && !slice_starts(line, SLICE("  <")) &&
                   !slice_starts(line, SLICE("  Garbage-collecting"))) {
            text_skip(t, "expected 'File \"...\", line N in NAME'; line skipped");
        }
        return true;
    }
    if (!finish_stack(h))
        return false;
    if (line.len && parse_header(line, &what))
        begin_stack(h, what);
    if (!line.len)
        t->meaning.kind = FAULT_BLANK;
    return true;
}

static enum text_again faulthandler_again(struct text *t, void *state, const struct line_meaning *m)
{
    struct faulthandler *h = state;

    (void)t;
    if (m->kind == FAULT_BLANK)
        return finish_stack(h) ? TEXT_DONE : TEXT_FAILED;
    if (!h->in_stack)
        return TEXT_UNFIT;
    builder_push(&h->builder, m->entry);
    return TEXT_DONE;
}

static bool faulthandler_end(struct text *t, void *state)
{
    (void)t;
    return finish_stack(state);
}

static void faulthandler_release(void *state)
{
    struct faulthandler *h = state;

    builder_release(&h->builder);
    buf_release(&h->name);
    buf_release(&h->thread);
    buf_release(&h->tid);
}

/* Not that of a C stack, whose thread is named above it. */
static bool begins_thread(struct slice line)
{
    struct slice what;

    return line.len && parse_header(line, &what) &&
           slice_search(what, SLICE("C stack")) == what.len;
}

static const struct text_reader faulthandler_reader = {
    .state_size = sizeof(struct faulthandler),
    .begin = faulthandler_begin,
    .line = faulthandler_line,
    .again = faulthandler_again,
    .end = faulthandler_end,
    .release = faulthandler_release,
    .starts_record = begins_thread,
};

const struct format format_faulthandler = {
    .name = "faulthandler",
    .family = FORMAT_LANGUAGES,
    .description = "stacks that Python's faulthandler prints",
    .recognised = "'(most recent call first):' and 'File \"...\", line N in NAME'",
    .example = "faulthandler.dump_traceback_later(0.1, repeat=True, file=open('app.fh', 'w'))",
    .without_stacks = "no thread ran Python code",
    .claims = faulthandler_claims,
    .reader = &faulthandler_reader,
};
