/*
 * A report of macOS's sample command: a header, then "Call graph:" with a tree per thread.
 *
 *     Analysis of sampling rg (pid 64751) every 1 millisecond
 *     Call graph:
 *         825 Thread_15758523   DispatchQueue_1: com.apple.main-thread  (serial)
 *         + 825 start  (in libdyld.dylib) + 1  [0x7fff737cf3d5]
 *         +   1 draw  (in app) + 9  [0x10384b549]  view.m:12
 *
 * A line of the tree: four blanks, two characters of " +|:!" for each level,
 * the number of samples, the function, its binary, offset, address and, if
 * known, the source line. The tree ends at a blank line; without one the report
 * is truncated. The lists after the tree repeat its numbers and are not read.
 *
 * The self value of a node is its samples minus its children's. Nothing is
 * filtered: a waiting thread is shown waiting (inferno and stackcollapse-
 * sample.awk drop leaves that look idle). The thread is the first frame, by its
 * name or its queue's name if it has one, so that runs can be compared. The
 * unit is samples, one per interval stated in the first line.
 *
 * A line that does not fit into the tree is an error, because the callers of
 * the lines after it would be in doubt. Source of the grammar: reports of
 * sample 7, and what inferno and stackcollapse-sample.awk accept.
 */
#include "base/num.h"
#include "base/ascii.h"
#include "input/build/builder.h"
#include "input/format.h"
#include "input/build/inferno.h"
#include "input/build/nested.h"

enum sample_part { SAMPLE_HEADER, SAMPLE_TREE, SAMPLE_LISTS };

struct sample {
    struct builder builder;
    struct nested tree;
    enum sample_part part;
    struct buf process, pid;
    struct buf name; /* scratch for a frame's name */
};

/* A line of the tree. */
struct sample_line {
    uint64_t depth, count;
    struct slice text; /* after the count */
};

enum { MARGIN = 4, LEVEL = 2 };

static bool sample_begin(struct text *t, void *state)
{
    struct sample *s = state;

    builder_init(&s->builder, t->profile, t->options, t->diag);
    nested_init(&s->tree, &s->builder, false, false);
    return true;
}

STATE_RELEASE(sample, (nested, tree), (builder, builder), (buf, process, pid, name));

/* ---- the header ---------------------------------------------------------------------------- */

/* "Process:         rg [64751]" */
static void note_process(struct sample *s, struct slice value)
{
    size_t open = slice_find_last(value, '[');

    buf_clear(&s->process);
    buf_clear(&s->pid);
    buf_add_slice(&s->process, slice_trim(slice_take(value, open)));
    if (open < value.len && slice_ends(value, SLICE("]")))
        buf_add_slice(&s->pid, slice_skip(slice_take(value, value.len - 1), open + 1));
}

static void read_header(struct text *t, struct sample *s, struct slice line)
{
    static const struct {
        struct slice label, fact;
    } facts[] = {
        {{"Process", 7}, {"process", 7}},          {{"Path", 4}, {"command", 7}},
        {{"Date/Time", 9}, {"captured on", 11}},   {{"OS Version", 10}, {"os release", 10}},
        {{"Hardware Model", 14}, {"hardware", 8}},
    };
    size_t colon = slice_find(line, ':');
    struct slice label = slice_take(line, colon);
    struct slice value = slice_trim(slice_skip(line, colon + 1));
    size_t every = slice_search(line, SLICE(" every "));

    if (slice_equal(slice_trim_right(line), SLICE("Call graph:")))
        s->part = SAMPLE_TREE;
    else if (slice_starts(line, SLICE("Analysis of sampling ")))
        profile_add_fact(t->profile, SLICE("interval"), slice_trim(slice_skip(line, every + 7)));
    if (slice_equal(label, SLICE("Process")))
        note_process(s, value);
    for (size_t i = 0; value.len && i < sizeof(facts) / sizeof(facts[0]); i++)
        if (slice_equal(label, facts[i].label))
            profile_add_fact(t->profile, facts[i].fact, value);
}

/* ---- the tree ------------------------------------------------------------------------------ */

/* Parses a line. Returns what is wrong with it, or NULL. */
static const char *parse_line(struct slice line, struct sample_line *l)
{
    size_t at = MARGIN, digits = 0;

    if (!slice_starts(line, SLICE("    ")))
        return "expected four blanks at the start of a line of the call graph";
    while (at < line.len && strchr(" +|:!", line.ptr[at]) && line.ptr[at])
        at++;
    if ((at - MARGIN) % LEVEL)
        return "an odd number of characters before the samples";
    l->depth = (at - MARGIN) / LEVEL;
    line = slice_skip(line, at);
    while (digits < line.len && ascii_is_digit(line.ptr[digits]))
        digits++;
    l->text = slice_trim(slice_skip(line, digits));
    if (!num_parse_u64(slice_take(line, digits), &l->count))
        return "expected a number of samples";
    if (!l->text.len || slice_skip(line, digits).ptr[0] != ' ')
        return "expected a function after the number of samples";
    return NULL;
}

/*
 * Returns the thread's name in "Thread_7   DispatchQueue_1: com.apple.main-thread  (serial)" or
 * "Thread_7: name".
 */
static struct slice thread_name(struct slice text, struct slice *number)
{
    const struct slice start = SLICE("Thread_"), serial = SLICE("(serial)");
    size_t digits = 0;
    struct slice name;

    *number = slice_make(NULL, 0);
    if (!slice_starts(text, start))
        return text;
    *number = slice_skip(text, start.len);
    while (digits < number->len && ascii_is_digit(number->ptr[digits]))
        digits++;
    *number = slice_take(*number, digits);
    name = slice_skip(text, slice_search(text, SLICE(": ")) + 2);
    if (slice_ends(name, serial))
        name = slice_take(name, name.len - serial.len);
    name = slice_trim(name);
    return name.len ? name : slice_take(text, start.len + digits);
}

/* Returns the text up to the parenthesis that closes a binary's name: "App Helper (Renderer)". */
static struct slice module_name(struct slice text)
{
    size_t open = 0, i = 0;

    for (; i < text.len; i++) {
        if (text.ptr[i] == '(')
            open++;
        else if (text.ptr[i] == ')' && open-- == 0)
            break;
    }
    return slice_take(text, i);
}

/* Finds the last "(in BINARY)". Returns false if there is none. */
static bool find_module(struct slice text, size_t *from, struct slice *module)
{
    const struct slice mark = SLICE("(in ");
    size_t at = text.len;

    for (size_t i = 0; i + mark.len <= text.len; i++)
        if (memcmp(text.ptr + i, mark.ptr, mark.len) == 0)
            at = i;
    if (at == text.len)
        return false;
    *from = at;
    *module = module_name(slice_skip(text, at + mark.len));
    return true;
}

/* Reads "  file.m:12" at the end of a line. */
static void find_source(struct slice text, struct frame *f)
{
    size_t close = slice_find_last(text, ']');
    struct slice source = slice_trim(slice_skip(text, close + 1));
    size_t colon = slice_find_last(source, ':');

    if (colon < source.len && num_parse_u64(slice_skip(source, colon + 1), &f->line))
        f->file = slice_take(source, colon);
}

/* Reads "[0x7fff737cf3d5]"; of several addresses the first. */
static void find_address(struct slice text, struct frame *f)
{
    size_t open = slice_find_last(text, '[');
    struct slice address = slice_skip(text, open + 1);
    size_t end = 0;

    if (!slice_starts(address, SLICE("0x")))
        return;
    address = slice_skip(address, 2);
    while (end < address.len && strchr("0123456789abcdefABCDEF", address.ptr[end]) &&
           address.ptr[end])
        end++;
    f->has_address = num_parse_hex(slice_take(address, end), &f->address);
}

static struct frame clean_frame(struct slice text)
{
    const struct slice unknown = SLICE("<unknown binary>");
    struct frame f = {.name = text};
    size_t in;

    if (!find_module(text, &in, &f.module)) {
        f.name = slice_take(text, slice_search(text, SLICE("  [0x")));
        find_address(text, &f);
        return f;
    }
    f.name = slice_trim(slice_take(text, in));
    if (slice_equal(f.module, unknown)) {
        f.module = SLICE("");
        return f;
    }
    find_address(slice_skip(text, in), &f);
    find_source(slice_skip(text, in), &f);
    return f;
}

/* Returns the frame as inferno names it: "module`function", up to the first parenthesis. */
static struct frame reference_frame(struct sample *s, struct slice text)
{
    struct slice name = slice_trim(slice_take(text, slice_find(text, '('))), module;
    const struct slice library = SLICE(".dylib");
    size_t in;

    buf_clear(&s->name);
    if (find_module(text, &in, &module)) {
        if (slice_ends(module, library))
            module = slice_take(module, module.len - library.len);
        buf_add_slice(&s->name, module);
        buf_add_char(&s->name, '`');
    }
    inferno_add_name(&s->name, name);
    return (struct frame){.name = buf_slice(&s->name), .kind = FRAME_PLAIN};
}

static bool add_line(struct text *t, struct sample *s, struct slice line)
{
    struct origin origin = {.process = buf_slice(&s->process), .pid = buf_slice(&s->pid)};
    uint32_t series = BUILDER_LEFT_OUT; /* used for roots only */
    struct sample_line l = {0};
    const char *fault = parse_line(line, &l);
    struct frame f;

    if (fault)
        return text_fail_line(t, fault, slice_trim(line));
    if (l.depth > nested_depth(&s->tree))
        return text_fail_line(t, "the line is more than one level deeper than the line before",
                              slice_trim(line));
    f = t->options->names == NAMES_REFERENCE ? reference_frame(s, l.text) : clean_frame(l.text);
    if (l.depth == 0) {
        origin.thread = thread_name(l.text, &origin.tid);
        series = builder_series(&s->builder, &origin, unit_samples);
        if (t->options->names != NAMES_REFERENCE)
            f = (struct frame){.name = origin.thread, .kind = FRAME_OWNER};
    }
    return nested_add(&s->tree, series, l.depth, t->line, &f, (struct decimal){.value = l.count});
}

static bool sample_line(struct text *t, void *state, struct slice line)
{
    struct sample *s = state;

    switch (s->part) {
    case SAMPLE_HEADER:
        read_header(t, s, line);
        return true;
    case SAMPLE_TREE:
        if (slice_trim(line).len)
            return add_line(t, s, line);
        s->part = SAMPLE_LISTS;
        return nested_end(&s->tree);
    case SAMPLE_LISTS:
        return true;
    }
    BUG("no such part of the report");
}

static bool sample_end(struct text *t, void *state)
{
    struct sample *s = state;

    if (s->part == SAMPLE_LISTS)
        return true;
    return diag_error(t->diag,
                      s->part == SAMPLE_HEADER
                          ? "the report ends before its call graph"
                          : "the report ends in the middle of its call graph: it is truncated");
}

static bool sample_claims(const struct head *head)
{
    struct slice rest = head->bytes, line, before = SLICE("");

    if (slice_starts(head->bytes, SLICE("Analysis of sampling ")))
        return true;
    if (!slice_has(head->bytes, SLICE("Call graph:")))
        return false;
    while (head_line(head, &rest, &line)) {
        struct sample_line l;

        if (slice_equal(before, SLICE("Call graph:")) && !parse_line(line, &l))
            return true;
        before = slice_trim_right(line);
    }
    return false;
}

const struct format format_macos_sample = {
    .name = "macos-sample",
    .family = FORMAT_SYSTEMS,
    .description = "reports of macOS's sample command",
    .recognised = "'Analysis of sampling', or 'Call graph:' with an indented tree",
    .example = "sample COMMAND 10 -file app.sample.txt",
    .claims = sample_claims,
    .text = {TEXT_READER(sample)},
};
