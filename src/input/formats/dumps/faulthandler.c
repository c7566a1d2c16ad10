/*
 * Output of Python's faulthandler, once or repeatedly.
 *
 *     Timeout (0:00:05)!
 *     Thread 0x00007f50869e5b80 [worker] (most recent call first):
 *       File "/opt/app/fh.py", line 5 in parse
 *       File "/opt/app/fh.py", line 9 in <module>
 *     Current thread's C stack trace (most recent call first):
 *       Binary file "/usr/bin/python3", at _PyEval_Vector+0x1f [0x55e1]
 *
 * "Current thread 0x..." and "Stack" begin a stack, too. Each stack has weight 1; that of
 * a thread without a Python frame is the root. Stacks of C functions (Python 3.14) are a
 * separate series.
 *
 * Kept: function, file and line, module and address; the thread as the origin. Counted:
 * stacks that end in "...", as faulthandler does after 100 frames. Dropped: other output
 * between the stacks.
 *
 * Grammar: CPython's Python/traceback.c, by its output.
 */
#include "input/build/sample.h"
#include "input/format.h"
#include "input/parse/native.h"
#include "input/build/python.h"

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

/*
 * `  Binary file "/usr/bin/python3", at main+0x1f [0x55e1]`; without a name, ` [0x55e1]` follows.
 */
static bool parse_native(struct slice line, struct frame *f)
{
    const struct slice start = SLICE("  Binary file \""), middle = SLICE(", at ");
    struct slice rest = slice_skip(line, start.len), address;
    size_t quote = slice_find_last(rest, '"'), bracket;

    if (!slice_starts(line, start) || quote == rest.len)
        return false;
    f->module = slice_take(rest, quote);
    rest = slice_skip(rest, quote + 1);
    bracket = slice_find_last(rest, '[');
    address = slice_skip(rest, bracket + 1);
    f->has_address = native_take_address(&address, &f->address);
    if (slice_starts(rest, middle))
        f->name = slice_trim(slice_skip(slice_take(rest, bracket), middle.len));
    else if (!f->has_address)
        return false;
    if (slice_starts(f->name, SLICE("+")))
        f->name = SLICE("");
    f->kind = FRAME_NATIVE;
    return true;
}

static bool read_frame(struct text *t, struct sample *s, struct slice line)
{
    struct frame f = {.kind = FRAME_PLAIN};
    struct slice function;

    if (!parse_native(line, &f)) {
        if (!parse_python(line, &function, &f))
            return false;
        if (sample_is_reference(s)) {
            buf_clear(&s->scratch);
            buf_printf(&s->scratch, "%.*s:%llu:%.*s", SLICE_ARG(f.file), (unsigned long long)f.line,
                       SLICE_ARG(function));
            f = (struct frame){.name = buf_slice(&s->scratch), .kind = FRAME_PLAIN};
        } else {
            f.name = python_name(function, f.file, &s->scratch);
        }
    }
    sample_frame_line(s, t, &f);
    return true;
}

/* "Thread 0x00007f50869e5b80 [worker]"; a C stack is that of the thread before it. */
static bool begin_stack(struct sample *s, struct slice what)
{
    size_t hex = slice_search(what, SLICE("0x")), name = slice_find(what, '[');
    struct slice number = slice_skip(what, hex);

    if (slice_has(what, SLICE("C stack"))) {
        s->origin.event = SLICE("C stacks");
    } else {
        what = slice_skip(what, name + 1);
        s->origin = (struct origin){
            .tid = sample_keep(s, slice_take(number, slice_find(number, ' '))),
            .thread = sample_keep(s, slice_take(what, slice_find_last(what, ']'))),
        };
    }
    return sample_open(s, SLICE(""));
}

static bool faulthandler_claims(const struct head *head)
{
    struct slice what;
    bool header = false;

    head_each (line, head) {
        struct frame f = {0};

        if (header && (parse_python(line, &what, &f) || parse_native(line, &f) ||
                       slice_equal(line, SLICE("  <no Python frame>"))))
            return true;
        header = line.len > 0 && parse_header(line, &what);
    }
    return false;
}

/* Lines inside of a stack that are no frame and no damage. */
static bool is_remark(struct slice line)
{
    return slice_starts(line, SLICE("  <")) || slice_starts(line, SLICE("  Garbage-collecting"));
}

static bool faulthandler_line(struct text *t, void *state, struct slice line)
{
    struct sample *s = state;
    struct slice what;

    if (s->open && slice_starts(line, SLICE("  "))) {
        if (slice_starts(line, SLICE("  ...")) || slice_starts(line, SLICE("  <truncated")))
            t->profile->ledger.truncated++;
        else if (!read_frame(t, s, line) && !is_remark(line))
            text_skip(t, "expected 'File \"...\", line N in NAME'; line skipped");
        return true;
    }
    if (!line.len)
        return sample_close_line(s, t);
    if (!sample_close(s))
        return false;
    if (parse_header(line, &what))
        return begin_stack(s, what);
    return !slice_starts(line, SLICE("  File \"")) ||
           text_skip_line(t, "a frame below no thread's heading", line);
}

/* Not the header of a C stack, whose thread is named above it. */
static bool begins_thread(struct slice line)
{
    struct slice what;

    return line.len && parse_header(line, &what) && !slice_has(what, SLICE("C stack"));
}

const struct format format_faulthandler = {
    .name = "faulthandler",
    .family = FORMAT_LANGUAGES,
    .description = "stacks that Python's faulthandler prints",
    .recognised = "'(most recent call first):' and 'File \"...\", line N in NAME'",
    .example = "faulthandler.dump_traceback_later(0.1, repeat=True, file=open('app.fh', 'w'))",
    .without_stacks = "no thread ran Python code",
    .needs = "(most recent call first):",
    .claims = faulthandler_claims,
    .text = {SAMPLE_THREADS_READER(faulthandler, sizeof(struct sample)), .again = sample_again,
             .starts_record = begins_thread},
};
