/*
 * Stacks of single events that bcc's trace prints with -K or -U, and of mallocstacks.
 *
 *     PID     TID     COMM            FUNC
 *     4711    4711    shop            do_sys_open
 *             do_sys_open+0x1 [kernel]
 *             main+0x30 [shop]
 *
 *     380928 bytes allocated at:
 *             EPollSelectorImpl_constructor+0x303
 *             main+0x10
 *
 * Leaf first. A row of trace may begin with a time (-t, -T) and a CPU (-C) and end in what the
 * probe prints. It weighs 1; its function is the event, and its process the first frame. A stack
 * of mallocstacks weighs its bytes. Kept: names and modules. Counted: malformed rows, stacks
 * without frames.
 *
 * Source: tools/trace.py and examples/tracing/mallocstacks.py in github.com/iovisor/bcc.
 */
#include "base/num.h"
#include "input/build/sample.h"
#include "input/format.h"
#include "input/parse/native.h"

struct heading {
    unsigned before;          /* columns before PID */
    size_t process, function; /* where COMM and FUNC begin */
};

struct bcc_trace {
    struct sample sample;
    struct heading heading;
    bool rows; /* a heading was read */
};

/* "PID     TID     COMM            FUNC", with or without a time and a CPU before it. */
static bool parse_heading(struct slice line, struct heading *h)
{
    static const char *const columns[] = {"PID", "TID", "COMM", "FUNC"};
    struct slice rest = line, word;
    size_t found = 0;

    *h = (struct heading){.before = 0};
    while (found < 4 && slice_word(&rest, &word)) {
        h->process = h->function;
        h->function = (size_t)(word.ptr - line.ptr);
        if (slice_equal(word, slice_str(columns[found])))
            found++;
        else if (!found && slice_is_any(word, "TIME", "CPU"))
            h->before++;
        else
            return false;
    }
    return found == 4;
}

/* "380928 bytes allocated at:" */
static bool parse_bytes(struct slice line, struct slice *bytes)
{
    struct slice rest = line;

    return native_take_number(&rest, bytes) &&
           slice_equal(slice_trim_right(rest), SLICE(" bytes allocated at:"));
}

/* Whether a line is a frame: it begins with blanks, or a tab, and is a name with its offset. */
static bool parse_frame(struct slice line, struct frame *f)
{
    struct slice text = slice_trim(line), word;
    uint64_t address;
    size_t open, plus;

    if (!text.len || (line.ptr[0] != '\t' && !slice_starts(line, SLICE("    "))))
        return false;
    *f = (struct frame){.kind = FRAME_NATIVE};
    if (native_take_address(&text, &address))
        text = slice_trim_left(text);
    open = slice_search(text, SLICE(" ["));
    word = slice_take(text, open);
    if (open < text.len && slice_ends(text, SLICE("]"))) {
        f->module = slice_skip(text, open + 2);
        f->module.len--;
    }
    if (slice_equal(f->module, SLICE("kernel"))) {
        f->module = SLICE("");
        f->class = SYMBOL_KERNEL;
        f->has_class = true;
    }
    plus = slice_find_last(word, '+');
    f->name = slice_starts(slice_skip(word, plus), SLICE("+0x")) ? slice_take(word, plus) : word;
    return f->name.len > 0;
}

/* Whether a frame has an offset, a module or an address, and so is no prose. */
static bool is_certain(struct slice line)
{
    return slice_has_any(line, "+0x", " [") ||
           slice_starts_any(slice_trim_left(line), "0x", "[unknown]");
}

static bool bcc_trace_claims(const struct head *head)
{
    struct slice bytes;
    struct frame f;
    struct heading h;
    bool heading = false, row = false;

    head_each (line, head) {
        if (row && parse_frame(line, &f) && is_certain(line))
            return true;
        row = parse_bytes(line, &bytes) ||
              (heading && line.len && line.ptr[0] != ' ' && line.ptr[0] != '\t');
        heading = heading || parse_heading(line, &h);
    }
    return false;
}

/*
 * Takes the name of the process, which may have blanks: all up to the function, if both stand below
 * their headings, or else a word.
 */
static bool take_process(const struct heading *h, struct slice line, struct slice *rest,
                         struct slice *process)
{
    size_t at = line.len - slice_trim_left(*rest).len;

    if (at != h->process || h->function >= line.len || line.ptr[h->function] == ' ' ||
        line.ptr[h->function - 1] != ' ')
        return slice_word(rest, process);
    *process = slice_trim(slice_skip(slice_take(line, h->function), at));
    *rest = slice_skip(line, h->function);
    return true;
}

/* A row of trace: a time, pid, tid, process, function and what the probe prints. */
static bool begin_row(struct text *t, struct bcc_trace *b, struct slice line)
{
    struct sample *s = &b->sample;
    struct slice rest = line, word, pid, tid, process, function;
    uint64_t number;

    if (!sample_close(s))
        return false;
    for (unsigned i = 0; i < b->heading.before; i++)
        slice_word(&rest, &word);
    if (!slice_word(&rest, &pid) || !num_parse_u64(pid, &number) || !slice_word(&rest, &tid) ||
        !take_process(&b->heading, line, &rest, &process) || !slice_word(&rest, &function))
        return text_skip_line(t, "expected 'PID TID COMM FUNC'", line);
    s->origin = (struct origin){.event = sample_keep(s, function),
                                .pid = sample_keep(s, pid),
                                .tid = sample_keep(s, tid),
                                .process = sample_keep(s, process)};
    s->unit = unit_named(SLICE("events"));
    return sample_open(s, s->origin.process);
}

static bool begin_bytes(struct text *t, struct bcc_trace *b, struct slice bytes)
{
    struct sample *s = &b->sample;

    if (!sample_close(s))
        return false;
    s->origin = (struct origin){.event = SLICE("bytes allocated")};
    s->unit = unit_named(SLICE("bytes"));
    if (!sample_open(s, SLICE("")))
        return false;
    if (num_parse_u64(bytes, &s->weight.value))
        return true;
    sample_drop(s);
    return text_skip(t, "the weight does not fit in 64 bits; its stack is left out");
}

static bool bcc_trace_line(struct text *t, void *state, struct slice line)
{
    struct bcc_trace *b = state;
    struct slice bytes;
    struct heading h;
    struct frame f;

    if (parse_heading(line, &h)) {
        b->heading = h;
        b->rows = true;
        return sample_close(&b->sample);
    }
    if (!slice_trim(line).len)
        return sample_close(&b->sample);
    if (b->sample.open && parse_frame(line, &f)) {
        sample_frame(&b->sample, &f);
        return true;
    }
    if (parse_bytes(line, &bytes))
        return begin_bytes(t, b, bytes);
    return !b->rows || line.ptr[0] == ' ' || line.ptr[0] == '\t' || begin_row(t, b, line);
}

const struct format format_bcc_trace = {
    .name = "bcc-trace",
    .family = FORMAT_LINUX,
    .description = "events with stacks of bcc's trace, and its mallocstacks",
    .recognised = "'PID TID COMM FUNC' or 'N bytes allocated at:', and frames indented below",
    .example = "/usr/share/bcc/tools/trace -K -U do_sys_openat2 > app.trace",
    .without_stacks = "run trace with -K and -U",
    .claims = bcc_trace_claims,
    .text = {SAMPLE_READER(bcc_trace, SAMPLE_STATE(struct bcc_trace))},
};
