/*
 * Output of gdb's "thread apply all bt", one run or several.
 *
 *     Thread 2 (Thread 0x7f12 (LWP 71) "worker"):
 *     #0  work (arg=0x1) at work.c:26
 *     #1  0x000055e1 in start (arg=<optimized out>,
 *         more=1) from /lib/libpthread.so.0
 *
 * A frame is "#N", "0xADDRESS in" if gdb shows it, the name, its arguments in parentheses,
 * which may continue on the next line, and "at FILE:LINE" or "from LIBRARY". A thread's
 * header or frame 0 begins a stack, which has weight 1. The one frame that gdb shows when
 * it opens a core or changes the thread begins no stack. A frame whose caller has no address
 * is inlined into the caller.
 *
 * Kept: names, library, file, line and address; the thread's name and LWP as the origin.
 * Dropped: arguments, the variables of "bt full" and other output of gdb and the program.
 * Counted: stacks that gdb cut, threads without frames, malformed frames.
 *
 * Grammar: gdb's stack.c (print_frame), by its output.
 */
#include "input/core/cut_off.h"
#include "input/format.h"
#include "base/num.h"
#include "input/parse/native.h"
#include "input/formats/dumps/native_stack.h"
#include "input/build/sample.h"

/* ---- one frame ------------------------------------------------------------------------------- */

/* How far the arguments of a frame were found. */
enum gdb_arguments {
    GDB_ARGUMENTS_NONE, /* the text is a name alone */
    GDB_ARGUMENTS_OPEN, /* they go on in the next line, or the file was cut */
    GDB_ARGUMENTS_WHOLE,
};

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

/* Offset after the parenthesis that closes the one at `i`, or 0. */
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

/*
 * "NAME (ARGS) at FILE:LINE": the name ends at the first " (" whose
 * parenthesis is closed before " at ", " from " or the end; a name may hold
 * others ("f(int)::<lambda(int)>", "std::function<void (int)>").
 */
static enum gdb_arguments split_arguments(struct slice text, struct slice *name, struct slice *tail)
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
            return end ? GDB_ARGUMENTS_WHOLE : GDB_ARGUMENTS_OPEN;
        }
        if (text.ptr[i] == '(' && !end)
            break;
        i = end ? end : i + 1;
    }
    return GDB_ARGUMENTS_NONE;
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

/* Takes "0x7f12 in " off the text after the number. */
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

/* Takes "#12 " off the front of a line; what is left is not empty. */
static bool take_number(struct slice *line, uint64_t *number)
{
    struct slice rest = slice_skip(*line, 1), digits;

    if (!slice_starts(*line, SLICE("#")) || !native_take_number(&rest, &digits) ||
        !slice_starts(rest, SLICE(" ")) || !num_parse_u64(digits, number))
        return false;
    *line = slice_trim(rest);
    return line->len > 0;
}

/* "#12": a frame without its text. */
static bool is_cut_frame(struct slice line)
{
    struct slice rest = slice_skip(line, 1), digits;

    return slice_starts(line, SLICE("#")) && native_take_number(&rest, &digits) &&
           !slice_trim(rest).len;
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
        buf_add_slice(out, slice_has(words[0], SLICE("0x")) ? words[2] : words[0]);
}

/* Parses the text after the number. Returns false if the next line may belong to the frame. */
static bool parse_text(struct slice text, struct frame *f)
{
    struct slice tail;
    bool whole;

    *f = (struct frame){.kind = FRAME_NATIVE};
    take_address(&text, f);
    whole = split_arguments(text, &f->name, &tail) == GDB_ARGUMENTS_WHOLE && tail.len;
    parse_tail(tail, f);
    if (slice_starts(f->name, SLICE("<")))
        f->kind = FRAME_PLAIN;
    return whole;
}

/* ---- stacks ---------------------------------------------------------------------------------- */

enum { MOST_CONTINUED = 200, MOST_TEXT = 1 << 16 };

struct gdb {
    struct sample sample;
    struct native_stack stack;  /* frames of the open sample */
    struct buf frame;           /* text of the current frame, after its number */
    VEC(struct origin) threads; /* of thread lines that are remembered */
    unsigned continued;         /* lines that the current frame continued for */
    bool in_frame;              /* there is a frame that may continue */
    uint64_t number;            /* of the last frame */
    bool headed;                /* no frame has followed the last thread's header */
    bool announced;             /* the next frame 0 is shown to say where the thread is */
    bool shown;                 /* the first frame of the open sample was announced */
};

/*
 * Lines met before. `depth` of a frame is its number and `entry` the builder's; `context` of a
 * thread is its place among the threads.
 */
enum { GDB_FRAME = 1, GDB_FRAME_ADDRESS, GDB_THREAD };

static void push_known(struct gdb *g, const struct line_meaning *m)
{
    *vec_add(&g->stack.frames) =
        (struct native_frame){.entry = m->entry, .has_address = m->kind == GDB_FRAME_ADDRESS};
}

/* Parses the text of a frame. Returns false if the next line may belong to the frame. */
static bool parse_frame(const struct gdb *g, struct slice text, struct frame *f)
{
    bool whole = parse_text(text, f);

    if (sample_is_reference(&g->sample))
        *f = (struct frame){.name = buf_slice(&g->sample.scratch), .kind = FRAME_PLAIN};
    return whole;
}

/* Adds a frame to the current stack. Returns the meaning of its line if its number is `number`. */
static struct line_meaning push_frame(struct gdb *g, const struct frame *f, uint64_t number)
{
    struct line_meaning meaning = {
        .kind = f->has_address ? GDB_FRAME_ADDRESS : GDB_FRAME,
        .entry = builder_entry(&g->sample.builder, f),
        .depth = (uint32_t)number,
    };

    push_known(g, &meaning);
    if (number > UINT32_MAX)
        meaning.kind = 0;
    return meaning;
}

static void finish_frame(struct gdb *g)
{
    struct frame f;

    if (!g->in_frame)
        return;
    g->in_frame = false;
    parse_frame(g, buf_slice(&g->frame), &f);
    push_frame(g, &f, g->number);
}

/* If gdb shows addresses, a caller without one is the function that the frame is inlined into. */
static void mark_inlined(struct gdb *g)
{
    struct builder *b = &g->sample.builder;
    bool addresses = false;

    vec_each (const struct native_frame, f, &g->stack.frames)
        addresses |= f->has_address;
    for (size_t i = 0; addresses && i + 1 < g->stack.frames.count; i++) {
        struct native_frame *f = &g->stack.frames.items[i];

        f->is_inlined = !f[1].has_address && builder_frame_of(b, f[0].entry).kind == FRAME_NATIVE &&
                        builder_frame_of(b, f[1].entry).kind == FRAME_NATIVE;
    }
}

/* Ends the open stack, or adds the thread whose header no frame follows. */
static bool finish_stack(struct gdb *g)
{
    if (g->headed && !sample_is_reference(&g->sample) && !sample_open(&g->sample, SLICE("")))
        return false;
    g->headed = false;
    finish_frame(g);
    mark_inlined(g);
    /* stackcollapse-gdb.pl takes it for a stack. */
    if (g->shown && g->stack.frames.count == 1 && !sample_is_reference(&g->sample))
        sample_drop(&g->sample);
    native_stack_push(&g->stack, &g->sample.builder);
    return sample_close(&g->sample);
}

/* "Thread 2 (Thread 0x7f12 (LWP 71) "worker"):", "Thread 1 (LWP 9):", "Thread 11 (Thread 23):" */
static bool is_thread(struct slice line)
{
    struct slice rest = slice_skip(line, 7), digits;

    return slice_starts(line, SLICE("Thread ")) && native_take_number(&rest, &digits) &&
           slice_starts(rest, SLICE(" (")) && slice_ends(slice_trim_right(rest), SLICE(":"));
}

/* Lines that gdb writes above the one frame where a core's or another thread is. */
static bool is_announcement(struct slice line)
{
    return slice_starts(line, SLICE("Program terminated with signal ")) ||
           slice_starts(line, SLICE("[Switching to thread "));
}

static void note_thread(struct gdb *g, struct slice line)
{
    struct slice quote = slice_skip(line, slice_find(line, '"') + 1), word, last = SLICE("");
    size_t lwp = slice_search(line, SLICE("LWP "));

    line = slice_skip(line, lwp < line.len ? lwp + 4 : slice_find(line, '(') + 1);
    line = slice_take(line, slice_find(line, ')'));
    while (slice_word(&line, &word))
        last = word;
    g->sample.origin = (struct origin){
        .thread = sample_keep(&g->sample, slice_take(quote, slice_find_last(quote, '"'))),
        .tid = sample_keep(&g->sample, last),
    };
}

/* A frame is there: it begins a stack, or belongs to the current one. */
static bool begin_frame(struct text *t, struct gdb *g, uint64_t number)
{
    g->headed = false;
    finish_frame(g);
    if (g->sample.open && number <= g->number && !finish_stack(g))
        return false;
    if (!g->sample.open && number > 0)
        t->profile->ledger.truncated++;
    g->number = number;
    if (!g->sample.open)
        g->shown = g->announced;
    g->announced = false;
    return g->sample.open || sample_open(&g->sample, SLICE(""));
}

static bool add_frame(struct text *t, struct gdb *g, struct slice text, uint64_t number)
{
    struct frame f;

    if (!begin_frame(t, g, number))
        return false;
    if (sample_is_reference(&g->sample))
        reference_name(text, &g->sample.scratch);
    text = slice_take(text, MOST_TEXT);
    if (parse_frame(g, text, &f)) {
        t->meaning = push_frame(g, &f, number);
        return true;
    }
    g->in_frame = true;
    g->continued = 0;
    buf_clear(&g->frame);
    buf_add_slice(&g->frame, text);
    return true;
}

/* A line that begins with a blank: the rest of a frame, or of no interest. */
static void continue_frame(struct gdb *g, struct slice line)
{
    struct slice text = buf_slice(&g->frame), rest = slice_trim(line), name, tail;
    size_t indent = line.len - slice_trim_left(line).len;
    enum gdb_arguments arguments;

    if (!g->in_frame || g->continued++ == MOST_CONTINUED || text.len + rest.len > MOST_TEXT)
        return;
    arguments = split_arguments(text, &name, &tail);
    if (arguments == GDB_ARGUMENTS_OPEN ||
        (arguments == GDB_ARGUMENTS_NONE && rest.ptr[0] == '(') ||
        (arguments == GDB_ARGUMENTS_WHOLE && !tail.len && indent <= 4 &&
         (slice_starts(rest, SLICE("at ")) || slice_starts(rest, SLICE("from "))))) {
        buf_add_char(&g->frame, ' ');
        buf_add_slice(&g->frame, rest);
    } else {
        g->continued = MOST_CONTINUED;
    }
}

/* ---- recognition --------------------------------------------------------------------------- */

/*
 * Whether a frame without an address is gdb's, and not a line of text with parentheses: it has a
 * file and line or a library, or its arguments are none, not shown, or have values.
 */
static bool is_short_location(struct slice text, struct slice name, struct slice tail)
{
    struct slice arguments = slice_trim_left(slice_skip(text, name.len));
    struct frame f = {0};

    if (slice_starts(tail, SLICE("from ")))
        return true;
    parse_tail(tail, &f);
    return f.line || slice_starts(arguments, SLICE("()")) ||
           slice_starts(arguments, SLICE("(...)")) ||
           (slice_has(slice_take(arguments, arguments.len - tail.len), SLICE("=")) &&
            slice_starts(arguments, SLICE("(")) && !slice_starts(arguments, SLICE("( ")));
}

/*
 * Claims a thread's header that a frame follows, frames 0 and 1 of which one has an
 * address as gdb shows it, or such a frame 0 alone. With "set print frame-info
 * short-location" frames have no addresses: then frames 0 and 1 have the two blanks after
 * "#0" and "#1", and arguments, file or library as gdb writes them.
 */
static bool gdb_claims(const struct head *head)
{
    struct slice name, tail;
    bool thread = false, headed = false, sequence = false, addressed = false;
    uint64_t number, last = 0;
    unsigned columns = 0; /* frames in a row as gdb writes short locations */

    head_each (line, head) {
        bool column = slice_starts(line, SLICE("#0  ")) || slice_starts(line, SLICE("#1  "));
        struct frame f = {0};

        if (is_thread(line)) {
            thread = headed = true;
            sequence = false;
        }
        /* After a thread's header, "bt -5" begins with a frame other than 0. */
        if (!take_number(&line, &number) || (number > 0 && !sequence && !headed))
            continue;
        headed = false;
        take_address(&line, &f);
        if (f.has_address && line.len && split_arguments(line, &name, &tail) == GDB_ARGUMENTS_NONE)
            return false; /* "#0  0x7f12 name": another tool's */
        if (split_arguments(line, &name, &tail) == GDB_ARGUMENTS_NONE && name.ptr[0] != '<')
            continue;
        addressed |= f.has_address;
        columns = column && name.len && !f.has_address && is_short_location(line, name, tail)
                      ? columns + 1
                      : 0;
        if (columns == 2 && number == 1)
            return true;
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
    if (take_number(&text, &number))
        return add_frame(t, g, text, number);
    if (is_thread(line)) {
        if (!finish_stack(g))
            return false;
        note_thread(g, line);
        g->headed = true;
        g->announced = false;
        if (t->keeps) {
            t->meaning.kind = GDB_THREAD;
            t->meaning.context = (uint32_t)g->threads.count;
            *vec_add(&g->threads) = g->sample.origin;
        }
    } else if (is_announcement(line)) {
        g->announced = true;
        return finish_stack(g);
    } else if (g->sample.open && (slice_starts(line, SLICE("(More stack frames follow")) ||
                                  slice_starts(line, SLICE("Backtrace stopped")))) {
        t->profile->ledger.truncated++;
        return finish_stack(g);
    } else if (is_cut_frame(line)) {
        return text_skip_line(t, "expected '#N  NAME (ARGUMENTS)'", line);
    }
    return true;
}

static enum text_again gdb_again(struct text *t, void *state, const struct line_meaning *m)
{
    struct gdb *g = state;

    if (m->kind == GDB_THREAD) {
        if (!finish_stack(g))
            return TEXT_FAILED;
        g->headed = true;
        g->announced = false;
        g->sample.origin = g->threads.items[m->context];
        return TEXT_DONE;
    }
    if (!begin_frame(t, g, m->depth))
        return TEXT_FAILED;
    push_known(g, m);
    return TEXT_DONE;
}

static bool gdb_end(struct text *t, void *state)
{
    struct gdb *g = state;
    struct slice text = buf_slice(&g->frame), name, tail;

    if (g->in_frame && split_arguments(text, &name, &tail) == GDB_ARGUMENTS_OPEN) {
        cut_off(t, DIAG_AT_LINE(t->line), "the last frame is cut off; its stack may be incomplete");
        t->profile->ledger.truncated++;
    }
    return finish_stack(g);
}

STATE_RELEASE(gdb, (sample, sample), (native_stack, stack), (buf, frame), (vec, threads));

const struct format format_gdb = {
    .name = "gdb",
    .family = FORMAT_LINUX,
    .description = "backtraces of gdb, one or many",
    .recognised = "frames '#0  0x... in NAME (ARGS)' below 'Thread N (...):'",
    .example = "gdb -p PID -batch -ex 'thread apply all bt' >> app.gdb",
    .without_stacks = "run 'thread apply all bt'",
    .needs = "#",
    .claims = gdb_claims,
    .text = {SAMPLE_STATE_THREADS_READER(gdb), .again = gdb_again, .starts_record = is_thread},
};
