/*
 * System calls with stacks, as `strace -k` prints them.
 *
 *     [pid  4711] 12:00:01.5 openat(AT_FDCWD, "/etc/passwd", O_RDONLY) = 3 <0.000021>
 *      > /usr/lib/libc.so.6(__open64+0x4d) [0xf7a2d]
 *      > /usr/bin/cat(main+0x1a0) [0x2d30]
 *      > /usr/bin/cat() [0x2d30]
 *
 * Leaf first; the system call itself is the leaf of each stack. A stack that ends in "too many
 * stack frames" counts as truncated. A notice of strace, "Process 12 attached", may interrupt the
 * line of a call, which goes on in the next one. There is a series for the calls,
 * and with -T one for their time. A call that was interrupted ("<unfinished ...>") counts where
 * it resumes. Dropped: arguments, results, time stamps, signals and exits, with their stacks. Calls
 * without a stack are counted as such, and frames below any other line as unreadable.
 *
 * Source: print_call_cb() and print_error_cb() in src/unwind.c of github.com/strace/strace.
 */
#include "input/build/sample.h"
#include "base/ascii.h"
#include "input/format.h"
#include "input/parse/native.h"

struct strace {
    struct sample sample;
    struct decimal time; /* of the open call */
    bool has_time;
    bool in_call;     /* a call is open, with or without frames */
    bool in_notice;   /* a line is, of which no stack counts */
    bool interrupted; /* its line goes on after a notice of strace */
};

/* What a line is that is no frame. */
struct call {
    struct slice pid, name;
    struct decimal time;
    bool has_time;
};

static bool is_name(struct slice s)
{
    for (size_t i = 0; i < s.len; i++) {
        char c = s.ptr[i];

        if (!(c == '_' || ascii_is_small(c) || (ascii_is_digit(c) && i)))
            return false;
    }
    return s.len > 0;
}

/* "[pid  4711] " or, in a file that strace wrote, "4711  ". */
static void take_pid(struct slice *rest, struct slice *pid)
{
    struct slice at = *rest, digits;

    if (slice_starts(at, SLICE("[pid "))) {
        at = slice_trim_left(slice_skip(at, strlen("[pid ")));
        if (native_take_number(&at, &digits) && slice_starts(at, SLICE("] "))) {
            *pid = digits;
            *rest = slice_skip(at, 2);
        }
    } else if (native_take_number(&at, &digits) && slice_starts(at, SLICE(" "))) {
        *pid = digits;
        *rest = slice_trim_left(at);
    }
}

/* "12:00:01.500000 ", "1700000000.1 ", "     0.000012 " (-r), "(+     0.1) " */
static void take_stamp(struct slice *rest)
{
    struct slice at = slice_trim_left(*rest);
    size_t n = 0;

    while (n < at.len && memchr("0123456789:.+()- ", at.ptr[n], 17))
        n++;
    if (n && at.ptr[n - 1] == ' ')
        *rest = slice_skip(at, n);
}

/* " <0.000021>" at the end of a call. */
static bool parse_time(struct slice line, struct decimal *time)
{
    size_t open;

    if (!slice_ends(line, SLICE(">")))
        return false;
    line.len--;
    open = slice_find_last(line, '<');
    return open < line.len && num_parse_decimal(slice_skip(line, open + 1), time);
}

/* A call that returned, or resumed and returned. */
static bool parse_call(struct slice line, struct call *call)
{
    const struct slice resumed = SLICE(" resumed>");
    struct slice rest = slice_trim_right(line);
    size_t end;

    *call = (struct call){0};
    call->has_time = parse_time(rest, &call->time);
    take_pid(&rest, &call->pid);
    take_stamp(&rest);
    if (slice_starts(rest, SLICE("<... "))) {
        rest = slice_skip(rest, strlen("<... "));
        end = slice_search(rest, resumed);
    } else {
        end = slice_find(rest, '(');
    }
    call->name = slice_take(rest, end);
    return end < rest.len && is_name(call->name);
}

/* " > FILE(SYMBOL+0xOFFSET) [0xADDRESS]", " > FILE() [0xADDRESS]", " > unexpected_..." */
static bool parse_frame(struct slice line, struct frame *f)
{
    size_t open, close;
    struct slice address;

    if (!slice_starts(line, SLICE(" > ")))
        return false;
    *f = (struct frame){.name = slice_trim(slice_skip(line, 3)), .kind = FRAME_NATIVE};
    open = slice_find_last(f->name, '[');
    address = slice_skip(f->name, open + 1);
    if (open == f->name.len || !native_take_address(&address, &f->address) ||
        !slice_equal(address, SLICE("]")))
        return f->name.len > 0;
    f->has_address = true;
    f->name = slice_trim_right(slice_take(f->name, open));
    /* the symbol may have parentheses of its own, the path hardly has */
    open = slice_find(f->name, '(');
    close = slice_find_last(f->name, ')');
    if (close + 1 != f->name.len || open >= close)
        return true;
    f->module = slice_take(f->name, open);
    f->name = slice_make(f->name.ptr + open + 1, close - open - 1);
    return true;
}

static bool is_unfinished(struct slice line)
{
    return slice_ends(slice_trim_right(line), SLICE("<unfinished ...>"));
}

/* "strace: Process 12 attached" at the end of a line; `*at` is where it begins. */
static bool has_notice(struct slice line, size_t *at)
{
    const struct slice program = SLICE("strace: "), process = SLICE("Process ");
    struct slice rest = slice_trim_right(line), digits;

    *at = slice_search(rest, process);
    rest = slice_skip(rest, *at + process.len);
    if (!native_take_number(&rest, &digits) ||
        !(slice_equal(rest, SLICE(" attached")) || slice_equal(rest, SLICE(" detached"))))
        return false;
    if (slice_ends(slice_take(line, *at), program))
        *at -= program.len;
    return true;
}

/* A frame below a call. A frame looks like this alone, but " > " begins many lines of text. */
static bool strace_claims(const struct head *h)
{
    bool called = false, notice = false;
    struct frame f;
    struct call call;
    size_t at;

    head_each (line, h) {
        if (called && parse_frame(line, &f) && f.has_address && f.module.len)
            return true;
        if (notice && called && (slice_starts(line, SLICE(" ")) || has_notice(line, &at)))
            continue;
        notice = has_notice(line, &at);
        called = parse_call(line, &call) &&
                 (slice_search(line, SLICE(") ")) < line.len || is_unfinished(line) || notice);
    }
    return false;
}

static bool close_call(struct strace *s)
{
    struct builder *b = &s->sample.builder;
    struct origin time = s->sample.origin;
    bool timed = s->in_call && s->has_time;

    s->in_call = s->interrupted = false;
    if (!sample_close(&s->sample))
        return false;
    time.event = SLICE("time");
    return !timed ||
           builder_add_decimal(b, builder_series(b, &time, unit_named(SLICE("s"))), s->time);
}

static bool open_call(struct strace *s, const struct call *call)
{
    struct frame leaf = {
        .name = call->name, .kind = FRAME_PLAIN, .class = SYMBOL_KERNEL, .has_class = true};

    if (!close_call(s) || !sample_open(&s->sample, SLICE("")))
        return false;
    s->sample.origin.event = SLICE("calls");
    s->sample.origin.tid = sample_keep(&s->sample, call->pid);
    s->sample.unit = unit_named(SLICE("calls"));
    s->in_call = true;
    s->has_time = call->has_time;
    s->time = call->time;
    sample_frame(&s->sample, &leaf);
    return true;
}

static void add_frame(struct text *t, struct strace *s, const struct frame *f, struct slice line)
{
    if (s->in_notice)
        return;
    if (!s->in_call)
        text_skip_line(t, "a frame below no call", line);
    else if (slice_equal(f->name, SLICE("too many stack frames")))
        t->profile->ledger.truncated++;
    else
        sample_frame(&s->sample, f);
}

/* "7 --- SIGCHLD {si_signo=SIGCHLD} ---", "7 +++ exited with 0 +++" */
static bool is_signal_or_exit(struct slice line)
{
    line = slice_trim_right(line);
    return slice_ends(line, SLICE(" ---")) || slice_ends(line, SLICE(" +++"));
}

static bool strace_line(struct text *t, void *state, struct slice line)
{
    struct strace *s = state;
    struct frame f;
    struct call call;
    size_t at = 0;
    bool notice;

    if (parse_frame(line, &f)) {
        add_frame(t, s, &f, line);
        return true;
    }
    if (!slice_trim(line).len)
        return true;
    notice = has_notice(line, &at);
    if (s->interrupted && (notice || slice_starts(line, SLICE(" ")))) {
        s->has_time = parse_time(slice_trim_right(line), &s->time);
        s->interrupted = notice;
        return true;
    }
    if (is_unfinished(line) || !parse_call(notice ? slice_take(line, at) : line, &call)) {
        s->in_notice = notice || is_signal_or_exit(line);
        return close_call(s);
    }
    if (!open_call(s, &call))
        return false;
    s->in_notice = false;
    s->interrupted = notice;
    return true;
}

static bool strace_end(struct text *t, void *state)
{
    (void)t;
    return close_call(state);
}

const struct format format_strace = {
    .name = "strace",
    .family = FORMAT_LINUX,
    .description = "system calls with their stacks: strace -k, with -T also their time",
    .recognised = "a system call, and below it ' > FILE(SYMBOL+0xOFFSET) [0xADDRESS]'",
    .example = "strace -f -k -T -o app.strace ./app",
    .without_stacks = "record stacks: strace -f -k -T -o app.strace ./app",
    .needs = " > ",
    .claims = strace_claims,
    .text = {.state_size = SAMPLE_STATE(struct strace),
             .begin = sample_begin,
             .line = strace_line,
             .end = strace_end,
             .release = sample_free},
};
