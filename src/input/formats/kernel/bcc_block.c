#include "input/formats/kernel/bcc_block.h"

#include "input/parse/native.h"

enum { LEAST_INDENT = 2, MOST_INDENT = 8, WEIGHT_INDENT = 4 };

void bcc_block_init(struct bcc_block *b)
{
    *b = (struct bcc_block){0};
    buf_init(&b->text);
}

void bcc_block_release(struct bcc_block *b)
{
    buf_release(&b->text);
    vec_release(&b->lines);
}

void bcc_block_clear(struct bcc_block *b)
{
    buf_clear(&b->text);
    vec_clear(&b->lines);
}

static size_t indent_of(struct slice line)
{
    size_t n = 0;

    while (n < line.len && line.ptr[n] == ' ')
        n++;
    return n;
}

bool bcc_block_fits(struct slice line)
{
    size_t indent = indent_of(line);

    return indent >= LEAST_INDENT && indent <= MOST_INDENT;
}

/*
 * Appends a text without the marks that Python 3 puts around bytes, which tools
 * of some years printed: "b'do_idle'", "-    b'bash' (12)".
 */
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

void bcc_block_add(struct bcc_block *b, struct slice line)
{
    size_t start = b->text.len;

    add_text(&b->text, slice_trim(line));
    *vec_add(&b->lines) = (struct bcc_line){start, b->text.len - start, indent_of(line)};
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

bool bcc_block_is_weight(const struct bcc_block *b, struct slice line)
{
    size_t indent = indent_of(line);

    if (indent != WEIGHT_INDENT && indent != 2 * WEIGHT_INDENT)
        return false;
    if (b->lines.count && indent == 2 * WEIGHT_INDENT &&
        b->lines.items[b->lines.count - 1].indent != WEIGHT_INDENT)
        return false;
    return is_number(slice_trim(line));
}

/* "target:          bash": the name. */
static bool take_label(struct slice text, struct slice label, struct slice *name)
{
    if (!slice_starts(text, label) || (text.len > label.len && text.ptr[label.len] != ' '))
        return false;
    *name = slice_trim(slice_skip(text, label.len));
    return true;
}

/* "-                bash (4018)": what is behind the dash. */
static bool take_process(struct slice text, struct slice *name)
{
    return slice_starts(text, SLICE("-   ")) && take_label(text, SLICE("-"), name) &&
           !slice_equal(*name, SLICE("-"));
}

bool bcc_block_is_wake(const struct bcc_block *b)
{
    struct slice name;
    size_t last = b->lines.count;

    return last-- > 1 && ((take_label(line_text(b, 0), SLICE("target:"), &name) &&
                           take_label(line_text(b, last), SLICE("waker:"), &name)) ||
                          (take_label(line_text(b, 0), SLICE("waker:"), &name) &&
                           take_label(line_text(b, last), SLICE("target:"), &name)));
}

bool bcc_block_is_certain(const struct bcc_block *b)
{
    struct slice name;

    return bcc_block_is_wake(b) ||
           (b->lines.count && b->lines.items[b->lines.count - 1].indent == WEIGHT_INDENT &&
            take_process(line_text(b, b->lines.count - 1), &name));
}

/* ---- frames -------------------------------------------------------------------------------- */

/* The bare address of 8 or 16 digits in front of a name. */
static bool take_bare_address(struct slice *text, uint64_t *address)
{
    size_t len = slice_find(*text, ' ');

    if ((len != 8 && len != 16) || len == text->len ||
        !num_parse_hex(slice_take(*text, len), address))
        return false;
    *text = slice_trim(slice_skip(*text, len));
    return true;
}

/* " [libc.so.6]" or " (/usr/lib/libc.so.6+0x1f)" behind a name. */
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

/* Takes what stands in front of a frame's name off it: "#0", an address. */
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

/* A frame of the class that its section has, if it does not say so itself. */
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
 * Frames from..to-1 as they are printed. What is above a separator is of the
 * kernel where they are leaf first; `class` is for all where it says something.
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

/* The stack in hand is complete; one that is left out need not be kept. */
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

/* Whether the last line is the process, and what it is called. */
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
        builder_name(&w->builder, o->process, FRAME_PLAIN);
    }
    builder_leaf_first(&w->builder);
    add_frames(w, b, 0, frames, SYMBOL_USER);
    return finish(w, o, unit, record);
}

/* ---- wakeuptime and offwaketime ------------------------------------------------------------ */

static bool wakes(struct slice name)
{
    return slice_search(name, SLICE("wak")) < name.len;
}

/* Functions that a kernel stack begins with. */
static bool begins_stacks(struct slice name)
{
    static const char *const starts[] = {
        "entry_",  "ret_from_",  "secondary_startup", "do_syscall", "asm_",
        "xen_do_", "common",     "xen_hypercall",     "start_",     "system_call",
        "page_",   "apic_timer",
    };

    for (size_t i = 0; i < sizeof(starts) / sizeof(starts[0]); i++)
        if (slice_starts(name, slice_str(starts[i])))
            return true;
    return false;
}

/* The name in a line, without an address. */
static struct slice bare_name(const struct bcc_block *b, size_t i)
{
    struct slice text = line_text(b, i);
    struct frame f = {0};

    cut_front(&text, &f);
    return text;
}

/* Waking functions stand at the leaf, system calls at the root. */
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

/* waker;its stack;target */
static bool write_wakeup(struct bcc_writer *w, const struct bcc_block *b, struct origin *o,
                         struct unit unit, struct record *record)
{
    size_t last = b->lines.count - 1;
    struct slice waker;

    take_label(line_text(b, 0), SLICE("target:"), &o->process);
    take_label(line_text(b, last), SLICE("waker:"), &waker);
    w->order = find_order(b, 1, last, w->order);
    builder_name(&w->builder, waker, FRAME_PLAIN);
    if (w->order == BCC_LEAF_FIRST)
        builder_leaf_first(&w->builder);
    add_frames(w, b, 1, last, SYMBOL_USER);
    builder_root_first(&w->builder);
    builder_name(&w->builder, o->process, FRAME_PLAIN);
    return finish(w, o, unit, record);
}

/* The line between the two stacks: "--               --", or one dash where it is old. */
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

/* Takes " 18106" off a name; since the middle is "--" a process's number follows it. */
static void cut_bare_pid(struct slice *name, struct slice *pid)
{
    size_t at = slice_find_last(*name, ' ');

    if (at >= name->len || !is_number(slice_skip(*name, at + 1)))
        return;
    *pid = slice_skip(*name, at + 1);
    *name = slice_trim(slice_take(*name, at));
}

/* target;its stack;--;the waker's stack from the leaf on;waker */
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
    builder_name(&w->builder, o->process, FRAME_PLAIN);
    builder_leaf_first(&w->builder);
    if (middle < last)
        add_frames(w, b, middle + 1, last, SYMBOL_USER);
    builder_root_first(&w->builder);
    add_separator(w, old && plain ? SLICE("-") : SLICE("--"));
    builder_leaf_first(&w->builder);
    builder_frame(&w->builder, &(struct frame){.name = waker, .kind = FRAME_PLAIN, .class = class});
    add_frames(w, b, 1, middle < last ? middle : last, class);
    return finish(w, o, unit, record);
}

bool bcc_block_write(struct bcc_writer *w, const struct bcc_block *b, struct slice event,
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
