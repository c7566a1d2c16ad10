/*
 * Reader of the stacks that bcc's tools print: profile, offcputime, wakeuptime,
 * offwaketime, stackcount, fileiostacks, biostacks and others.
 *
 *     Tracing off-CPU time (us) of all threads by user + kernel stack...
 *
 *         schedule                          frames, leaf first
 *         --                                between kernel and user stack, with -d
 *         main
 *         -                bash (4018)      the process; older tools print "    bash"
 *             1305                          the weight, indented more
 *
 * stackcount indents frames by 2 and other lines by 4.
 *
 * wakeuptime prints "target: NAME" (the sleeper), the waker's stack and
 * "waker: NAME". Some versions print the stack root first; the position of
 * functions that wake tells the order. The result is waker;stack;target.
 * offwaketime prints the waker, its stack root first, "--" (older versions:
 * "-"), the sleeper's stack leaf first and the sleeper. The result is
 * target;stack;--;waker's stack, leaf first;waker.
 *
 * A frame's name may have "#N" or an address before it and "+0x1f" or a module
 * after it. Processes are root frames. The unit is the one in parentheses in
 * the tool's first line; wakeuptime and offwaketime always print microseconds.
 * The ledger counts weights without stacks, stacks without weights, unknown
 * lines, and stacks that the tool says it lost.
 *
 * Source: the print statements of the tools in github.com/iovisor/bcc.
 */
#include "input/build/builder.h"
#include "base/ascii.h"
#include "input/format.h"
#include "input/parse/native.h"
#include "input/parse/records.h"

/* ---- blocks -------------------------------------------------------------------------------- */

struct bcc_line {
    size_t start, len; /* range of bcc_block.text */
    size_t indent;
};

/* One stack: the indented lines before its weight. */
struct bcc_block {
    struct buf text;
    VEC(struct bcc_line) lines;
};

/* Which frames the tool's first line announces. */
enum bcc_frames {
    BCC_MIXED, /* kernel and user, or unknown */
    BCC_KERNEL,
};

/* The order of a waker's stack in wakeuptime. */
enum bcc_order {
    BCC_LEAF_FIRST,
    BCC_ROOT_FIRST,
};

struct bcc_writer {
    struct builder builder;
    const struct input_options *options;
    struct profile *profile;
    struct unit unit; /* named by the tool */
    enum bcc_frames frames;
    enum bcc_order order; /* of the last waker's stack */
};

enum { LEAST_INDENT = 2, MOST_INDENT = 8, WEIGHT_INDENT = 4 };

static void bcc_block_release(struct bcc_block *b)
{
    release_each(b, (buf, text), (vec, lines));
}

static void bcc_block_clear(struct bcc_block *b)
{
    buf_clear(&b->text);
    vec_clear(&b->lines);
}

/* Whether a line that is not blank is indented as a line of a block. */
static bool bcc_block_fits(struct slice line)
{
    size_t indent = slice_lead(line, ' ');

    return indent >= LEAST_INDENT && indent <= MOST_INDENT;
}

/* Appends a text without Python's b'...', which older tools print: "-    b'bash' (12)". */
static void add_text(struct buf *out, struct slice text)
{
    size_t open = slice_starts(text, SLICE("b'")) ? 0 : slice_search(text, SLICE(" b'")) + 1;
    size_t close = slice_find_last(text, '\'');

    if (open >= text.len || close == text.len || close < open + 2) {
        buf_add_slice(out, text);
        return;
    }
    buf_add_slice(out, slice_take(text, open));
    buf_add_slice(out, slice_skip(slice_take(text, close), open + 2));
    buf_add_slice(out, slice_skip(text, close + 1));
}

static void bcc_block_add(struct bcc_block *b, struct slice line)
{
    size_t start = b->text.len;

    add_text(&b->text, slice_trim(line));
    *vec_add(&b->lines) = (struct bcc_line){start, b->text.len - start, slice_lead(line, ' ')};
}

static struct slice line_text(const struct bcc_block *b, size_t i)
{
    return slice_make(b->text.ptr + b->lines.items[i].start, b->lines.items[i].len);
}

static bool is_number(struct slice text)
{
    struct slice digits;

    return native_take_number(&text, &digits) && !text.len;
}

/* Whether the line is the weight that ends a block; the block may have no other line. */
static bool bcc_block_is_weight(const struct bcc_block *b, struct slice line)
{
    size_t indent = slice_lead(line, ' ');

    if (indent != WEIGHT_INDENT && indent != 2 * WEIGHT_INDENT)
        return false;
    if (b->lines.count && indent == 2 * WEIGHT_INDENT &&
        b->lines.items[b->lines.count - 1].indent != WEIGHT_INDENT)
        return false;
    return is_number(slice_trim(line));
}

/* "target:          bash": stores the name. Returns false if the label is another. */
static bool take_label(struct slice text, struct slice label, struct slice *name)
{
    if (!slice_starts(text, label) || (text.len > label.len && text.ptr[label.len] != ' '))
        return false;
    *name = slice_trim(slice_skip(text, label.len));
    return true;
}

/* "-                bash (4018)": stores the text after the dash. */
static bool take_process(struct slice text, struct slice *name)
{
    return slice_starts(text, SLICE("-   ")) && take_label(text, SLICE("-"), name) &&
           !slice_equal(*name, SLICE("-"));
}

/* Whether the block is from wakeuptime or offwaketime. */
static bool bcc_block_is_wake(const struct bcc_block *b)
{
    struct slice name;
    size_t last = b->lines.count;

    return last-- > 1 && ((take_label(line_text(b, 0), SLICE("target:"), &name) &&
                           take_label(line_text(b, last), SLICE("waker:"), &name)) ||
                          (take_label(line_text(b, 0), SLICE("waker:"), &name) &&
                           take_label(line_text(b, last), SLICE("target:"), &name)));
}

/* Whether the block has a line that only bcc's tools print. */
static bool bcc_block_is_certain(const struct bcc_block *b)
{
    struct slice name;

    return bcc_block_is_wake(b) ||
           (b->lines.count && b->lines.items[b->lines.count - 1].indent == WEIGHT_INDENT &&
            take_process(line_text(b, b->lines.count - 1), &name));
}

/* ---- frames -------------------------------------------------------------------------------- */

/* Takes an address of 8 or 16 digits, without "0x", off the front of a frame. */
static bool take_bare_address(struct slice *text, uint64_t *address)
{
    size_t len = slice_find(*text, ' ');

    if ((len != 8 && len != 16) || len == text->len ||
        !num_parse_hex(slice_take(*text, len), address))
        return false;
    *text = slice_trim(slice_skip(*text, len));
    return true;
}

/* Takes the module after a name off: " [libc.so.6]" or " (/usr/lib/libc.so.6+0x1f)". */
static void cut_module(struct slice *text, struct slice *module)
{
    size_t at = slice_find_last(*text, ' ');
    struct slice word = slice_skip(*text, at + 1);
    bool brackets = slice_starts(word, SLICE("[")) && slice_ends(word, SLICE("]"));
    bool path = (slice_starts(word, SLICE("(/")) || slice_starts(word, SLICE("(["))) &&
                slice_ends(word, SLICE(")"));

    if (at == 0 || at >= text->len || word.len < 3 || (!brackets && !path))
        return;
    *module = slice_make(word.ptr + 1, word.len - 2);
    *text = slice_trim(slice_take(*text, at));
}

/* Takes "#0" and an address off the front of a frame. */
static void cut_front(struct slice *text, struct frame *f)
{
    struct slice rest = slice_skip(*text, 1), digits;

    if (slice_starts(*text, SLICE("#")) && native_take_number(&rest, &digits) &&
        slice_starts(rest, SLICE(" ")))
        *text = slice_trim(rest);
    rest = *text;
    if (native_take_address(&rest, &f->address) && (!rest.len || rest.ptr[0] == ' ')) {
        f->has_address = true;
        *text = slice_trim(rest);
    } else {
        f->has_address = take_bare_address(text, &f->address);
    }
}

/* Adds a frame; `class` applies unless the frame's suffix "_[k]" names its own. */
static void add_frame(struct bcc_writer *w, struct slice text, enum symbol_class class)
{
    struct frame f = {.kind = FRAME_NATIVE, .class = class};

    cut_front(&text, &f);
    f.name = text;
    if (w->options->names == NAMES_REFERENCE) {
        f.kind = FRAME_PLAIN;
    } else if (slice_starts(text, SLICE("[Missed ")) || slice_starts(text, SLICE("<stack"))) {
        w->profile->ledger.truncated++;
        f.kind = FRAME_PLAIN;
    } else {
        if (slice_ends(f.name, SLICE("_[k]"))) {
            f.name.len -= strlen("_[k]");
            f.class = SYMBOL_KERNEL;
        }
        cut_module(&f.name, &f.module);
    }
    builder_frame(&w->builder, &f);
}

static void add_separator(struct bcc_writer *w, struct slice text)
{
    builder_frame(&w->builder, &(struct frame){
                                   .name = text,
                                   .kind = FRAME_PLAIN,
                                   .class = SYMBOL_SEPARATOR,
                               });
}

static bool is_separator(struct slice text)
{
    return slice_equal(text, SLICE("-")) || slice_equal(text, SLICE("--"));
}

/*
 * Adds the lines from..to-1 as frames, in printed order. `class` applies to all
 * of them; if it is SYMBOL_USER, frames above a separator are the kernel's.
 */
static void add_frames(struct bcc_writer *w, const struct bcc_block *b, size_t from, size_t to,
                       enum symbol_class class)
{
    enum symbol_class here = class;
    bool separated = false;

    for (size_t i = from; i < to; i++)
        separated |= is_separator(line_text(b, i));
    if (class == SYMBOL_USER && (separated || w->frames == BCC_KERNEL))
        here = SYMBOL_KERNEL;
    for (size_t i = from; i < to; i++) {
        struct slice text = line_text(b, i);

        if (is_separator(text)) {
            add_separator(w, SLICE("-"));
            here = class;
        } else {
            add_frame(w, text, here);
        }
    }
}

/* Stores series and stack of the complete stack. Samples left out by options need no stack. */
static bool finish(struct bcc_writer *w, const struct origin *o, struct unit unit,
                   struct record *record)
{
    record->series = builder_series(&w->builder, o, unit);
    record->stack = STACK_ROOT;
    return record->series == BUILDER_LEFT_OUT || builder_stack(&w->builder, &record->stack);
}

/* ---- profile, offcputime, stackcount, fileiostacks ----------------------------------------- */

/* Takes " (4018)" or " [4018]" off a process's name. */
static void cut_pid(struct slice *name, struct slice *pid)
{
    size_t at = slice_find_last(*name, ' ');
    struct slice word = at < name->len ? slice_skip(*name, at + 1) : *name;
    struct slice digits;

    if (word.len < 3 || (word.ptr[0] != '(' && word.ptr[0] != '['))
        return;
    digits = slice_make(word.ptr + 1, word.len - 2);
    if (!is_number(digits))
        return;
    *pid = digits;
    *name = slice_trim(slice_take(*name, name->len - word.len));
}

/* Reads the process from the last line. Returns false if that line is a frame. */
static bool find_process(const struct bcc_block *b, bool narrow, struct origin *o)
{
    size_t last = b->lines.count;
    struct slice text;

    if (!last--)
        return false;
    text = line_text(b, last);
    if (!take_process(text, &o->process)) {
        if (is_separator(text) || (narrow && b->lines.items[last].indent != WEIGHT_INDENT))
            return false;
        o->process = text;
    }
    cut_pid(&o->process, &o->pid);
    return true;
}

static bool write_plain(struct bcc_writer *w, const struct bcc_block *b, struct origin *o,
                        struct unit unit, struct record *record)
{
    bool narrow = b->lines.count && b->lines.items[0].indent == LEAST_INDENT;
    size_t frames = b->lines.count;

    if (find_process(b, narrow, o)) {
        frames--;
        builder_name(&w->builder, o->process, FRAME_OWNER);
    }
    builder_leaf_first(&w->builder);
    add_frames(w, b, 0, frames, SYMBOL_USER);
    return finish(w, o, unit, record);
}

/* ---- wakeuptime and offwaketime ------------------------------------------------------------ */

static bool wakes(struct slice name)
{
    return slice_has(name, SLICE("wak"));
}

/* Whether a function is at the root of kernel stacks. */
static bool begins_stacks(struct slice name)
{
    return slice_starts_any(name, "entry_", "ret_from_", "secondary_startup", "do_syscall", "asm_",
                            "xen_do_", "common", "xen_hypercall", "start_", "system_call", "page_",
                            "apic_timer");
}

/* Returns the name in line `i`, without an address. */
static struct slice bare_name(const struct bcc_block *b, size_t i)
{
    struct slice text = line_text(b, i);
    struct frame f = {0};

    cut_front(&text, &f);
    return text;
}

/* Finds the order of a stack: functions that wake are leaves, entry functions are roots. */
static enum bcc_order find_order(const struct bcc_block *b, size_t from, size_t to,
                                 enum bcc_order otherwise)
{
    struct slice first, last;

    if (to - from < 2)
        return otherwise;
    first = bare_name(b, from);
    last = bare_name(b, to - 1);
    if (wakes(first) != wakes(last))
        return wakes(last) ? BCC_ROOT_FIRST : BCC_LEAF_FIRST;
    if (begins_stacks(first) != begins_stacks(last))
        return begins_stacks(first) ? BCC_ROOT_FIRST : BCC_LEAF_FIRST;
    return otherwise;
}

/* Writes waker;stack;target. */
static bool write_wakeup(struct bcc_writer *w, const struct bcc_block *b, struct origin *o,
                         struct unit unit, struct record *record)
{
    size_t last = b->lines.count - 1;
    struct slice waker;

    take_label(line_text(b, 0), SLICE("target:"), &o->process);
    take_label(line_text(b, last), SLICE("waker:"), &waker);
    w->order = find_order(b, 1, last, w->order);
    builder_name(&w->builder, waker, FRAME_OWNER);
    if (w->order == BCC_LEAF_FIRST)
        builder_leaf_first(&w->builder);
    add_frames(w, b, 1, last, SYMBOL_USER);
    builder_root_first(&w->builder);
    builder_name(&w->builder, o->process, FRAME_OWNER);
    return finish(w, o, unit, record);
}

/* Finds the line between the two stacks: "--               --", or "-" in older versions. */
static size_t find_middle(const struct bcc_block *b, bool *old)
{
    for (size_t i = 0; i < b->lines.count; i++) {
        struct slice text = line_text(b, i), word;

        if (!slice_word(&text, &word) || !is_separator(word))
            continue;
        if (!slice_equal(slice_trim(text), word))
            continue;
        *old = word.len == 1;
        return i;
    }
    return b->lines.count;
}

/* Takes the pid, " 18106", off a name; versions that print "--" print it. */
static void cut_bare_pid(struct slice *name, struct slice *pid)
{
    size_t at = slice_find_last(*name, ' ');

    if (at >= name->len || !is_number(slice_skip(*name, at + 1)))
        return;
    *pid = slice_skip(*name, at + 1);
    *name = slice_trim(slice_take(*name, at));
}

/* Writes target;stack;--;waker's stack, leaf first;waker. */
static bool write_offwake(struct bcc_writer *w, const struct bcc_block *b, struct origin *o,
                          struct unit unit, struct record *record)
{
    bool old = false, plain = w->options->names == NAMES_REFERENCE;
    size_t last = b->lines.count - 1, middle = find_middle(b, &old);
    enum symbol_class class = plain ? SYMBOL_USER : SYMBOL_WAKER;
    struct slice waker, pid;

    take_label(line_text(b, 0), SLICE("waker:"), &waker);
    take_label(line_text(b, last), SLICE("target:"), &o->process);
    if (!old) {
        cut_bare_pid(&waker, &pid);
        cut_bare_pid(&o->process, &o->pid);
    }
    builder_name(&w->builder, o->process, FRAME_OWNER);
    builder_leaf_first(&w->builder);
    if (middle < last)
        add_frames(w, b, middle + 1, last, SYMBOL_USER);
    builder_root_first(&w->builder);
    add_separator(w, old && plain ? SLICE("-") : SLICE("--"));
    builder_leaf_first(&w->builder);
    builder_frame(&w->builder, &(struct frame){.name = waker, .kind = FRAME_OWNER, .class = class});
    add_frames(w, b, 1, middle < last ? middle : last, class);
    return finish(w, o, unit, record);
}

/* Finds the block's stack and the event's series. Returns false after reporting an error. */
static bool bcc_block_write(struct bcc_writer *w, const struct bcc_block *b, struct slice event,
                            struct unit unit, struct record *record)
{
    struct origin o = {.event = event};
    struct slice name;

    builder_begin(&w->builder);
    if (!bcc_block_is_wake(b))
        return write_plain(w, b, &o, unit, record);
    if (take_label(line_text(b, 0), SLICE("target:"), &name))
        return write_wakeup(w, b, &o, unit, record);
    return write_offwake(w, b, &o, unit, record);
}

/* ---- the reader ---------------------------------------------------------------------------- */

struct bcc {
    struct bcc_block block;
    struct bcc_writer writer;
    struct unit first_unit;
    bool has_unit;
    struct records records;
    struct slice text; /* lines of the current record before its weight; empty if not contiguous */
};

/* ---- lines outside of stacks --------------------------------------------------------------- */

/* "of all threads by kernel stack" */
static enum bcc_frames named_frames(struct slice line)
{
    bool kernel = slice_has(line, SLICE("kernel"));
    bool user = slice_has(line, SLICE("user"));

    if (!slice_has(line, SLICE(" by ")) || kernel == user)
        return BCC_MIXED;
    return kernel ? BCC_KERNEL : BCC_MIXED;
}

/* The first line of a tool: "Tracing off-CPU time (us) ...", "Sampling at 49 Hertz ...". */
static bool is_header(struct slice line)
{
    return (slice_starts(line, SLICE("Tracing ")) || slice_starts(line, SLICE("Sampling "))) &&
           (slice_has(line, SLICE("Hit Ctrl-C")) || slice_has(line, SLICE(" stack")));
}

static struct unit header_unit(struct slice line)
{
    static const char *const units[] = {"(us)", "(ms)", "(ns)", "(bytes)"};

    for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
        if (slice_has(line, slice_str(units[i])))
            return unit_named(slice_make(units[i] + 1, strlen(units[i]) - 2));
    if (slice_has(line, SLICE(" functions for ")))
        return unit_named(SLICE("calls"));
    return unit_samples;
}

static void read_header(struct text *t, struct bcc *s, struct slice line)
{
    enum bcc_frames frames = named_frames(line);
    struct unit unit = header_unit(line);

    if (frames != s->writer.frames || !unit_is_same(&unit, &s->writer.unit))
        records_clear(&s->records);
    s->writer.unit = unit;
    s->writer.frames = frames;
    line = slice_take(line, slice_search(line, SLICE(" Hit Ctrl-C")));
    while (slice_ends(line, SLICE(".")))
        line.len--;
    profile_add_fact(t->profile, SLICE("recording"), line);
}

/* "06:05:13", the start of an interval. */
static bool is_time(struct slice line)
{
    if (line.len < 8 || line.ptr[2] != ':' || line.ptr[5] != ':')
        return false;
    for (size_t i = 0; i < 8; i++)
        if (line.ptr[i] != ':' && (line.ptr[i] < '0' || line.ptr[i] > '9'))
            return false;
    return true;
}

/* "WARNING: 8 stack traces could not be displayed." */
static bool read_loss(struct text *t, struct slice line)
{
    uint64_t lost;
    struct slice word;

    if (!slice_starts(line, SLICE("WARNING")))
        return false;
    slice_word(&line, &word);
    if (slice_word(&line, &word) && num_parse_u64(word, &lost))
        t->profile->ledger.lost += lost;
    return true;
}

static bool is_noise(struct slice line)
{
    return slice_equal(line, SLICE("[...]")) || slice_equal(line, SLICE("...")) ||
           slice_equal(line, SLICE("^C")) || slice_starts(line, SLICE("Detaching")) ||
           slice_starts(line, SLICE("Tracing ")) || slice_starts(line, SLICE("Sampling ")) ||
           slice_starts(line, SLICE("Consider increasing")) || is_time(line);
}

static void drop_block(struct text *t, struct bcc_block *block)
{
    if (!block->lines.count)
        return;
    text_skip(t, "stack without a weight skipped");
    bcc_block_clear(block);
}

/* ---- recognition --------------------------------------------------------------------------- */

struct survey {
    size_t lines, in_blocks; /* lines that are not blank; those of complete blocks */
    size_t blocks, certain;  /* complete blocks; those that only bcc's tools print */
    bool header;
};

static void survey_line(struct survey *s, struct bcc_block *block, struct slice line)
{
    struct slice text = slice_trim(line);

    s->lines += text.len > 0;
    s->header |= is_header(line);
    if (bcc_block_is_weight(block, line)) {
        s->blocks++;
        s->in_blocks += block->lines.count + 1;
        s->certain += bcc_block_is_certain(block);
        bcc_block_clear(block);
    } else if (text.len && bcc_block_fits(line)) {
        bcc_block_add(block, line);
    } else {
        bcc_block_clear(block);
    }
}

/* Whether the content is JSON; "[unknown]" is a frame. */
static bool is_list(const struct head *head)
{
    struct slice rest = slice_trim_left(head->bytes), line;

    return head_line(head, &rest, &line) &&
           (slice_equal(line, SLICE("[")) || slice_equal(line, SLICE("{")));
}

/*
 * Requires a block that only bcc's tools print, any block after a tool's first
 * line, or at least two blocks that make up nine tenths of all lines.
 */
static bool bcc_claims(const struct head *head)
{
    struct slice rest = head->bytes, line;
    struct bcc_block block = {0};
    struct survey s = {0};

    if (slice_find(head->bytes, '\0') < head->bytes.len || is_list(head))
        return false;
    while (!s.certain && head_line(head, &rest, &line))
        survey_line(&s, &block, line);
    bcc_block_release(&block);
    return s.certain || (s.header && s.blocks) || (s.blocks > 1 && s.in_blocks * 10 >= s.lines * 9);
}

/* ---- reading ------------------------------------------------------------------------------- */

static bool bcc_begin(struct text *t, void *state)
{
    struct bcc *s = state;

    s->writer = (struct bcc_writer){.options = t->options, .profile = t->profile};
    s->writer.unit = unit_samples;
    builder_init(&s->writer.builder, t->profile, t->options, t->diag);
    return true;
}

/* Returns the event of weights in `unit`; each unit but the first has its own series. */
static struct slice name_event(struct bcc *s, struct unit unit)
{
    if (!s->has_unit)
        s->first_unit = unit;
    s->has_unit = true;
    return unit_is_same(&unit, &s->first_unit) ? SLICE("") : unit_word(&unit);
}

static bool write_block(struct text *t, struct bcc *s, uint64_t weight)
{
    bool wake = bcc_block_is_wake(&s->block);
    struct unit unit = wake ? unit_named(SLICE("us")) : s->writer.unit;
    uint64_t truncated = t->profile->ledger.truncated;
    struct record record;

    if (!bcc_block_write(&s->writer, &s->block, name_event(s, unit), unit, &record))
        return false;
    /* The order of a waker's stack may depend on earlier ones, so it is not cached. */
    if (s->text.len && !wake && t->profile->ledger.truncated == truncated)
        records_add(&s->records, s->text, record);
    s->text = SLICE("");
    bcc_block_clear(&s->block);
    return builder_add_at(&s->writer.builder, record.series, record.stack,
                          (struct decimal){.value = weight});
}

static bool read_line(struct text *t, void *state, struct slice line)
{
    struct bcc *s = state;
    uint64_t weight;

    if (slice_starts(line, SLICE("^C")))
        line = slice_skip(line, 2);
    line = slice_trim_right(line);
    if (bcc_block_is_weight(&s->block, line)) {
        if (num_parse_u64(slice_trim(line), &weight))
            return write_block(t, s, weight);
        text_skip(t, "the weight exceeds 64 bits; stack skipped");
        bcc_block_clear(&s->block);
    } else if (line.len && bcc_block_fits(line)) {
        bcc_block_add(&s->block, line);
    } else if (!line.len) {
        drop_block(t, &s->block);
    } else if (is_header(line)) {
        read_header(t, s, line);
    } else if (!read_loss(t, line) && !is_noise(line)) {
        drop_block(t, &s->block);
        return text_skip_line(t, "neither an indented frame nor a weight", line);
    }
    return true;
}

/*
 * Finds the weight of the record that begins at `p`, of indented lines only.
 * Returns the number of bytes before its digits, 0 if there is no weight.
 */
static size_t find_weight(const char *p, const char *end, uint64_t *lines)
{
    const char *start = p;

    for (*lines = 1; p < end && *p == ' '; ++*lines) {
        const char *lf = memchr(p, '\n', (size_t)(end - p)), *digits;

        while (*p == ' ')
            p++;
        for (digits = p; ascii_is_digit(*digits);)
            digits++;
        if (digits > p && digits == lf)
            return (size_t)(p - start);
        p = lf + 1;
    }
    return 0;
}

/*
 * Adds the record that begins at `*p` if its text is cached, and moves `*p` to
 * its end. Otherwise returns false and keeps the text for write_block().
 */
static bool read_known(struct text *t, void *state, const char **p, const char *end, bool *ok)
{
    enum { SAFE_DIGITS = 19 };
    struct bcc *s = state;
    uint64_t lines, weight = 0;
    size_t len, digits = 0;
    const struct record *record;

    if (s->block.lines.count)
        return false;
    s->text = SLICE("");
    if (**p != ' ')
        return false;
    len = find_weight(*p, end, &lines);
    s->text = slice_make(*p, len);
    record = len ? records_find(&s->records, s->text) : NULL;
    if (!record)
        return false;
    for (const char *at = *p + len; at[digits] != '\n'; digits++)
        weight = weight * 10 + (uint64_t)(at[digits] - '0');
    if (digits > SAFE_DIGITS)
        return false;
    t->line += lines;
    *p += len + digits + 1;
    *ok = builder_add_at(&s->writer.builder, record->series, record->stack,
                         (struct decimal){.value = weight});
    return true;
}

static bool bcc_lines(struct text *t, void *state, struct slice block)
{
    static const struct records_reader reader = {read_known, read_line};
    struct bcc *s = state;
    bool ok = records_read(&reader, t, s, block);

    s->text = SLICE(""); /* it points into the block */
    return ok;
}

static bool bcc_end(struct text *t, void *state)
{
    struct bcc *s = state;

    drop_block(t, &s->block);
    return true;
}

STATE_RELEASE(bcc, (bcc_block, block), (records, records), (builder, writer.builder));

const struct format format_bcc = {
    .name = "bcc",
    .family = FORMAT_LINUX,
    .description = "bcc's tools: profile, offcputime, wakeuptime, offwaketime, stackcount, ...",
    .recognised = "indented frames, the process, and the weight, indented more",
    .example = "/usr/share/bcc/tools/offcputime 30 > app.offcpu",
    .without_stacks = "record kernel or user stacks; without -K and -U the tools record both",
    .claims = bcc_claims,
    .text = {TEXT_BLOCK_READER(bcc)},
};
