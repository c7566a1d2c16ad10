/*
 * gdb's backtraces: "thread apply all bt", as often as it was run.
 *
 *     Thread 2 (Thread 0x7f12 (LWP 71) "worker"):
 *     #0  work (arg=0x1) at work.c:26
 *     #1  0x000055e1 in start (arg=<optimized out>,
 *         more=1) from /lib/libpthread.so.0
 *
 * A frame is "#N", where gdb shows it "0xADDRESS in", the name, its arguments
 * in parentheses that may go on in the next line, and "at FILE:LINE" or "from
 * LIBRARY". A thread's header or frame 0 begins a stack, which counts 1; also
 * the frame that gdb shows when it stops or opens a core. A frame whose caller
 * has no address is inlined into it. Kept: names, library, file, line and
 * address; as the origin the thread's name and LWP. Dropped: arguments, the
 * variables of "bt full" and everything else that gdb and the program print.
 * Counted: stacks that gdb says it cut, frames that make no sense.
 *
 * The grammar is that of gdb's stack.c (print_frame) as its output shows it.
 */
#include "input/format.h"
#include "input/native.h"
#include "input/native_stack.h"

enum { MOST_CONTINUED = 200, MOST_TEXT = 1 << 16 };

struct gdb {
    struct builder builder;
    struct native_stack stack;
    struct buf frame;     /* text of the frame in hand, behind its number */
    struct buf reference; /* its name by the rules of stackcollapse-gdb.pl */
    struct buf thread, tid;
    unsigned continued; /* lines that the frame in hand went on for */
    bool in_frame;      /* there is one */
    bool in_stack;      /* frames of a stack were met */
    uint64_t number;    /* of the last frame */
};

/* ---- a frame ------------------------------------------------------------------------------- */

/* The length of a character in quotes at `i`, as gdb shows values: 40 '(' or '\000'. */
static size_t quoted_char(struct slice s, size_t i)
{
    size_t end = i + 1;

    if (end < s.len && s.ptr[end] == '\\')
        for (end++; end < s.len && end < i + 6 && s.ptr[end] != '\'';)
            end++;
    else
        end++;
    return end < s.len && s.ptr[end] == '\'' ? end - i + 1 : 1;
}

static size_t quoted_string(struct slice s, size_t i)
{
    size_t end = i + 1;

    while (end < s.len && s.ptr[end] != '"')
        end += s.ptr[end] == '\\' ? 2 : 1;
    return end < s.len ? end - i + 1 : s.len - i;
}

/* Behind the parenthesis that closes the one at `i`; 0 where none does. */
static size_t group_end(struct slice s, size_t i)
{
    size_t open = 0;

    while (i < s.len) {
        size_t n = 1;

        if (s.ptr[i] == '(')
            open++;
        else if (s.ptr[i] == ')' && --open == 0)
            return i + 1;
        else if (s.ptr[i] == '"')
            n = quoted_string(s, i);
        else if (s.ptr[i] == '\'')
            n = quoted_char(s, i);
        i += n;
    }
    return 0;
}

static bool is_tail(struct slice s)
{
    return !slice_trim(s).len || slice_starts(s, SLICE(" at ")) || slice_starts(s, SLICE(" from "));
}

/* How far the arguments of a frame were found. */
enum arguments {
    ARGUMENTS_NONE, /* the text is a name alone */
    ARGUMENTS_OPEN, /* they go on in the next line, or the file was cut */
    ARGUMENTS_WHOLE,
};

/*
 * "NAME (ARGS) at FILE:LINE": the name ends at the first " (" whose
 * parenthesis is closed before " at ", " from " or the end; a name may hold
 * others ("f(int)::<lambda(int)>", "std::function<void (int)>").
 */
static enum arguments split_frame(struct slice text, struct slice *name, struct slice *tail)
{
    size_t i = 0;

    *name = text;
    *tail = SLICE("");
    while (i < text.len) {
        bool begins = text.ptr[i] == '(' && (i == 0 || text.ptr[i - 1] == ' ');
        size_t end = text.ptr[i] == '(' ? group_end(text, i) : 0;

        if (begins && (!end || is_tail(slice_skip(text, end)))) {
            *name = slice_trim(slice_take(text, i));
            *tail = end ? slice_trim(slice_skip(text, end)) : SLICE("");
            return end ? ARGUMENTS_WHOLE : ARGUMENTS_OPEN;
        }
        if (text.ptr[i] == '(' && !end)
            break;
        i = end ? end : i + 1;
    }
    return ARGUMENTS_NONE;
}

/* "at FILE:LINE", "from LIBRARY", and "at LIBRARY" as other tools write it. */
static void parse_tail(struct slice tail, struct frame *f)
{
    struct slice word;

    if (!slice_word(&tail, &word))
        return;
    tail = slice_trim(tail);
    if (slice_equal(word, SLICE("at")))
        native_parse_source(tail, &f->file, &f->line);
    if (!f->line) {
        f->module = tail;
        f->file = SLICE("");
    }
}

/* Takes "0x7f12 in " off the text. */
static void take_address(struct slice *text, struct frame *f)
{
    struct slice rest = *text;

    if (!native_take_address(&rest, &f->address))
        return;
    f->has_address = true;
    *text = slice_trim_left(rest);
    if (slice_starts(*text, SLICE("in ")))
        *text = slice_trim_left(slice_skip(*text, 3));
}

/* Takes "#12 " off the front of a line. */
static bool take_frame_number(struct slice *line, uint64_t *number)
{
    struct slice rest = slice_skip(*line, 1), digits;

    if (!slice_starts(*line, SLICE("#")) || !native_take_number(&rest, &digits) ||
        !slice_starts(rest, SLICE(" ")) || !num_parse_u64(digits, number))
        return false;
    *line = slice_trim(rest);
    return line->len > 0;
}

/* The name as stackcollapse-gdb.pl takes it: the first of four words, or the third. */
static void reference_name(struct slice text, struct buf *out)
{
    struct slice words[4], rest = text;
    size_t count = 0;

    buf_clear(out);
    while (count < 3 && slice_cut(&rest, ' ', &words[count]))
        count++;
    if (count < 3)
        buf_add_slice(out, text);
    else
        buf_add_slice(out,
                      slice_search(words[0], SLICE("0x")) < words[0].len ? words[2] : words[0]);
}

/* ---- stacks -------------------------------------------------------------------------------- */

static void finish_frame(struct text *t, struct gdb *g)
{
    struct frame f = {.kind = FRAME_NATIVE};
    struct slice text = buf_slice(&g->frame), tail;

    if (!g->in_frame)
        return;
    g->in_frame = false;
    take_address(&text, &f);
    split_frame(text, &f.name, &tail);
    parse_tail(tail, &f);
    if (t->options->names == NAMES_REFERENCE)
        f = (struct frame){.name = buf_slice(&g->reference), .kind = FRAME_PLAIN};
    else if (slice_starts(f.name, SLICE("<")))
        f.kind = FRAME_PLAIN;
    native_stack_add(&g->stack, &f);
}

/* Where gdb shows addresses, a caller without one is the function that the frame is inlined in. */
static void mark_inlined(struct native_stack *s)
{
    bool addresses = false;

    vec_each (const struct native_frame, f, &s->frames)
        addresses |= f->has_address;
    for (size_t i = 0; addresses && i + 1 < s->frames.count; i++) {
        struct native_frame *f = &s->frames.items[i];

        if (!f[1].has_address && f[0].kind == FRAME_NATIVE && f[1].kind == FRAME_NATIVE)
            f->class = SYMBOL_INLINED;
    }
}

static bool finish_stack(struct text *t, struct gdb *g)
{
    struct origin origin = {.thread = buf_slice(&g->thread), .tid = buf_slice(&g->tid)};
    uint32_t series;

    finish_frame(t, g);
    if (!g->in_stack)
        return true;
    g->in_stack = false;
    mark_inlined(&g->stack);
    series = builder_series(&g->builder, &origin, unit_samples);
    builder_begin(&g->builder);
    native_stack_push(&g->stack, &g->builder);
    return builder_add(&g->builder, series, 1);
}

/* "Thread 2 (Thread 0x7f12 (LWP 71) "worker"):", "Thread 1 (LWP 9):", "Thread 11 (Thread 23):" */
static bool is_thread(struct slice line)
{
    struct slice rest = slice_skip(line, 7), digits;

    return slice_starts(line, SLICE("Thread ")) && native_take_number(&rest, &digits) &&
           slice_starts(rest, SLICE(" (")) && slice_ends(slice_trim_right(rest), SLICE(":"));
}

static void note_thread(struct gdb *g, struct slice line)
{
    struct slice quote = slice_skip(line, slice_find(line, '"') + 1), word, last = SLICE("");
    size_t lwp = slice_search(line, SLICE("LWP "));

    buf_clear(&g->thread);
    buf_add_slice(&g->thread, slice_take(quote, slice_find_last(quote, '"')));
    buf_clear(&g->tid);
    line = slice_skip(line, lwp < line.len ? lwp + 4 : slice_find(line, '(') + 1);
    line = slice_take(line, slice_find(line, ')'));
    while (slice_word(&line, &word))
        last = word;
    buf_add_slice(&g->tid, last);
}

static bool begin_frame(struct text *t, struct gdb *g, struct slice text, uint64_t number)
{
    finish_frame(t, g);
    if (g->in_stack && number <= g->number && !finish_stack(t, g))
        return false;
    if (!g->in_stack && number > 0)
        t->profile->ledger.truncated++;
    g->in_stack = g->in_frame = true;
    g->number = number;
    g->continued = 0;
    buf_clear(&g->frame);
    buf_add_slice(&g->frame, slice_take(text, MOST_TEXT));
    if (t->options->names == NAMES_REFERENCE)
        reference_name(text, &g->reference);
    return true;
}

/* A line that begins with a blank: the rest of a frame, or of no interest. */
static void continue_frame(struct gdb *g, struct slice line)
{
    struct slice text = buf_slice(&g->frame), rest = slice_trim(line), name, tail;
    size_t indent = line.len - slice_trim_left(line).len;
    enum arguments arguments;

    if (!g->in_frame || g->continued++ == MOST_CONTINUED || text.len + rest.len > MOST_TEXT)
        return;
    arguments = split_frame(text, &name, &tail);
    if (arguments == ARGUMENTS_OPEN || (arguments == ARGUMENTS_NONE && rest.ptr[0] == '(') ||
        (arguments == ARGUMENTS_WHOLE && !tail.len && indent <= 4 &&
         (slice_starts(rest, SLICE("at ")) || slice_starts(rest, SLICE("from "))))) {
        buf_add_char(&g->frame, ' ');
        buf_add_slice(&g->frame, rest);
    } else {
        g->continued = MOST_CONTINUED;
    }
}

/* ---- recognition --------------------------------------------------------------------------- */

/*
 * A thread's header with frame 0 behind it, or frames 0 and 1 of which one
 * has an address as gdb shows it, or such a frame 0 alone.
 */
static bool gdb_claims(const struct head *head)
{
    struct slice rest = head->bytes, line, name, tail;
    bool thread = false, sequence = false, addressed = false;
    uint64_t number, last = 0;

    while (head_line(head, &rest, &line)) {
        struct frame f = {0};

        if (is_thread(line)) {
            thread = true;
            sequence = false;
        }
        if (!take_frame_number(&line, &number) || (number > 0 && !sequence))
            continue;
        take_address(&line, &f);
        if (f.has_address && line.len && split_frame(line, &name, &tail) == ARGUMENTS_NONE)
            return false; /* "#0  0x7f12 name": another tool's */
        if (split_frame(line, &name, &tail) == ARGUMENTS_NONE && name.ptr[0] != '<')
            continue;
        addressed |= f.has_address;
        if (thread || (number == last + 1 && number > 0 && addressed))
            return true;
        if (number == 0 && f.has_address && slice_equal(tail, SLICE("")) == false)
            return true;
        sequence = true;
        last = number;
    }
    return false;
}

/* ---- reading ------------------------------------------------------------------------------- */

static bool gdb_begin(struct text *t, void *state)
{
    struct gdb *g = state;

    builder_init(&g->builder, t->profile, t->options, t->diag);
    native_stack_init(&g->stack);
    buf_init(&g->frame);
    buf_init(&g->reference);
    buf_init(&g->thread);
    buf_init(&g->tid);
    return true;
}

static bool gdb_line(struct text *t, void *state, struct slice line)
{
    struct gdb *g = state;
    struct slice text = line;
    uint64_t number;

    if (!line.len)
        return true;
    if (line.ptr[0] == ' ' || line.ptr[0] == '\t') {
        continue_frame(g, line);
        return true;
    }
    if (take_frame_number(&text, &number))
        return begin_frame(t, g, text, number);
    if (is_thread(line)) {
        if (!finish_stack(t, g))
            return false;
        note_thread(g, line);
    } else if (g->in_stack && (slice_starts(line, SLICE("(More stack frames follow")) ||
                               slice_starts(line, SLICE("Backtrace stopped")))) {
        t->profile->ledger.truncated++;
        return finish_stack(t, g);
    }
    return true;
}

static bool gdb_end(struct text *t, void *state)
{
    struct gdb *g = state;
    struct slice text = buf_slice(&g->frame), name, tail;

    if (g->in_frame && split_frame(text, &name, &tail) == ARGUMENTS_OPEN) {
        diag_warn_line(t->diag, t->line, "the last frame is cut off; its stack may be incomplete");
        t->profile->ledger.truncated++;
    }
    return finish_stack(t, g);
}

static void gdb_release(void *state)
{
    struct gdb *g = state;

    builder_release(&g->builder);
    native_stack_release(&g->stack);
    buf_release(&g->frame);
    buf_release(&g->reference);
    buf_release(&g->thread);
    buf_release(&g->tid);
}

static const struct text_reader gdb_reader = {
    .state_size = sizeof(struct gdb),
    .begin = gdb_begin,
    .line = gdb_line,
    .end = gdb_end,
    .release = gdb_release,
    .starts_record = is_thread,
};

const struct format format_gdb = {
    .name = "gdb",
    .family = FORMAT_LINUX,
    .description = "backtraces of gdb, one or many",
    .recognised = "frames '#0  0x... in NAME (ARGS)' below 'Thread N (...):'",
    .example = "gdb -p PID -batch -ex 'thread apply all bt' >> app.gdb",
    .without_stacks = "run 'thread apply all bt'",
    .claims = gdb_claims,
    .reader = &gdb_reader,
};
