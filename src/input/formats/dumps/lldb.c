/*
 * Output of lldb's "bt all" or "thread backtrace all", once or several times.
 *
 *     * thread #1, queue = 'com.apple.main-thread', stop reason = signal SIGSTOP
 *       * frame #0: 0x00007ff81b9c05a2 libsystem_kernel.dylib`mach_msg2_trap + 10
 *         frame #1: 0x0000000100003f40 shop`Cart::total(this=0x7ff7) at cart.cpp:41:12
 *         frame #2: 0x0000000100003f48 shop`main [inlined] Cart::price(item=2) at cart.cpp:9
 *       thread #2, name = 'worker'
 *
 * Leaf first. A thread's line begins a stack, which has weight 1. What lldb prints when it attaches
 * or stops, one frame of the thread that is shown, is no stack of its own if the same thread comes
 * again; nor is a line of "thread list", "thread #1: tid = 0x7, ...", without frames below it.
 * Kept: names, module, file, line and address; the thread's name as the origin. Dropped: arguments,
 * offsets, queues, commands. Counted: malformed frames.
 *
 * Grammar: lldb's FormatEntity and its default "frame-format" and "thread-format".
 */
#include "base/ascii.h"
#include "input/build/sample.h"
#include "input/format.h"
#include "input/parse/native.h"

struct lldb {
    struct sample sample;
    uint64_t frames; /* of the open sample */
    bool stopped;    /* the open sample follows "Process N stopped": one frame that comes again */
    bool announced;
    bool listed; /* the open sample may be a line of "thread list" */
};

/* "* thread #1, ..." or "  thread #2, name = 'worker'": what follows the number. */
static bool parse_thread(struct slice line, struct slice *number, struct slice *rest)
{
    *rest = slice_trim_left(line);
    if (slice_starts(*rest, SLICE("* ")))
        *rest = slice_trim_left(slice_skip(*rest, 2));
    if (!slice_starts(*rest, SLICE("thread #")))
        return false;
    *rest = slice_skip(*rest, 8);
    return native_take_number(rest, number) &&
           (!rest->len || rest->ptr[0] == ',' || rest->ptr[0] == ':');
}

/* "    frame #1: 0x0000000100003f40 shop`main": what follows the colon. */
static bool parse_frame(struct slice line, struct slice *text)
{
    struct slice digits;

    *text = slice_trim(line);
    if (slice_starts(*text, SLICE("* ")))
        *text = slice_trim_left(slice_skip(*text, 2));
    if (!slice_starts(*text, SLICE("frame #")))
        return false;
    *text = slice_skip(*text, 7);
    if (!native_take_number(text, &digits) || !slice_starts(*text, SLICE(": ")))
        return false;
    *text = slice_trim_left(slice_skip(*text, 2));
    return text->len > 0;
}

/* Takes " at cart.cpp:41:12" off the end. */
static void take_source(struct slice *text, struct frame *f)
{
    const struct slice at = SLICE(" at ");
    size_t start = 0, next;

    for (size_t found = slice_search(*text, at); start + found < text->len; start += next) {
        struct slice rest = slice_skip(*text, start + found + at.len);

        next = found + at.len;
        found = slice_search(rest, at);
        if (found == rest.len) {
            native_parse_source(rest, &f->file, &f->line);
            text->len = start + next - at.len;
            return;
        }
    }
}

/* Takes " + 10" off the end. */
static void cut_offset(struct slice *text)
{
    size_t plus = slice_find_last(*text, '+');
    struct slice digits, rest = slice_skip(*text, plus + 2);

    if (plus > 1 && plus + 2 < text->len && text->ptr[plus - 1] == ' ' &&
        text->ptr[plus + 1] == ' ' && native_take_number(&rest, &digits) && !rest.len)
        *text = slice_trim_right(slice_take(*text, plus));
}

static bool is_of_name(char c)
{
    return c == '_' || ascii_is_digit(c) || ascii_is_letter(c);
}

/* Removes the values of arguments, "(this=0x7ff7, items=3)", which may have parentheses. */
static void cut_values(struct slice *text)
{
    for (size_t i = 1; i < text->len; i++) {
        size_t end = i + 1;

        while (text->ptr[i] == '(' && end < text->len && is_of_name(text->ptr[end]))
            end++;
        if (end > i + 1 && end < text->len && text->ptr[end] == '=') {
            text->len = i;
            return;
        }
    }
}

/* "0x0000000100003f40 shop`main(argc=1) at main.cpp:9:3" */
static void make_frame(struct slice text, struct frame *f)
{
    const struct slice inlined = SLICE(" [inlined] ");
    size_t tick, at;

    *f = (struct frame){.kind = FRAME_NATIVE};
    f->has_address = native_take_address(&text, &f->address);
    text = slice_trim_left(text);
    tick = slice_find(text, '`');
    if (tick < text.len) {
        f->module = slice_take(text, tick);
        text = slice_skip(text, tick + 1);
    }
    take_source(&text, f);
    at = slice_search(text, inlined);
    if (at < text.len) {
        text = slice_skip(text, at + inlined.len);
        f->class = SYMBOL_INLINED;
    }
    cut_offset(&text);
    cut_values(&text);
    f->name = slice_trim(text);
    if (slice_starts(f->name, SLICE("___lldb_unnamed_symbol")))
        f->name = SLICE("");
}

/* The value of "name = 'worker'" in a thread's line, or an empty slice. */
static struct slice value_of(struct slice text, const char *key)
{
    size_t at = slice_search(text, slice_str(key));

    text = slice_skip(text, at + strlen(key));
    return slice_take(text, slice_find(text, '\''));
}

static bool lldb_claims(const struct head *head)
{
    struct slice number, rest;
    bool thread = false;

    head_each (line, head) {
        if (thread && parse_frame(line, &rest) && slice_starts(rest, SLICE("0x")))
            return true;
        thread = thread || parse_thread(line, &number, &rest);
    }
    return false;
}

/*
 * Adds the open stack, unless it is the one frame that is shown when a process stops, or a line of
 * "thread list".
 */
static bool close_stack(struct lldb *l)
{
    if ((l->stopped && l->frames == 1) || (l->listed && !l->frames))
        sample_drop(&l->sample);
    l->stopped = l->announced;
    l->announced = false;
    l->frames = 0;
    return sample_close(&l->sample);
}

static bool lldb_line(struct text *t, void *state, struct slice line)
{
    struct lldb *l = state;
    struct slice number, rest;
    struct frame f;

    if (parse_frame(line, &rest) && l->sample.open) {
        make_frame(rest, &f);
        sample_frame(&l->sample, &f);
        l->frames++;
        return true;
    }
    if (parse_thread(line, &number, &rest)) {
        if (!close_stack(l))
            return false;
        l->listed = slice_starts(rest, SLICE(":"));
        l->sample.origin = (struct origin){
            .thread = sample_keep(&l->sample, value_of(rest, "name = '")),
            .tid = sample_keep(&l->sample, number),
        };
        return sample_open(&l->sample, SLICE(""));
    }
    if (slice_starts(slice_trim(line), SLICE("frame #")) && l->sample.open)
        return text_skip_line(t, "expected 'frame #N: 0xADDRESS MODULE`NAME'", line);
    if (slice_starts(line, SLICE("Process ")) && slice_ends(slice_trim(line), SLICE(" stopped")))
        l->announced = true;
    return true;
}

static bool lldb_end(struct text *t, void *state)
{
    (void)t;
    return close_stack(state);
}

static void lldb_release(void *state)
{
    sample_free(state);
}

const struct format format_lldb = {
    .name = "lldb",
    .family = FORMAT_SYSTEMS,
    .description = "backtraces of lldb, one or many",
    .recognised = "'thread #N', and frames 'frame #0: 0xADDRESS MODULE`NAME' below it",
    .example = "lldb -p PID --batch -o 'bt all' >> app.lldb",
    .without_stacks = "run 'bt all'",
    .needs = "frame #",
    .claims = lldb_claims,
    .text = {SAMPLE_STATE_THREADS_READER(lldb)},
};
