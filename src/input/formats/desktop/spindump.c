/*
 * Reader of the reports of macOS's spindump.
 *
 *     Process:         Finder [512]
 *     Num samples:     1000 (1-1000)
 *
 *       Thread 0xbb80c    DispatchQueue "com.apple.main-thread"(1)    1000 samples (1-1000) ...
 *       1000  start_wqthread + 13 (libsystem_pthread.dylib + 5085) [0x7fff8cefb3dd]
 *         1000  semaphore_wait_trap + 10 (libsystem_kernel.dylib + 70938) [0x7fff8c7ea51a]
 *          *1000  semaphore_wait_continue + 0 (kernel + 1353536) [0xffffff800034a740] (running)
 *
 *       Binary Images:
 *
 * The column of the number of samples is the depth in the tree; an asterisk before it marks a
 * function of the kernel. A tree ends at a blank line. The self value of a node is its samples
 * minus its children's. The process and the thread, by its name or its queue's, are the first
 * frames. Dropped: the heaviest stacks, which the trees have, what the last parentheses say, and
 * everything between the trees.
 *
 * Source: spindump(8), and reports of macOS 10.9 to 14.
 */
#include "base/ascii.h"
#include "base/num.h"
#include "input/build/builder.h"
#include "input/build/nested.h"
#include "input/core/cut_off.h"
#include "input/format.h"

struct spindump {
    struct builder b;
    struct nested tree;
    struct buf process, pid;
    bool in_tree;
};

/* A line "  Thread 0xbb80c    Thread name "idle"    1000 samples (1-1000)    priority 37". */
struct thread {
    struct slice number, name;
    uint64_t samples;
};

/* Takes the text in quotes after `key`. */
static struct slice quoted(struct slice line, struct slice key)
{
    size_t at = slice_search(line, key);
    struct slice rest = slice_skip(line, at < line.len ? at + key.len : line.len);

    return slice_take(rest, slice_find(rest, '"'));
}

static bool parse_thread(struct slice line, struct thread *t)
{
    size_t at = slice_search(line, SLICE(" sample")), before;
    struct slice text = slice_trim(line), rest, word;

    *t = (struct thread){0};
    if (!slice_starts(line, SLICE("  Thread 0x")) || at == line.len)
        return false;
    before = slice_find_last(slice_take(line, at), ' ');
    if (!num_parse_u64(slice_skip(slice_take(line, at), before + 1), &t->samples))
        return false;
    rest = text;
    slice_word(&rest, &word);
    slice_word(&rest, &t->number);
    t->name = quoted(line, SLICE("Thread name \""));
    if (!t->name.len)
        t->name = quoted(line, SLICE("DispatchQueue \""));
    if (!t->name.len)
        t->name = slice_take(text, (size_t)(t->number.ptr + t->number.len - text.ptr));
    return true;
}

static bool spindump_claims(const struct head *head)
{
    bool process = false;
    struct thread t;

    head_each (line, head) {
        process = process || slice_starts(line, SLICE("Process: ")) ||
                  slice_starts(line, SLICE("Command: "));
        if (process && parse_thread(line, &t))
            return true;
    }
    return false;
}

/* ---- the tree ------------------------------------------------------------------------------ */

/* Takes "(MODULE + 123)" off the end of a text. */
static void take_module(struct slice *text, struct frame *f)
{
    size_t open = text->len, depth = 0;
    struct slice inside;

    if (!slice_ends(*text, SLICE(")")))
        return;
    while (open-- > 0) {
        depth += text->ptr[open] == ')';
        if (text->ptr[open] == '(' && --depth == 0)
            break;
    }
    if (open >= text->len)
        return;
    inside = slice_take(slice_skip(*text, open + 1), text->len - open - 2);
    f->module = slice_trim(slice_take(inside, slice_search(inside, SLICE(" + "))));
    *text = slice_trim(slice_take(*text, open));
}

/* "start_wqthread + 13 (libsystem_pthread.dylib + 5085) [0x7fff8cefb3dd] (running)" */
static struct frame parse_frame(struct slice text)
{
    size_t address = slice_search(text, SLICE(" [0x")), plus;
    struct slice number = slice_skip(text, address + 4 < text.len ? address + 4 : text.len);
    struct frame f = {.kind = FRAME_NATIVE};

    f.has_address = num_parse_hex(slice_take(number, slice_find(number, ']')), &f.address);
    text = slice_trim(slice_take(text, address));
    take_module(&text, &f);
    plus = slice_find_last(text, '+');
    if (plus > 0 && plus + 2 < text.len && text.ptr[plus - 1] == ' ' &&
        num_parse_u64(slice_skip(text, plus + 2), &(uint64_t){0}))
        text = slice_trim(slice_take(text, plus));
    if (!slice_equal(text, SLICE("???")))
        f.name = text;
    return f;
}

/* Adds a line of the tree. Returns false after reporting an error. */
static bool add_line(struct text *t, struct spindump *s, struct slice line)
{
    enum { OWNERS = 2 };
    struct slice text = slice_trim_left(line);
    bool kernel = slice_starts(text, SLICE("*"));
    struct slice digits = kernel ? slice_skip(text, 1) : text;
    size_t count = 0, column = (size_t)(digits.ptr - line.ptr);
    uint64_t samples;
    struct frame f;

    while (count < digits.len && ascii_is_digit(digits.ptr[count]))
        count++;
    if (slice_starts(text, SLICE("<")))
        return true;
    if (!num_parse_u64(slice_take(digits, count), &samples) || count == digits.len)
        return text_skip_line(t, "expected 'SAMPLES FUNCTION (MODULE + OFFSET) [ADDRESS]'", text);
    f = parse_frame(slice_trim(slice_skip(digits, count)));
    if (kernel) {
        f.class = SYMBOL_KERNEL;
        f.has_class = true;
    }
    return nested_add(&s->tree, BUILDER_LEFT_OUT, column + OWNERS, t->line, &f,
                      (struct decimal){.value = samples});
}

static bool begin_tree(struct text *t, struct spindump *s, const struct thread *thread)
{
    struct origin origin = {.process = buf_slice(&s->process),
                            .pid = buf_slice(&s->pid),
                            .thread = thread->name,
                            .tid = thread->number};
    struct frame process = {.name = origin.process, .kind = FRAME_OWNER};
    struct frame owner = {.name = thread->name, .kind = FRAME_OWNER};
    struct decimal weight = {.value = thread->samples};

    s->in_tree = true;
    return nested_add(&s->tree, builder_series(&s->b, &origin, unit_samples), 0, t->line, &process,
                      weight) &&
           nested_add(&s->tree, BUILDER_LEFT_OUT, 1, t->line, &owner, weight);
}

/* ---- lines --------------------------------------------------------------------------------- */

/* "Process:         Finder [512]" */
static void read_process(struct spindump *s, struct slice value)
{
    size_t open = slice_find_last(value, '[');
    struct slice pid = slice_skip(value, open < value.len ? open + 1 : value.len);

    buf_clear(&s->process);
    buf_clear(&s->pid);
    buf_add_slice(&s->process, slice_trim(slice_take(value, open)));
    buf_add_slice(&s->pid, slice_take(pid, slice_find(pid, ']')));
}

static void read_header(struct text *t, struct spindump *s, struct slice line)
{
    static const struct {
        struct slice label, fact;
    } facts[] = {
        {{"Date/Time", 9}, {"captured on", 11}},
        {{"OS Version", 10}, {"os release", 10}},
        {{"Hardware model", 14}, {"hardware", 8}},
    };
    size_t colon = slice_find(line, ':');
    struct slice label = slice_take(line, colon),
                 value = slice_trim(slice_skip(line, colon < line.len ? colon + 1 : colon));

    if (slice_equal(label, SLICE("Process")))
        read_process(s, value);
    for (size_t i = 0; value.len && i < sizeof(facts) / sizeof(facts[0]); i++)
        if (slice_equal(label, facts[i].label))
            profile_add_fact(t->profile, facts[i].fact, value);
}

static bool spindump_begin(struct text *t, void *state)
{
    struct spindump *s = state;

    builder_init(&s->b, t->profile, t->options, t->diag);
    nested_init(&s->tree, &s->b, false, false);
    return true;
}

static bool spindump_line(struct text *t, void *state, struct slice line)
{
    struct spindump *s = state;
    struct thread thread;

    if (parse_thread(line, &thread))
        return begin_tree(t, s, &thread);
    if (!slice_trim(line).len) {
        s->in_tree = false;
        return nested_end(&s->tree);
    }
    if (s->in_tree)
        return add_line(t, s, line);
    read_header(t, s, line);
    return true;
}

static bool spindump_end(struct text *t, void *state)
{
    struct spindump *s = state;

    if (s->in_tree)
        cut_off(t, DIAG_AT_LINE(t->line),
                "the report ends in the middle of a thread: it may be truncated");
    return nested_end(&s->tree);
}

STATE_RELEASE(spindump, (nested, tree), (builder, b), (buf, process, pid));

const struct format format_spindump = {
    .name = "spindump",
    .family = FORMAT_SYSTEMS,
    .description = "reports of macOS's spindump",
    .recognised = "'Process:' and '  Thread 0x... N samples'",
    .example = "sudo spindump APP 10 10 -file app.spindump.txt",
    .without_stacks = "no thread was sampled",
    .needs = "Thread 0x",
    .claims = spindump_claims,
    .text = {TEXT_READER(spindump)},
};
