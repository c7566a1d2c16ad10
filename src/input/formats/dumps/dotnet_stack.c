/*
 * Reports of dotnet-stack: the stacks of all threads of a .NET process, one run or several.
 *
 *     Thread (0x48839B):
 *       [Native Frames]
 *       System.Console!System.IO.StdInReader.ReadKey()
 *       Shop!Shop.Program.Main(class System.String[])
 *
 * Leaf first. Each thread weighs 1. Kept: the method, its assembly as the module, the number of the
 * thread; "[Native Frames]" is a frame. Dropped: arguments.
 *
 * Grammar: dotnet-stack's ReportCommand.cs in github.com/dotnet/diagnostics.
 */
#include "input/build/sample.h"
#include "input/format.h"

struct dotnet_stack {
    struct sample sample;
};

/* "Thread (0x48839B):": the number. */
static bool parse_thread(struct slice line, struct slice *number)
{
    const struct slice start = SLICE("Thread (0x"), end = SLICE("):");

    line = slice_trim_right(line);
    if (!slice_starts(line, start) || !slice_ends(line, end))
        return false;
    *number = slice_skip(line, 8);
    number->len -= end.len;
    return true;
}

/* "  Shop!Shop.Program.Main(class System.String[])" */
static bool parse_frame(struct slice line, struct frame *f)
{
    struct slice text = slice_trim(line);
    size_t mark = slice_find(text, '!'), open;

    if (!slice_starts(line, SLICE("  ")) || !text.len)
        return false;
    *f = (struct frame){.name = text, .kind = FRAME_PLAIN};
    if (slice_equal(text, SLICE("[Native Frames]")))
        return true;
    if (mark == text.len)
        return false;
    f->module = slice_take(text, mark);
    text = slice_skip(text, mark + 1);
    open = slice_find(text, '(');
    f->name = slice_take(text, open);
    return f->name.len > 0;
}

static bool dotnet_stack_claims(const struct head *head)
{
    struct slice number;
    struct frame f;
    bool thread = false;

    head_each (line, head) {
        if (thread && parse_frame(line, &f))
            return true;
        thread = parse_thread(line, &number);
    }
    return false;
}

static bool dotnet_stack_line(struct text *t, void *state, struct slice line)
{
    struct sample *s = state;
    struct slice number;
    struct frame f;

    if (parse_thread(line, &number)) {
        if (!sample_close(s))
            return false;
        s->origin.tid = sample_keep(s, number);
        return sample_open(s, SLICE(""));
    }
    if (!slice_trim(line).len)
        return sample_close(s);
    if (!s->open)
        return true;
    if (!parse_frame(line, &f))
        return text_skip_line(t, "expected 'MODULE!METHOD(ARGUMENTS)'", line);
    sample_frame(s, &f);
    return true;
}

const struct format format_dotnet_stack = {
    .name = "dotnet-stack",
    .family = FORMAT_LANGUAGES,
    .description = "stacks of .NET threads that dotnet-stack reports",
    .recognised = "'Thread (0x12AB):' and frames 'MODULE!METHOD(ARGUMENTS)' below it",
    .example = "for i in $(seq 100); do dotnet-stack report -p PID; done >> app.dotnet-stack",
    .without_stacks = "the process has no managed threads",
    .needs = "Thread (0x",
    .claims = dotnet_stack_claims,
    .text = {SAMPLE_THREADS_READER(dotnet_stack, SAMPLE_STATE(struct dotnet_stack))},
};
