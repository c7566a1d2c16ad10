/*
 * Reports of pystack remote and pystack core: the stacks of a Python process, once or repeatedly.
 *
 *     Traceback for thread 112 (python3) [Has the GIL] (most recent call last):
 *         (C) File "???", line 0, in _start (/usr/bin/python3.9)
 *         (Python) File "/srv/app.py", line 17, in <module>
 *             first_func()
 *
 * Root first. A stack weighs 1. Kept: function, file and line, module of native functions, the
 * number and name of the thread. Dropped: source, arguments and local variables.
 *
 * Source: src/pystack/traceback_formatter.py in github.com/bloomberg/pystack.
 */
#include "base/num.h"
#include "input/build/python.h"
#include "input/build/sample.h"
#include "input/format.h"
#include "input/parse/native.h"

struct pystack {
    struct sample sample;
};

/* "Traceback for thread 112 (python3) [Has the GIL] (most recent call last):" */
static bool parse_thread(struct slice line, struct slice *tid, struct slice *name)
{
    const struct slice start = SLICE("Traceback for thread "),
                       end = SLICE("(most recent call last):");
    struct slice rest = slice_skip(line, start.len);

    *name = SLICE("");
    if (!slice_starts(line, start) || !slice_ends(slice_trim_right(line), end) ||
        !native_take_number(&rest, tid))
        return false;
    if (slice_starts(rest, SLICE(" ("))) {
        *name = slice_skip(rest, 2);
        *name = slice_take(*name, slice_find(*name, ')'));
    }
    return true;
}

/* '(Python) File "/srv/app.py", line 17, in main' and, of C, " (/usr/lib/libc.so.6)". */
static bool parse_frame(struct slice line, struct frame *f, struct buf *scratch)
{
    const struct slice python = SLICE("(Python) File \""), c = SLICE("(C) File \""),
                       at = SLICE("\", line "), in = SLICE(", in ");
    struct slice text = slice_trim(line), digits;
    bool is_python = slice_starts(text, python);
    size_t end, open;

    if (!is_python && !slice_starts(text, c))
        return false;
    *f = (struct frame){.kind = is_python ? FRAME_PLAIN : FRAME_NATIVE};
    text = slice_skip(text, is_python ? python.len : c.len);
    end = slice_search(text, at);
    f->file = slice_take(text, end);
    text = slice_skip(text, end + at.len);
    if (!native_take_number(&text, &digits) || !num_parse_u64(digits, &f->line) ||
        !slice_starts(text, in))
        return false;
    text = slice_skip(text, in.len);
    if (is_python) {
        f->name = python_name(text, f->file, scratch);
        return text.len > 0;
    }
    open = slice_find_last(text, '(');
    if (slice_ends(text, SLICE(")")) && open && text.ptr[open - 1] == ' ') {
        f->module = slice_skip(slice_take(text, text.len - 1), open + 1);
        text = slice_trim_right(slice_take(text, open));
    }
    if (slice_equal(f->file, SLICE("???")))
        f->file = SLICE("");
    f->name = slice_equal(text, SLICE("???")) ? SLICE("") : text;
    return text.len > 0;
}

static bool pystack_claims(const struct head *head)
{
    struct slice tid, name;

    head_each (line, head)
        if (parse_thread(line, &tid, &name))
            return true;
    return false;
}

static bool pystack_line(struct text *t, void *state, struct slice line)
{
    struct sample *s = state;
    struct slice tid, name;
    struct frame f;

    if (parse_thread(line, &tid, &name)) {
        if (!sample_close(s))
            return false;
        s->origin.tid = sample_keep(s, tid);
        s->origin.thread = sample_keep(s, name);
        if (!sample_open(s, SLICE("")))
            return false;
        builder_root_first(&s->builder);
        return true;
    }
    if (!slice_trim(line).len)
        return sample_close(s);
    if (!s->open)
        return true;
    if (parse_frame(line, &f, &s->scratch))
        sample_frame(s, &f);
    else if (slice_starts(slice_trim(line), SLICE("(Python) File ")) ||
             slice_starts(slice_trim(line), SLICE("(C) File ")))
        return text_skip_line(t, "expected 'File \"FILE\", line N, in NAME'", line);
    return true;
}

const struct format format_pystack = {
    .name = "pystack",
    .family = FORMAT_LANGUAGES,
    .description = "stacks of Python and C that pystack prints",
    .recognised = "'Traceback for thread N ... (most recent call last):'",
    .example = "for i in $(seq 100); do pystack remote --native PID; done >> app.pystack",
    .without_stacks = "the process has no threads that run Python",
    .needs = "Traceback for thread ",
    .claims = pystack_claims,
    .text = {SAMPLE_THREADS_READER(pystack, SAMPLE_STATE(struct pystack))},
};
