/*
 * Output of elfutils' eu-stack, one run or several.
 *
 *     PID 18960 - process
 *     TID 18962:
 *     #0  0x00007fe4 - 1 waiter() - /opt/app/thr
 *         /opt/app/thr.cpp:28:66
 *
 * Leaf first. With -a, " - 1" marks a return address; with -m the module follows the name;
 * with -b and -s come lines with "[BUILDID]@0x...+0x..." and with the source. Each thread
 * is a stack with weight 1, even if eu-stack could not unwind it. With -i, functions
 * inlined at one address are separate frames: a frame with the address of its caller and
 * another name is inlined into the caller.
 *
 * Kept: name, module, file, line, address; pid and tid as the origin. Dropped: build ids,
 * columns, memory maps of -l. Counted: stacks that ended at the limit of frames, and
 * malformed lines.
 *
 * Grammar: elfutils' src/stack.c, by its output.
 */
#include "input/format.h"
#include "input/parse/native.h"
#include "input/formats/dumps/native_stack.h"
#include "input/build/sample.h"

struct eu_stack {
    struct sample sample;
    struct native_stack stack; /* frames of the open sample */
    bool in_frame;             /* the line before was a frame, or of one */
};

/*
 * Lines met before. `context` of a process or a thread is its number among the
 * texts, `weight` of a frame its address.
 */
enum { EU_PROCESS = 1, EU_THREAD, EU_FRAME, EU_FRAME_ADDRESS, EU_DETAIL };

/* Finds the digits of "PID 18960 - process". */
static bool parse_pid(struct slice line, struct slice *pid)
{
    struct slice rest = slice_skip(line, 4);

    return slice_starts(line, SLICE("PID ")) && native_take_number(&rest, pid) &&
           slice_starts(rest, SLICE(" - "));
}

/* "TID 18962:" */
static bool parse_tid(struct slice line, struct slice *tid)
{
    struct slice rest = slice_skip(line, 4);

    return slice_starts(line, SLICE("TID ")) && native_take_number(&rest, tid) &&
           slice_starts(rest, SLICE(":"));
}

/* Removes " - /usr/lib/libc.so.6" from the end of a frame if it looks like a module. */
static void cut_module(struct slice *text, struct frame *f)
{
    const struct slice mark = SLICE(" - ");
    size_t at = text->len;

    for (size_t i = text->len; i-- > 0;)
        if (slice_starts(slice_skip(*text, i), mark)) {
            at = i;
            break;
        }
    if (at == text->len)
        return;
    f->module = slice_trim(slice_skip(*text, at + mark.len));
    for (size_t i = 0; i < f->module.len; i++)
        if (strchr("(){}<>,*&", f->module.ptr[i])) {
            f->module = SLICE("");
            return;
        }
    *text = slice_take(*text, at);
}

/* "#0  0x00007fe4 - 1 name - module" */
static bool parse_frame(struct slice line, struct frame *f)
{
    struct slice rest = slice_skip(line, 1), digits;

    if (!slice_starts(line, SLICE("#")) || !native_take_number(&rest, &digits) ||
        !slice_starts(rest, SLICE(" ")) || !native_take_address(&rest, &f->address))
        return false;
    if (rest.len && rest.ptr[0] != ' ')
        return false;
    f->has_address = true;
    if (slice_starts(rest, SLICE(" - 1")) && (rest.len == 4 || rest.ptr[4] == ' '))
        rest = slice_skip(rest, 4);
    cut_module(&rest, f);
    f->name = slice_trim(rest);
    f->kind = FRAME_NATIVE;
    return true;
}

/* The name as stackcollapse-elfutils.pl takes it: all that follows the address. */
static void use_reference_name(struct slice line, struct frame *f)
{
    struct slice rest = slice_skip(line, slice_search(line, SLICE("0x")));

    rest = slice_skip(rest, slice_find(rest, ' ') + 1);
    *f = (struct frame){.name = rest.len ? rest : SLICE("[unknown]"), .kind = FRAME_PLAIN};
}

static void push_frame(struct eu_stack *e, const struct line_meaning *m)
{
    *vec_add(&e->stack.frames) = (struct native_frame){
        .entry = m->entry,
        .has_address = m->kind == EU_FRAME_ADDRESS,
        .address = m->weight.value,
    };
    e->in_frame = true;
}

static void mark_inlined(struct eu_stack *e)
{
    struct builder *b = &e->sample.builder;

    for (size_t i = 0; i + 1 < e->stack.frames.count; i++) {
        struct native_frame *f = &e->stack.frames.items[i];

        f->is_inlined = f->has_address && f[1].has_address && f[0].address == f[1].address &&
                        !slice_equal(builder_frame_of(b, f[0].entry).name,
                                     builder_frame_of(b, f[1].entry).name);
    }
}

static bool finish_stack(struct eu_stack *e)
{
    e->in_frame = false;
    mark_inlined(e);
    native_stack_push(&e->stack, &e->sample.builder);
    return sample_close(&e->sample);
}

/* The line of a process or a thread. */
static bool begin_part(struct eu_stack *e, const struct line_meaning *m)
{
    struct slice number = intern_get(&e->sample.texts, m->context);

    if (!finish_stack(e))
        return false;
    if (m->kind == EU_PROCESS) {
        e->sample.origin.pid = number;
        return true;
    }
    e->sample.origin.tid = number;
    return sample_open(&e->sample, SLICE(""));
}

/* The source of the frame read last. */
static void set_source(struct eu_stack *e, struct slice text)
{
    struct native_frame *last = &e->stack.frames.items[e->stack.frames.count - 1];
    struct frame f = builder_frame_of(&e->sample.builder, last->entry);

    native_parse_source(text, &f.file, &f.line);
    last->entry = builder_entry(&e->sample.builder, &f);
}

/* Reads a line after a frame: build id or source. */
static bool read_detail(struct text *t, struct eu_stack *e, struct slice line)
{
    struct slice text = slice_trim(line);

    if (!e->in_frame)
        return false;
    if (!t->options->srcline || (slice_starts(text, SLICE("[")) && slice_has(text, SLICE("]@0x"))))
        t->meaning.kind = EU_DETAIL;
    else
        set_source(e, text);
    return true;
}

static bool eu_stack_claims(const struct head *head)
{
    struct slice number;
    bool tid = false;

    head_each (line, head) {
        struct frame f = {0};

        if (tid && parse_frame(line, &f))
            return true;
        tid = parse_tid(line, &number);
    }
    return false;
}

/* Skips a line that neither begins nor continues a stack. */
static void skip_line(struct text *t, struct eu_stack *e, struct slice line)
{
    if (slice_has(line, SLICE("shown max number of frames"))) {
        t->profile->ledger.truncated++;
        return;
    }
    e->in_frame = false;
    if (slice_starts(line, SLICE("#")))
        text_skip_line(t, e->sample.open ? "expected '#N  0xADDRESS NAME'" : "a frame of no thread",
                       line);
}

/* Skips the heading of a process or a thread; the frames below it are of no known one. */
static bool skip_heading(struct text *t, struct eu_stack *e, struct slice line)
{
    text_skip_line(t, "expected 'TID N:' or 'PID N - PROCESS'", line);
    return finish_stack(e);
}

static bool eu_stack_line(struct text *t, void *state, struct slice line)
{
    struct eu_stack *e = state;
    struct frame f = {0};
    struct slice number;

    if (e->sample.open && parse_frame(line, &f)) {
        if (sample_is_reference(&e->sample))
            use_reference_name(line, &f);
        t->meaning = (struct line_meaning){
            .kind = f.has_address ? EU_FRAME_ADDRESS : EU_FRAME,
            .entry = builder_entry(&e->sample.builder, &f),
            .weight = {.value = f.address},
        };
        push_frame(e, &t->meaning);
        return true;
    }
    if (parse_tid(line, &number))
        t->meaning.kind = EU_THREAD;
    else if (parse_pid(line, &number))
        t->meaning.kind = EU_PROCESS;
    if (t->meaning.kind) {
        t->meaning.context = intern_add(&e->sample.texts, number);
        return begin_part(e, &t->meaning);
    }
    if (slice_starts_any(line, "TID ", "PID "))
        return skip_heading(t, e, line);
    if (!slice_starts(line, SLICE("    ")) || !read_detail(t, e, line))
        skip_line(t, e, line);
    return true;
}

static enum text_again eu_stack_again(struct text *t, void *state, const struct line_meaning *m)
{
    struct eu_stack *e = state;

    (void)t;
    if (m->kind == EU_THREAD || m->kind == EU_PROCESS)
        return begin_part(e, m) ? TEXT_DONE : TEXT_FAILED;
    if (m->kind == EU_DETAIL)
        return e->in_frame ? TEXT_DONE : TEXT_UNFIT;
    if (!e->sample.open)
        return TEXT_UNFIT;
    push_frame(e, m);
    return TEXT_DONE;
}

static bool eu_stack_end(struct text *t, void *state)
{
    (void)t;
    return finish_stack(state);
}

STATE_RELEASE(eu_stack, (sample, sample), (native_stack, stack));

/* PID lines only: the process of a TID line is given in the line before it. */
static bool begins_dump(struct slice line)
{
    struct slice pid;

    return parse_pid(line, &pid);
}

const struct format format_eu_stack = {
    .name = "eu-stack",
    .family = FORMAT_LINUX,
    .description = "stacks of elfutils' eu-stack, one or many",
    .recognised = "'TID N:' and below it '#0  0x... NAME'",
    .example = "eu-stack -i -m -s -p PID >> app.eustack",
    .without_stacks = "let eu-stack find the program's unwind tables",
    .needs = "TID ",
    .claims = eu_stack_claims,
    .text = {SAMPLE_STATE_THREADS_READER(eu_stack), .again = eu_stack_again,
             .starts_record = begins_dump},
};
