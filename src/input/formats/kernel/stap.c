/*
 * Reader of SystemTap's stacks, printed one by one or from an aggregate, each with a count.
 *
 *      0xffffffff81c0a1d7 : futex_wait_queue+0x67/0xb0 [kernel]
 *      0xffffffffc03f1b22 : xfs_buf_iowait+0x42/0xf0 [xfs] (inexact)
 *      0x7f2b1c6891aa [/usr/lib64/libc.so.6+0x891aa/0x1d8000]
 *      0x0
 *             31
 *
 * Frames are leaf first, as print_backtrace(), print_ubacktrace() and
 * print_stack() write them; a line of digits is the count and ends the stack.
 * Blank lines are ignored. A line of other text directly before the frames is
 * a key that the script printed; it becomes the root frame. Other text inside
 * a stack is skipped with a warning, and so is a stack without a count; text
 * outside of stacks is ignored. The output does not tell what is counted:
 * samples.
 *
 * Source: SystemTap's tapset and runtime (sym.c), stackcollapse-stap.pl.
 */
#include "base/ascii.h"
#include "base/num.h"
#include "input/build/sample.h"
#include "input/format.h"

/* The scratch buffer has, between stacks, the text directly before the next one. */
struct stap {
    struct sample sample;
    uint64_t line; /* line number of the first frame */
};

/* Meaning of a repeated line with a count. */
enum { STAP_COUNT = SAMPLE_KINDS };

/* The parts of a frame's line. */
struct stap_frame {
    uint64_t address;
    struct slice symbol, module; /* module without brackets */
};

/* Takes "+0x1f/0x80" off the end. Returns false if the text has no such end. */
static bool cut_offset(struct slice *s)
{
    size_t plus = slice_find_last(*s, '+');
    struct slice offset = slice_skip(*s, plus + 1);
    size_t slash = slice_find(offset, '/');

    if (!slice_starts(offset, SLICE("0x")) ||
        !slice_starts(slice_skip(offset, slash), SLICE("/0x")))
        return false;
    *s = slice_take(*s, plus);
    return true;
}

/*
 * "0x7fa4 : symbol+0x1/0x2 [module] (inexact)", of which parts may be missing.
 * Returns false for any other line.
 */
static bool parse_frame(struct slice s, struct stap_frame *f)
{
    const struct slice inexact = SLICE(" (inexact)"), colon = SLICE(" : ");
    size_t n = 2, open;

    *f = (struct stap_frame){0};
    if (!slice_starts(s, SLICE("0x")))
        return false;
    while (n < s.len && ascii_is_hex(s.ptr[n]))
        n++;
    if (!num_parse_hex(slice_skip(slice_take(s, n), 2), &f->address))
        return false;
    s = slice_skip(s, n);
    if (!s.len)
        return true;
    if (s.ptr[0] != ' ')
        return false;
    if (slice_ends(s, inexact))
        s = slice_take(s, s.len - inexact.len);
    open = slice_find_last(s, '[');
    if (slice_ends(s, SLICE("]")) && open < s.len) {
        f->module = slice_skip(slice_take(s, s.len - 1), open + 1);
        s = slice_trim_right(slice_take(s, open));
    }
    if (!s.len)
        return cut_offset(&f->module);
    if (!slice_starts(s, colon))
        return false;
    f->symbol = slice_skip(s, colon.len);
    return cut_offset(&f->symbol) || f->module.len > 0;
}

static bool is_count(struct slice s)
{
    for (size_t i = 0; i < s.len; i++)
        if (s.ptr[i] < '0' || s.ptr[i] > '9')
            return false;
    return s.len > 0;
}

/* Returns stackcollapse-stap.pl's name: the text after " : ", up to the last "+". */
static struct slice reference_name(struct slice text)
{
    const struct slice colon = SLICE(" : ");
    size_t at;

    text = slice_take(text, slice_find_last(text, '+'));
    while ((at = slice_search(text, colon)) < text.len)
        text = slice_skip(text, at + colon.len);
    return text.len ? text : SLICE("-");
}

/* Opens a stack, unless one is open; the text before it becomes the root frame. */
static bool open_stack(struct text *t, struct stap *s)
{
    if (s->sample.open)
        return true;
    s->line = t->line;
    return sample_open(&s->sample, buf_slice(&s->sample.scratch));
}

static bool add_frame(struct text *t, struct stap *s, struct slice text,
                      const struct stap_frame *parsed)
{
    struct frame f = {.name = parsed->symbol,
                      .module = parsed->module,
                      .address = parsed->address,
                      .has_address = true};
    struct buf *module = &s->sample.scratch;

    if (!open_stack(t, s))
        return false;
    if (sample_is_reference(&s->sample)) {
        f = (struct frame){.name = reference_name(text), .kind = FRAME_PLAIN};
    } else if (f.module.len && f.module.ptr[0] != '/') {
        /* Kernel modules are written "[module]" in other formats. */
        buf_clear(module);
        buf_printf(module, "[%.*s]", SLICE_ARG(parsed->module));
        f.module = buf_slice(module);
    }
    sample_frame_line(&s->sample, t, &f);
    return true;
}

/* Closes the stack with its count. A count without frames is an empty stack. */
static bool close_stack(struct text *t, struct stap *s, uint64_t count)
{
    bool ok = open_stack(t, s);

    s->sample.weight.value = count;
    buf_clear(&s->sample.scratch);
    return ok && sample_close(&s->sample);
}

static bool read_count(struct text *t, struct stap *s, struct slice digits)
{
    uint64_t count;

    if (!num_parse_u64(digits, &count)) {
        sample_drop(&s->sample);
        buf_clear(&s->sample.scratch);
        return text_skip(t, "stack with a count beyond 64 bits skipped");
    }
    t->meaning = (struct line_meaning){.kind = STAP_COUNT, .weight = {.value = count}};
    return close_stack(t, s, count);
}

/* A message of stap itself, if stderr went to the same file. */
static bool is_message(struct slice line)
{
    return slice_starts(line, SLICE("WARNING: ")) || slice_starts(line, SLICE("ERROR: "));
}

static bool stap_line(struct text *t, void *state, struct slice line)
{
    struct stap *s = state;
    struct stap_frame frame;

    line = slice_trim(line);
    if (parse_frame(line, &frame))
        return add_frame(t, s, line, &frame);
    if (is_count(line))
        return read_count(t, s, line);
    if (s->sample.open)
        return !line.len || is_message(line) ||
               text_skip_line(t, "not a frame, but inside a stack", line);
    buf_clear(&s->sample.scratch);
    if (!is_message(line))
        buf_add_slice(&s->sample.scratch, line);
    return true;
}

static enum text_again stap_again(struct text *t, void *state, const struct line_meaning *m)
{
    if (m->kind == STAP_COUNT)
        return close_stack(t, state, m->weight.value) ? TEXT_DONE : TEXT_FAILED;
    return open_stack(t, state) ? sample_again(t, state, m) : TEXT_FAILED;
}

static bool stap_end(struct text *t, void *state)
{
    const struct stap *s = state;

    t->line = s->line;
    return !s->sample.open || text_skip(t, "stack without a count skipped");
}

/* Requires frames with modules, followed by a count. */
static bool stap_claims(const struct head *head)
{
    enum { LEAST_FRAMES = 12 };
    size_t frames = 0;

    head_each (line, head) {
        struct stap_frame f;

        line = slice_trim(line);
        if (frames && is_count(line))
            return true;
        if (parse_frame(line, &f) && f.module.len)
            frames++;
    }
    return !head->whole && frames >= LEAST_FRAMES;
}

const struct format format_stap = {
    .name = "systemtap",
    .family = FORMAT_LINUX,
    .description = "SystemTap's stacks, each with a count",
    .recognised = "lines of '0xADDRESS : symbol+0xOFFSET/0xSIZE [module]', then a number",
    .example =
        "stap -e 'global s; probe timer.profile { s[backtrace()] <<< 1 } probe end { "
        "foreach (b in s) { print_stack(b); printf(\"\\t%d\\n\", @count(s[b])) } }' > app.stap",
    .without_stacks = "print the stack before its count: print_stack(b)",
    .needs = "0x",
    .claims = stap_claims,
    .text = {SAMPLE_LINES(stap, SAMPLE_STATE(struct stap)), .again = stap_again, .end = stap_end},
};
