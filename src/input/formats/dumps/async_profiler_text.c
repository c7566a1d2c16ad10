/*
 * The default text of async-profiler, which people paste into tickets.
 *
 *     --- Execution profile ---
 *     Total samples       : 100
 *
 *     --- 600000000 ns (60.00%), 60 samples
 *       [ 0] shop.Cart.total
 *       [ 1] shop.Main.main
 *
 *               ns  percent  samples  top
 *       ----------  -------  -------  ---
 *
 * Leaf first. A stack weighs what its line states: nanoseconds, bytes, or counts of an event. The
 * title names the event. Dropped: the table of leaves at the end, which repeats the stacks, and the
 * shares. Counted: malformed lines. If the text ends at a number of stacks (-t traces=200), the
 * rest is missing.
 *
 * Grammar: Profiler::dumpText() in github.com/async-profiler/async-profiler.
 */
#include "input/build/java.h"
#include "input/build/sample.h"
#include "input/format.h"
#include "input/parse/native.h"

struct async_profiler_text {
    struct sample sample;
    uint64_t samples; /* of the open one */
    bool in_stacks;   /* not in the table */
};

/* "--- Execution profile ---": the title. */
static bool parse_title(struct slice line, struct slice *title)
{
    const struct slice start = SLICE("--- "), end = SLICE(" profile ---");

    line = slice_trim_right(line);
    if (!slice_starts(line, start) || !slice_ends(line, end) || line.len < start.len + end.len)
        return false;
    *title = slice_skip(line, start.len);
    title->len -= end.len;
    return true;
}

/* "--- 600000000 ns (60.00%), 60 samples" */
static bool parse_weight(struct slice line, struct slice *weight, struct slice *unit,
                         struct slice *samples)
{
    struct slice word;

    return slice_starts(line, SLICE("--- ")) && slice_word(&line, &word) &&
           slice_word(&line, weight) && slice_word(&line, unit) && slice_word(&line, &word) &&
           slice_starts(word, SLICE("(")) && slice_ends(word, SLICE("%),")) &&
           slice_word(&line, samples) && slice_word(&line, &word) &&
           slice_starts(word, SLICE("sample"));
}

/* "  [ 0] shop.Cart.total": the name. */
static bool parse_frame(struct slice line, struct slice *name)
{
    struct slice rest = slice_trim_left(line), digits;

    if (!slice_starts(line, SLICE("  [")) || !slice_starts(rest, SLICE("[")))
        return false;
    rest = slice_trim_left(slice_skip(rest, 1));
    if (!native_take_number(&rest, &digits) || !slice_starts(rest, SLICE("] ")))
        return false;
    *name = slice_trim(slice_skip(rest, 2));
    return name->len > 0;
}

static bool async_profiler_text_claims(const struct head *head)
{
    struct slice first, second, third;
    bool weight = false;

    head_each (line, head) {
        if (weight && parse_frame(line, &first))
            return true;
        weight = parse_weight(line, &first, &second, &third);
    }
    return false;
}

static bool begin_stack(struct text *t, struct async_profiler_text *a, struct slice line)
{
    struct slice weight, unit, samples;
    struct sample *s = &a->sample;

    if (!parse_weight(line, &weight, &unit, &samples))
        return text_skip_line(t, "expected '--- N UNIT (P%), N samples'", line);
    s->unit =
        unit_named(sample_keep(s, slice_equal(unit, SLICE("ns")) ? SLICE("nanoseconds") : unit));
    if (!sample_open(s, SLICE("")))
        return false;
    a->in_stacks = true;
    if (num_parse_u64(weight, &s->weight.value) && num_parse_u64(samples, &a->samples))
        return true;
    sample_drop(s);
    return text_skip(t, "the weight does not fit in 64 bits; its stack is left out");
}

/* Adds the open stack, which is several samples. */
static bool close_stack(struct async_profiler_text *a)
{
    bool open = a->sample.open;
    uint32_t series;

    if (!sample_close(&a->sample))
        return false;
    series = open ? builder_series(&a->sample.builder, &a->sample.origin, a->sample.unit)
                  : BUILDER_LEFT_OUT;
    if (series != BUILDER_LEFT_OUT && a->samples > 1)
        builder_count(&a->sample.builder, series, a->samples - 1);
    return true;
}

static bool async_profiler_text_line(struct text *t, void *state, struct slice line)
{
    struct async_profiler_text *a = state;
    struct slice text;
    struct frame f;

    if (parse_title(line, &text)) {
        if (!close_stack(a))
            return false;
        a->sample.origin.event = sample_keep(&a->sample, text);
        return true;
    }
    if (slice_starts(line, SLICE("--- ")))
        return close_stack(a) && begin_stack(t, a, line);
    if (!slice_trim(line).len)
        return close_stack(a);
    if (!a->sample.open)
        return true;
    if (!parse_frame(line, &text))
        return text_skip_line(t, "expected '[N] NAME'", line);
    f = (struct frame){.name = text, .kind = FRAME_ANNOTATED};
    sample_frame(&a->sample, &f);
    return true;
}

static bool async_profiler_text_end(struct text *t, void *state)
{
    (void)t;
    return close_stack(state);
}

static void async_profiler_text_release(void *state)
{
    sample_free(state);
}

const struct format format_async_profiler_text = {
    .name = "async-profiler-text",
    .family = FORMAT_JAVA,
    .description = "the default text of async-profiler",
    .recognised = "'--- N ns (P%), N samples', and below it '  [ 0] NAME'",
    .example = "asprof -d 30 -o traces -f app.txt PID",
    .without_stacks = "the text has no stacks; run asprof with -o traces",
    .needs = "%), ",
    .claims = async_profiler_text_claims,
    .text = {SAMPLE_STATE_READER(async_profiler_text)},
};
