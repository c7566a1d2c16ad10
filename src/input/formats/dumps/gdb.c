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
 * header or frame 0 begins a stack, which has weight 1; so does the frame that gdb shows
 * when it stops or opens a core. A frame whose caller has no address is inlined into the
 * caller.
 *
 * Kept: names, library, file, line and address; the thread's name and LWP as the origin.
 * Dropped: arguments, the variables of "bt full" and other output of gdb and the program.
 * Counted: stacks that gdb cut, malformed frames.
 *
 * Grammar: gdb's stack.c (print_frame), by its output.
 */
#include "input/format.h"
#include "input/formats/dumps/gdb_frame.h"
#include "input/parse/native.h"
#include "input/build/native_stack.h"

enum { MOST_CONTINUED = 200, MOST_TEXT = 1 << 16 };

/* A thread whose line comes again. */
struct gdb_thread {
    struct slice name, tid;
    uint32_t series; /* of its stacks; SERIES_NONE as long as there are none */
};

struct gdb {
    struct builder builder;
    struct native_stack stack;
    struct buf frame;     /* text of the current frame, after its number */
    struct buf reference; /* its name by the rules of stackcollapse-gdb.pl */
    struct buf thread, tid;
    VEC(struct gdb_thread) threads; /* of lines that are met again */
    struct arena texts;             /* theirs */
    uint32_t known;                 /* the thread in hand is this one of them, or NOT_KNOWN */
    unsigned continued;             /* lines that the frame in hand went on for */
    bool in_frame;                  /* there is one that may go on */
    bool in_stack;                  /* frames of a stack were met */
    uint64_t number;                /* of the last frame */
};

/*
 * Lines met before. `depth` of a frame is its number and `entry` the builder's; `context` of a
 * thread is its place among the threads.
 */
enum { GDB_FRAME = 1, GDB_FRAME_ADDRESS, GDB_THREAD };

#define NOT_KNOWN UINT32_MAX

/* ---- stacks -------------------------------------------------------------------------------- */

static void push_known(struct gdb *g, const struct line_meaning *m)
{
    *vec_add(&g->stack.frames) =
        (struct native_frame){.entry = m->entry, .has_address = m->kind == GDB_FRAME_ADDRESS};
}

/* Parses the text of a frame. Returns false if the next line may belong to the frame. */
static bool parse_frame(const struct text *t, const struct gdb *g, struct slice text,
                        struct frame *f)
{
    bool whole = gdb_frame_parse(text, f);

    if (t->options->names == NAMES_REFERENCE)
        *f = (struct frame){.name = buf_slice(&g->reference), .kind = FRAME_PLAIN};
    return whole;
}

/* Adds a frame to the current stack. Returns the meaning of its line if its number is `number`. */
static struct line_meaning push_frame(struct gdb *g, const struct frame *f, uint64_t number)
{
    struct line_meaning meaning = {
        .kind = f->has_address ? GDB_FRAME_ADDRESS : GDB_FRAME,
        .entry = builder_entry(&g->builder, f),
        .depth = (uint32_t)number,
    };

    push_known(g, &meaning);
    if (number > UINT32_MAX)
        meaning.kind = 0;
    return meaning;
}

static void finish_frame(const struct text *t, struct gdb *g)
{
    struct frame f;

    if (!g->in_frame)
        return;
    g->in_frame = false;
    parse_frame(t, g, buf_slice(&g->frame), &f);
    push_frame(g, &f, g->number);
}

/* If gdb shows addresses, a caller without one is the function that the frame is inlined into. */
static void mark_inlined(struct gdb *g)
{
    struct builder *b = &g->builder;
    bool addresses = false;

    vec_each (const struct native_frame, f, &g->stack.frames)
        addresses |= f->has_address;
    for (size_t i = 0; addresses && i + 1 < g->stack.frames.count; i++) {
        struct native_frame *f = &g->stack.frames.items[i];

        f->is_inlined = !f[1].has_address && builder_frame_of(b, f[0].entry).kind == FRAME_NATIVE &&
                        builder_frame_of(b, f[1].entry).kind == FRAME_NATIVE;
    }
}

static uint32_t series_of_thread(struct gdb *g)
{
    struct gdb_thread *known = g->known == NOT_KNOWN ? NULL : &g->threads.items[g->known];
    struct origin origin = {.thread = buf_slice(&g->thread), .tid = buf_slice(&g->tid)};

    if (!known)
        return builder_series(&g->builder, &origin, unit_samples);
    origin.thread = known->name;
    origin.tid = known->tid;
    if (known->series == SERIES_NONE)
        known->series = builder_series(&g->builder, &origin, unit_samples);
    return known->series;
}

static bool finish_stack(const struct text *t, struct gdb *g)
{
    uint32_t series;

    finish_frame(t, g);
    if (!g->in_stack)
        return true;
    g->in_stack = false;
    mark_inlined(g);
    series = series_of_thread(g);
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
    g->known = NOT_KNOWN;
}

/* The thread in hand as one that is met again. */
static void keep_thread(struct text *t, struct gdb *g)
{
    t->meaning.kind = GDB_THREAD;
    t->meaning.context = g->known = (uint32_t)g->threads.count;
    *vec_add(&g->threads) = (struct gdb_thread){
        .name = arena_copy(&g->texts, buf_slice(&g->thread)),
        .tid = arena_copy(&g->texts, buf_slice(&g->tid)),
        .series = SERIES_NONE,
    };
}

/* A frame is there: it begins a stack, or belongs to the one in hand. */
static bool begin_frame(struct text *t, struct gdb *g, uint64_t number)
{
    finish_frame(t, g);
    if (g->in_stack && number <= g->number && !finish_stack(t, g))
        return false;
    if (!g->in_stack && number > 0)
        t->profile->ledger.truncated++;
    g->in_stack = true;
    g->number = number;
    return true;
}

static bool add_frame(struct text *t, struct gdb *g, struct slice text, uint64_t number)
{
    struct frame f;

    if (!begin_frame(t, g, number))
        return false;
    if (t->options->names == NAMES_REFERENCE)
        gdb_frame_reference_name(text, &g->reference);
    text = slice_take(text, MOST_TEXT);
    if (parse_frame(t, g, text, &f)) {
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
    arguments = gdb_frame_split(text, &name, &tail);
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
 * Claims a thread's header that a frame follows, frames 0 and 1 of which one has an
 * address as gdb shows it, or such a frame 0 alone.
 */
static bool gdb_claims(const struct head *head)
{
    struct slice rest = head->bytes, line, name, tail;
    bool thread = false, headed = false, sequence = false, addressed = false;
    uint64_t number, last = 0;

    while (head_line(head, &rest, &line)) {
        struct frame f = {0};

        if (is_thread(line)) {
            thread = headed = true;
            sequence = false;
        }
        /* After a thread's header, "bt -5" begins with a frame other than 0. */
        if (!gdb_frame_take_number(&line, &number) || (number > 0 && !sequence && !headed))
            continue;
        headed = false;
        gdb_frame_take_address(&line, &f);
        if (f.has_address && line.len && gdb_frame_split(line, &name, &tail) == GDB_ARGUMENTS_NONE)
            return false; /* "#0  0x7f12 name": another tool's */
        if (gdb_frame_split(line, &name, &tail) == GDB_ARGUMENTS_NONE && name.ptr[0] != '<')
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
    arena_init(&g->texts);
    g->known = NOT_KNOWN;
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
    if (gdb_frame_take_number(&text, &number))
        return add_frame(t, g, text, number);
    if (is_thread(line)) {
        if (!finish_stack(t, g))
            return false;
        note_thread(g, line);
        if (t->keeps)
            keep_thread(t, g);
    } else if (g->in_stack && (slice_starts(line, SLICE("(More stack frames follow")) ||
                               slice_starts(line, SLICE("Backtrace stopped")))) {
        t->profile->ledger.truncated++;
        return finish_stack(t, g);
    }
    return true;
}

static enum text_again gdb_again(struct text *t, void *state, const struct line_meaning *m)
{
    struct gdb *g = state;

    if (m->kind == GDB_THREAD) {
        if (!finish_stack(t, g))
            return TEXT_FAILED;
        g->known = m->context;
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

    if (g->in_frame && gdb_frame_split(text, &name, &tail) == GDB_ARGUMENTS_OPEN) {
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
    vec_release(&g->threads);
    arena_release(&g->texts);
}

const struct format format_gdb = {
    .name = "gdb",
    .family = FORMAT_LINUX,
    .description = "backtraces of gdb, one or many",
    .recognised = "frames '#0  0x... in NAME (ARGS)' below 'Thread N (...):'",
    .example = "gdb -p PID -batch -ex 'thread apply all bt' >> app.gdb",
    .without_stacks = "run 'thread apply all bt'",
    .claims = gdb_claims,
    .text =
        {
            .state_size = sizeof(struct gdb),
            .begin = gdb_begin,
            .line = gdb_line,
            .again = gdb_again,
            .end = gdb_end,
            .release = gdb_release,
            .starts_record = is_thread,
        },
};
