/*
 * The report of wallClockProfiler, which samples a process through gdb.
 *
 *     Full stacks:
 *
 *     61.000% ===================================== (610 samples)
 *         1: poll   (at ./poll.c:29)
 *         2: main   (at main.c:12)
 *
 * Leaf first. A stack's weight is its number of samples. Dropped: the percentage, the bar,
 * and the table of functions before "Full stacks:". Kept: name, file and line. Counted:
 * stacks without frames, malformed lines.
 *
 * Grammar: stackcollapse-wcp.pl (brendangregg/FlameGraph) and the output of
 * jasonrohrer/wallClockProfiler.
 */
#include "input/build/sample.h"
#include "input/format.h"
#include "input/parse/native.h"

struct wall_clock {
    struct sample sample;
    bool in_stacks;
};

/* A line that begins a stack, with its weight. */
enum { WALL_WEIGHT = SAMPLE_KINDS };

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

    if (!sample_is_reference(&w->sample)) {
        f.kind = FRAME_NATIVE;
        f.name = slice_trim(slice_take(text, at));
        text = slice_skip(text, at + strlen(" (at "));
        if (slice_ends(text, SLICE(")")))
            text.len--;
        native_parse_source(text, &f.file, &f.line);
    }
    sample_frame_line(&w->sample, t, &f);
}

static bool begin_stack(struct wall_clock *w, uint64_t samples)
{
    if (!sample_open(&w->sample, SLICE("")))
        return false;
    w->sample.weight.value = samples;
    return true;
}

static bool wall_clock_claims(const struct head *head)
{
    struct slice text;
    bool title = false, weight = false;

    head_each (line, head) {
        title = title || is_title(line);
        if (title && weight && parse_frame(line, &text))
            return true;
        weight = parse_weight(line, &text);
    }
    return false;
}

static bool read_stack_line(struct text *t, struct wall_clock *w, struct slice line)
{
    struct sample *sample = &w->sample;
    struct slice text;
    uint64_t weight;

    if (parse_weight(line, &text)) {
        if (!num_parse_u64(text, &weight)) {
            text_skip(t, "the weight does not fit in 64 bits; its stack is left out");
            return sample_close(sample);
        }
        t->meaning = (struct line_meaning){.kind = WALL_WEIGHT, .weight = {.value = weight}};
        return begin_stack(w, weight);
    }
    if (!slice_trim(line).len)
        return sample_close_line(sample, t);
    if (!sample->open)
        return true;
    if (!parse_frame(line, &text))
        return text_skip(t, "expected 'N: NAME   (at FILE:LINE)'; line skipped");
    add_frame(t, w, text);
    return true;
}

static bool wall_clock_line(struct text *t, void *state, struct slice line)
{
    struct wall_clock *w = state;

    if (!is_title(line))
        return !w->in_stacks || read_stack_line(t, w, line);
    w->in_stacks = true;
    return sample_close(&w->sample);
}

static enum text_again wall_clock_again(struct text *t, void *state, const struct line_meaning *m)
{
    if (m->kind == WALL_WEIGHT)
        return begin_stack(state, m->weight.value) ? TEXT_DONE : TEXT_FAILED;
    return sample_again(t, state, m);
}

const struct format format_wall_clock = {
    .name = "wall-clock",
    .family = FORMAT_ANY,
    .description = "the report of wallClockProfiler",
    .recognised = "'Full stacks:', then 'P% === (N samples)' and '1: NAME   (at FILE:LINE)'",
    .example = "wallClockProfiler 100 ./app > app.wcp",
    .without_stacks = "give the program debugging information",
    .needs = "Full stacks:",
    .claims = wall_clock_claims,
    .text = {SAMPLE_READER(wall_clock, SAMPLE_STATE(struct wall_clock)), .again = wall_clock_again},
};
