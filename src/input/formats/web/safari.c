/*
 * The JavaScript samples of timeline recordings, as exported by the Web
 * Inspector of Safari and WebKit.
 *
 *     {"version": 1, "recording": {"displayName": "...",
 *      "sampleStackTraces": [{"timestamp": s, "stackFrames":
 *          [{"name", "url", "line", "column"}, ...]}, ...],
 *      "sampleDurations": [s, ...], "records": [...], ...}}
 *
 * Frames are leaf first. A sample weighs its duration, in microseconds to keep
 * the decimals; without durations each sample weighs 1. A function without a
 * name is "(anonymous FILE:LINE)". The records of network, layout and CPU use
 * have no stacks.
 */
#include "input/format.h"
#include "input/parse/trace_time.h"
#include "input/formats/web/v8_profile.h"

/* The open containers that are being read. */
enum place { OUTSIDE, RECORDING, TRACES, DURATIONS };

struct safari {
    struct content *content;
    enum place place;
    struct builder builder;
    VEC(uint32_t) stacks;          /* of the samples, in order */
    VEC(int64_t) times;            /* ns, if times are kept; -1 for none */
    VEC(struct decimal) durations; /* microseconds */
    struct buf text;
};

static bool open_container(void *context, struct slice key)
{
    struct safari *s = context;

    if (s->place == OUTSIDE && slice_equal(key, SLICE("recording")))
        s->place = RECORDING;
    else if (s->place == RECORDING && slice_equal(key, SLICE("sampleStackTraces")))
        s->place = TRACES;
    else if (s->place == RECORDING && slice_equal(key, SLICE("sampleDurations")))
        s->place = DURATIONS;
    else
        return false;
    return true;
}

static bool close_container(void *context)
{
    struct safari *s = context;

    s->place = s->place == RECORDING ? OUTSIDE : RECORDING;
    return true;
}

static uint32_t frame_entry(struct safari *s, const struct json_value *v)
{
    struct slice name = SLICE(""), url = SLICE("");
    uint64_t line = 0;

    if (v->type != JSON_OBJECT)
        builder_skip(&s->builder, DIAG_AT_FILE, "malformed frame: %s; shown as anonymous",
                     json_quoted(v).text);
    json_each(member, v)
    {
        if (slice_equal(member->key, SLICE("name")))
            name = json_text(member);
        else if (slice_equal(member->key, SLICE("url")))
            url = json_text(member);
        else if (slice_equal(member->key, SLICE("line")) && !json_u64(member, &line))
            line = 0;
    }
    return v8_profile_named(&s->builder, name, url, line);
}

/* Converts seconds, as written, to microseconds. */
static bool read_seconds(struct safari *s, const struct json_value *v, struct decimal *us)
{
    struct json_value shifted = {.type = JSON_NUMBER};
    bool has_exponent = slice_find(v->text, 'e') < v->text.len;

    buf_clear(&s->text);
    buf_printf(&s->text, has_exponent ? "%.*s" : "%.*se6", SLICE_ARG(v->text));
    shifted.text = buf_slice(&s->text);
    return v->type == JSON_NUMBER && json_decimal(&shifted, us, NULL) &&
           (!has_exponent || num_mul(us->value, 1000000, &us->value));
}

/* Returns nanoseconds, or -1 if there is no time. */
static int64_t read_time(struct safari *s, const struct json_value *v)
{
    struct decimal us;
    uint64_t ns;

    if (!v || !read_seconds(s, v, &us))
        return -1;
    for (; us.decimals > 3; us.decimals--)
        us.value /= 10;
    return num_mul(us.value, num_pow10(3 - us.decimals), &ns) && ns <= INT64_MAX ? (int64_t)ns : -1;
}

static bool read_trace(struct safari *s, const struct json_value *trace)
{
    const struct json_value *frames = json_get(trace, "stackFrames");
    uint32_t stack;

    if (!frames || frames->type != JSON_ARRAY)
        builder_skip(&s->builder, DIAG_AT_FILE,
                     "a sample has no list of frames: %s; it counts as one without a stack",
                     json_quoted(trace).text);
    builder_begin_leaf(&s->builder);
    json_each(f, frames) builder_push(&s->builder, frame_entry(s, f));
    if (!builder_stack(&s->builder, &stack))
        return false;
    *vec_add(&s->stacks) = stack;
    if (s->builder.profile->keep_timed)
        *vec_add(&s->times) = read_time(s, json_get(trace, "timestamp"));
    return true;
}

static void read_duration(struct safari *s, const struct json_value *v)
{
    struct decimal *d = vec_add(&s->durations);

    if (read_seconds(s, v, d))
        return;
    *d = (struct decimal){0};
    builder_skip(&s->builder, DIAG_AT_FILE, "malformed duration: %s; it counts as 0",
                 json_quoted(v).text);
}

static bool read_value(void *context, struct slice parent, const struct json_value *v, uint64_t at)
{
    struct safari *s = context;

    (void)parent;
    (void)at;
    if (s->place == TRACES)
        return read_trace(s, v);
    if (s->place == DURATIONS)
        read_duration(s, v);
    else if (s->place == RECORDING && slice_equal(v->key, SLICE("displayName")) && json_text(v).len)
        profile_add_fact(s->content->profile, SLICE("recording"), json_text(v));
    return true;
}

/* Counts the samples without a duration, and the durations without a sample. */
static void tell_counts(const struct safari *s)
{
    size_t samples = s->stacks.count, durations = s->durations.count;
    size_t common = samples < durations ? samples : durations;

    s->content->profile->ledger.unreadable += samples + durations - 2 * common;
    if (samples > durations)
        diag_warn(s->content->diag, "samples from number %zu on have no duration; they count as 0",
                  common + 1);
    if (durations > samples)
        diag_warn(s->content->diag, "durations from number %zu on belong to no sample; skipped",
                  common + 1);
}

static bool finish(struct safari *s)
{
    bool timed = s->durations.count > 0;
    uint32_t series =
        builder_series(&s->builder, &(struct origin){0}, timed ? trace_time_unit : unit_samples);

    if (timed)
        tell_counts(s);
    for (size_t i = 0; i < s->stacks.count; i++) {
        struct decimal weight = {.value = timed ? 0 : 1};

        if (i < s->durations.count)
            weight = s->durations.items[i];
        if (i < s->times.count && s->times.items[i] >= 0)
            builder_set_time(&s->builder, series, s->times.items[i]);
        if (!builder_add_at(&s->builder, series, s->stacks.items[i], weight))
            return false;
    }
    return true;
}

static bool read_safari(struct content *content)
{
    struct safari s = {.content = content};
    struct json_handler handler = {
        .context = &s, .open = open_container, .close = close_container, .value = read_value};
    bool good;

    builder_init(&s.builder, content->profile, content->options, content->diag);
    good = json_read(content, &handler) && finish(&s);
    release_each(&s, (vec, stacks, times, durations), (buf, text), (builder, builder));
    return good;
}

static bool claims(const struct head *head)
{
    return head_has_any(head, "recording.sampleStackTraces", "recording.instrumentTypes");
}

const struct format format_safari = {
    .name = "safari",
    .family = FORMAT_BROWSERS,
    .description = "Safari Web Inspector timeline recordings: JavaScript samples",
    .recognised = "JSON with a 'recording' that has 'sampleStackTraces' or "
                  "'instrumentTypes'",
    .example = "Web Inspector, Timelines, JavaScript & Events, Record, Export",
    .without_stacks = "switch on the JavaScript & Events timeline before recording",
    .in_order = true,
    .claims = claims,
    .read = read_safari,
};
