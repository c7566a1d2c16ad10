/*
 * The text that Android's `simpleperf report-sample` prints.
 *
 *     sample:
 *       event_type: cpu-clock:u
 *       time: 1234567890
 *       event_count: 250000
 *       thread_id: 12
 *       thread_name: app
 *       vaddr_in_file: 4a10
 *       file: /apex/com.android.runtime/lib64/bionic/libc.so
 *       symbol: read
 *       execution_type: native                only if it was asked for
 *       callchain:                            the callers
 *         vaddr_in_file: 7c00
 *         file: /data/app/base.odex
 *         symbol: com.example.App.load
 *
 * Leaf first. The thread is the first frame; each event is a series, weighed as in the protobuf
 * (simpleperf.c), so that both forms of a recording have the same stacks. A symbol "unknown" is
 * none: the frame is named by its file and address. Dropped: context switches. Counted: the
 * samples of "lost_situation". Keys that are new are ignored.
 *
 * Source: system/extras/simpleperf/cmd_report_sample.cpp of Android.
 */
#include "input/build/sample.h"
#include "input/format.h"
#include "input/formats/android/simpleperf_frame.h"

enum key {
    KEY_EVENT,
    KEY_TIME,
    KEY_COUNT,
    KEY_TID,
    KEY_THREAD,
    KEY_ADDRESS,
    KEY_FILE,
    KEY_SYMBOL,
    KEY_EXECUTION,
    KEY_LOST,
    KEY_OTHER,
};

static const struct slice keys[] = {
    [KEY_EVENT] = {"event_type", 10},
    [KEY_TIME] = {"time", 4},
    [KEY_COUNT] = {"event_count", 11},
    [KEY_TID] = {"thread_id", 9},
    [KEY_THREAD] = {"thread_name", 11},
    [KEY_ADDRESS] = {"vaddr_in_file", 13},
    [KEY_FILE] = {"file", 4},
    [KEY_SYMBOL] = {"symbol", 6},
    [KEY_EXECUTION] = {"execution_type", 14},
    [KEY_LOST] = {"lost_count", 10},
};

struct simpleperf_text {
    struct sample sample;
    bool within; /* a sample, not a context switch */
    bool bare;   /* the sample has no frame so far */
    bool weighed, timed;
    uint64_t time;
    struct slice thread;
    bool framed; /* `frame` is begun: more lines about it may follow */
    struct frame frame;
    struct buf file, symbol; /* texts of `frame` */
    enum simpleperf_execution execution;
};

/* Splits "  KEY: VALUE", of which KEY may be followed by blanks. */
static enum key parse_line(struct slice line, struct slice *value)
{
    struct slice text = slice_trim_left(line), name;
    size_t colon = slice_find(text, ':');

    name = slice_trim_right(slice_take(text, colon));
    *value = slice_trim(slice_skip(text, colon + 1));
    for (size_t key = 0; name.len && colon < text.len && key < KEY_OTHER; key++)
        if (name.ptr[0] == keys[key].ptr[0] && slice_equal(name, keys[key]))
            return (enum key)key;
    return KEY_OTHER;
}

static struct slice put(struct buf *to, struct slice text)
{
    buf_clear(to);
    buf_add_slice(to, text);
    return buf_slice(to);
}

static enum simpleperf_execution parse_execution(struct slice value)
{
    if (slice_equal(value, SLICE("interpreted_jvm_method")))
        return SIMPLEPERF_INTERPRETED;
    if (slice_equal(value, SLICE("jit_jvm_method")))
        return SIMPLEPERF_JIT;
    return SIMPLEPERF_NATIVE;
}

static bool simpleperf_text_claims(const struct head *head)
{
    struct slice rest = head->bytes, line, value;

    while (head_line(head, &rest, &line))
        if (slice_equal(slice_trim_right(line), SLICE("sample:")))
            return head_line(head, &rest, &line) && slice_starts(line, SLICE("  ")) &&
                   parse_line(line, &value) == KEY_EVENT;
    return false;
}

static bool starts_sample(struct slice line)
{
    return slice_equal(slice_trim_right(line), SLICE("sample:"));
}

static void push_frame(struct simpleperf_text *r)
{
    if (!r->framed)
        return;
    if (r->frame.name.len)
        r->frame.kind = android_frame_kind(r->frame.module, r->execution);
    sample_frame(&r->sample, &r->frame);
    r->framed = false;
}

/* Opens the sample, whose weight and thread were read. */
static bool begin_sample(struct simpleperf_text *r)
{
    struct sample *s = &r->sample;
    uint64_t weight = s->weight.value;

    if (!sample_open(s, SLICE("")))
        return false;
    r->bare = false;
    s->weight.value = weight;
    if (r->thread.len)
        builder_name(&s->builder, r->thread, FRAME_OWNER);
    builder_leaf_first(&s->builder);
    return true;
}

/* Adds the sample that is open, or one without frames. */
static bool close_sample(struct simpleperf_text *r)
{
    struct sample *s = &r->sample;

    if (r->within && r->weighed && r->bare && !begin_sample(r))
        return false;
    push_frame(r);
    if (s->open && r->timed)
        builder_time(&s->builder, builder_series(&s->builder, &s->origin, s->unit), r->time);
    return sample_close(s);
}

/* Begins a sample, or what is none. */
static bool open_block(struct simpleperf_text *r, bool sample)
{
    struct sample *s = &r->sample;

    if (!close_sample(r))
        return false;
    s->origin = (struct origin){0};
    s->unit = unit_samples;
    r->within = r->bare = sample;
    r->weighed = r->timed = false;
    r->thread = SLICE("");
    r->execution = SIMPLEPERF_NATIVE;
    return true;
}

/* The first frame follows the weight and the thread. */
static bool open_frame(struct text *t, struct simpleperf_text *r, struct slice address)
{
    if (!r->weighed)
        return text_skip_line(t, "expected 'event_count: N' before the frame", address);
    push_frame(r);
    if (!r->sample.open && !begin_sample(r))
        return false;
    r->frame = (struct frame){.kind = FRAME_NATIVE};
    r->frame.has_address = num_parse_hex(address, &r->frame.address);
    r->execution = SIMPLEPERF_NATIVE;
    return r->framed = true;
}

static bool read_count(struct text *t, struct simpleperf_text *r, struct slice value)
{
    r->sample.weight = (struct decimal){0};
    r->weighed = num_parse_u64(value, &r->sample.weight.value);
    return r->weighed || text_skip_line(t, "expected 'event_count: N'", value);
}

static void read_origin(struct simpleperf_text *r, enum key key, struct slice value)
{
    struct sample *s = &r->sample;

    if (key == KEY_EVENT) {
        s->origin.event = sample_keep(s, value);
        s->unit = android_event_unit(s->origin.event);
    } else if (key == KEY_TID) {
        s->origin.tid = sample_keep(s, value);
    } else {
        s->origin.thread = r->thread = sample_keep(s, value);
    }
}

static bool read_value(struct text *t, struct simpleperf_text *r, enum key key, struct slice value)
{
    switch (key) {
    case KEY_EVENT:
    case KEY_TID:
    case KEY_THREAD:
        read_origin(r, key, value);
        return true;
    case KEY_TIME:
        r->timed = num_parse_u64(value, &r->time);
        return true;
    case KEY_COUNT:
        return read_count(t, r, value);
    case KEY_ADDRESS:
        return open_frame(t, r, value);
    case KEY_FILE:
        r->frame.module = put(&r->file, value);
        return true;
    case KEY_SYMBOL:
        if (!slice_equal(value, SLICE("unknown")))
            r->frame.name = put(&r->symbol, value);
        return true;
    case KEY_EXECUTION:
        r->execution = parse_execution(value);
        return true;
    default:
        return true;
    }
}

static bool simpleperf_text_line(struct text *t, void *state, struct slice line)
{
    struct simpleperf_text *r = state;
    struct slice value;
    enum key key;
    uint64_t lost;

    if (line.len && !slice_is_blank(line.ptr[0]))
        return open_block(r, starts_sample(line));
    key = parse_line(line, &value);
    if (key == KEY_OTHER && slice_find(line, ':') == line.len)
        return !slice_trim(line).len || text_skip_line(t, "expected 'KEY: VALUE'", line);
    if (key == KEY_LOST && num_parse_u64(value, &lost))
        t->profile->ledger.lost += lost;
    if (!r->within)
        return key != KEY_ADDRESS || text_skip_line(t, "a frame outside of any sample", line);
    return read_value(t, r, key, value);
}

static bool simpleperf_text_end(struct text *t, void *state)
{
    t->profile->has_threads = true;
    return close_sample(state);
}

STATE_RELEASE(simpleperf_text, (buf, file, symbol), (sample, sample));

const struct format format_simpleperf_text = {
    .name = "simpleperf-text",
    .family = FORMAT_JAVA,
    .description = "Android's simpleperf: report-sample as text",
    .recognised = "'sample:' and below it '  event_type: NAME'",
    .example = "simpleperf record -g -p PID; simpleperf report-sample --show-callchain "
               "> app.simpleperf",
    .without_stacks = "report-sample needs --show-callchain",
    .without_callers = "record them: simpleperf record -g",
    .needs = "sample:",
    .of_events = true,
    .claims = simpleperf_text_claims,
    .text = {.state_size = SAMPLE_STATE(struct simpleperf_text),
             .begin = sample_begin,
             .line = simpleperf_text_line,
             .end = simpleperf_text_end,
             .release = simpleperf_text_release,
             .starts_record = starts_sample},
};
