/*
 * The report of wallClockProfiler, which samples a process through gdb.
 *
 *     Full stacks:
 *
 *     61.000% ===================================== (610 samples)
 *         1: poll   (at ./poll.c:29)
 *         2: main   (at main.c:12)
 *
 * Leaf first. A stack's weight is its number of samples; the percentage and
 * the bar are dropped, and so is what stands before "Full stacks:", a table of
 * functions. Kept: name, file and line. Counted: stacks without frames, lines
 * of no meaning.
 *
 * The grammar is that of stackcollapse-wcp.pl (brendangregg/FlameGraph) and of
 * the profiler's output (jasonrohrer/wallClockProfiler).
 */
#include "input/build/builder.h"
#include "input/format.h"
#include "input/parse/native.h"

struct wall_clock {
    struct builder builder;
    uint64_t samples;
    bool in_stacks, in_stack;
};

/* Lines met before. */
enum { WALL_FRAME = 1, WALL_WEIGHT, WALL_BLANK };

static bool is_title(struct slice line)
{
    return slice_equal(slice_trim(line), SLICE("Full stacks:"));
}

/* "61.000% ===== (610 samples)" */
static bool parse_weight(struct slice line, struct slice *digits)
{
    struct slice word, rest = line;
    size_t open = slice_find_last(line, '(');

    if (!slice_word(&rest, &word) || !slice_ends(word, SLICE("%")) || open == line.len)
        return false;
    rest = slice_skip(line, open + 1);
    return native_take_number(&rest, digits) &&
           (slice_starts(rest, SLICE(" samples)")) || slice_starts(rest, SLICE(" sample)")));
}

/* "    1: poll   (at ./poll.c:29)": what follows the number. */
static bool parse_frame(struct slice line, struct slice *text)
{
    struct slice rest = slice_trim_left(line), digits;

    if (!native_take_number(&rest, &digits) || !slice_starts(rest, SLICE(": ")))
        return false;
    *text = slice_trim(slice_skip(rest, 2));
    return text->len > 0;
}

static void add_frame(struct text *t, struct wall_clock *w, struct slice text)
{
    struct frame f = {.name = text, .kind = FRAME_PLAIN};
    size_t at = slice_search(text, SLICE(" (at "));

    if (t->options->names != NAMES_REFERENCE) {
        f.kind = FRAME_NATIVE;
        f.name = slice_trim(slice_take(text, at));
        text = slice_skip(text, at + strlen(" (at "));
        if (slice_ends(text, SLICE(")")))
            text.len--;
        native_parse_source(text, &f.file, &f.line);
    }
    t->meaning = (struct line_meaning){.kind = WALL_FRAME, .entry = builder_entry(&w->builder, &f)};
    builder_push(&w->builder, t->meaning.entry);
}

static bool finish_stack(struct wall_clock *w)
{
    struct origin origin = {0};

    if (!w->in_stack)
        return true;
    w->in_stack = false;
    return builder_add(&w->builder, builder_series(&w->builder, &origin, unit_samples), w->samples);
}

static bool begin_stack(struct wall_clock *w, uint64_t samples)
{
    if (!finish_stack(w))
        return false;
    builder_begin(&w->builder);
    builder_leaf_first(&w->builder);
    w->in_stack = true;
    w->samples = samples;
    return true;
}

static bool wall_clock_claims(const struct head *head)
{
    struct slice rest = head->bytes, line, text;
    bool title = false, weight = false;

    while (head_line(head, &rest, &line)) {
        title = title || is_title(line);
        if (title && weight && parse_frame(line, &text))
            return true;
        weight = parse_weight(line, &text);
    }
    return false;
}

static bool wall_clock_begin(struct text *t, void *state)
{
    struct wall_clock *w = state;

    builder_init(&w->builder, t->profile, t->options, t->diag);
    return true;
}

static bool read_stack_line(struct text *t, struct wall_clock *w, struct slice line)
{
    struct line_meaning weight = {.kind = WALL_WEIGHT};
    struct slice text;

    if (parse_weight(line, &text)) {
        if (num_parse_u64(text, &weight.weight.value)) {
            t->meaning = weight;
            return begin_stack(w, weight.weight.value);
        }
        text_skip(t, "the weight does not fit in 64 bits; its stack is left out");
        return finish_stack(w);
    } else if (!slice_trim(line).len) {
        t->meaning.kind = WALL_BLANK;
        return finish_stack(w);
    } else if (w->in_stack && parse_frame(line, &text)) {
        add_frame(t, w, text);
    } else if (w->in_stack) {
        text_skip(t, "expected 'N: NAME   (at FILE:LINE)'; line skipped");
    }
    return true;
}

static bool wall_clock_line(struct text *t, void *state, struct slice line)
{
    struct wall_clock *w = state;

    if (!is_title(line))
        return !w->in_stacks || read_stack_line(t, w, line);
    w->in_stacks = true;
    return finish_stack(w);
}

static enum text_again wall_clock_again(struct text *t, void *state, const struct line_meaning *m)
{
    struct wall_clock *w = state;
    bool ok = true;

    (void)t;
    if (m->kind == WALL_WEIGHT)
        ok = begin_stack(w, m->weight.value);
    else if (m->kind == WALL_BLANK)
        ok = finish_stack(w);
    else if (w->in_stack)
        builder_push(&w->builder, m->entry);
    return ok ? TEXT_DONE : TEXT_FAILED;
}

static bool wall_clock_end(struct text *t, void *state)
{
    (void)t;
    return finish_stack(state);
}

static void wall_clock_release(void *state)
{
    struct wall_clock *w = state;

    builder_release(&w->builder);
}

static const struct text_reader wall_clock_reader = {
    .state_size = sizeof(struct wall_clock),
    .begin = wall_clock_begin,
    .line = wall_clock_line,
    .again = wall_clock_again,
    .end = wall_clock_end,
    .release = wall_clock_release,
};

const struct format format_wall_clock = {
    .name = "wall-clock",
    .family = FORMAT_ANY,
    .description = "the report of wallClockProfiler",
    .recognised = "'Full stacks:', then 'P% === (N samples)' and '1: NAME   (at FILE:LINE)'",
    .example = "wallClockProfiler 100 ./app > app.wcp",
    .without_stacks = "give the program debugging information",
    .claims = wall_clock_claims,
    .reader = &wall_clock_reader,
};
