/*
 * stackprof's samples of Ruby programs, as JSON.
 *
 *     {"version": 1.2, "mode": "wall", "interval": 1000, "samples": 1554, "missed_samples": 0,
 *      "frames": {"4317464320": {"name": "Object#a", "file": "a.rb", "line": 21, ...}},
 *      "raw": [4, 101, 102, 103, 104, 1, 7, ...],
 *      "raw_timestamp_deltas": [4, 2, 0, ...], "raw_sample_timestamps": [...]}
 *
 * "raw" is a run of records: how many frames, the frames root first, how often
 * the stack was seen. Each time it was seen has a time since the sample before
 * (microseconds). In wall mode a stack weighs the sum of these, in cpu mode
 * its count times the interval, in the others its count. A garbage collection
 * stands alone in its stack and belongs on top of the stack before. Without
 * "raw" there are sums of functions only, and no stacks.
 */
#include "base/num.h"
#include "input/builder.h"
#include "input/format.h"
#include "input/json.h"

struct stackprof {
    struct builder b;
    const struct json_value *top;
    struct intern ids;                     /* of frames, as written */
    VEC(uint32_t) entries;                 /* by id */
    uint32_t collection;                   /* the entry of "(garbage collection)", or UINT32_MAX */
    VEC(uint32_t) stack, before;           /* entries, root first */
    const struct json_value *delta, *time; /* the next ones */
    const struct json_value *deltas, *times;
    uint64_t passed; /* the sum of all deltas so far */
    bool wall;       /* weights are times */
    uint64_t period; /* else a count weighs this much */
    uint32_t series;
    uint64_t unknown;
};

static bool stackprof_claims(const struct head *h)
{
    static const char *const modes[] = {"wall", "cpu", "object", "custom"};

    if (!head_has(h, "mode") || !head_has(h, "interval") || !head_has(h, "samples"))
        return false;
    for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++)
        if (slice_equal(head_text(h, "mode"), slice_str(modes[i])))
            return head_has(h, "frames") || head_has(h, "missed_samples");
    return false;
}

static void read_frame(struct stackprof *s, const struct json_value *frame)
{
    static const struct slice collection = {"(garbage collection)", 20};
    uint32_t id = intern_add(&s->ids, frame->key);
    struct frame f = {
        .name = json_text(json_get(frame, "name")),
        .file = json_text(json_get(frame, "file")),
        .kind = FRAME_PLAIN,
    };

    if (id != s->entries.count)
        return;
    json_u64(json_get(frame, "line"), &f.line);
    if (!f.name.len)
        f.name = SLICE("(unknown)");
    *vec_add(&s->entries) = builder_entry(&s->b, &f);
    if (slice_equal(f.name, collection))
        s->collection = s->entries.items[id];
}

static uint32_t entry_of(struct stackprof *s, struct slice number)
{
    uint32_t id = intern_find(&s->ids, number);

    if (id != MAP_NONE)
        return s->entries.items[id];
    s->unknown++;
    return builder_entry(&s->b, &(struct frame){.name = SLICE("(unknown)"), .kind = FRAME_PLAIN});
}

/* The weight of a stack that was seen `count` times; takes the times of these. */
static bool take_weight(struct stackprof *s, uint64_t count, uint64_t *weight)
{
    uint64_t number;

    *weight = 0;
    for (uint64_t i = 0; i < count && s->delta; i++) {
        if (s->wall && json_u64(s->delta, &number) && !num_add(*weight, number, weight))
            return false;
        s->delta = json_next(s->deltas, s->delta);
    }
    for (uint64_t i = 0; i < count && s->time; i++) {
        if (json_u64(s->time, &number) && num_mul(number, 1000, &number))
            builder_time(&s->b, s->series, number);
        s->time = json_next(s->times, s->time);
    }
    return s->wall || num_mul(count, s->period, weight);
}

/* The time that all deltas so far make, in nanoseconds. */
static int64_t time_passed(const struct stackprof *s)
{
    return s->passed > INT64_MAX / 1000 ? INT64_MAX : (int64_t)(s->passed * 1000);
}

/* Adds the stack in hand one sample after the other, as far as times are told of them. */
static bool add_samples(struct stackprof *s, uint64_t *count)
{
    uint64_t number, weight;
    uint32_t stack;

    if (!builder_stack(&s->b, &stack))
        return false;
    for (; *count && (s->delta || s->time); --*count) {
        if (s->delta && json_u64(s->delta, &number) && num_add(s->passed, number, &number))
            s->passed = number;
        if (s->delta)
            builder_moment(&s->b, s->series, time_passed(s));
        if (!take_weight(s, 1, &weight) ||
            !builder_add_at(&s->b, s->series, stack, (struct decimal){.value = weight}))
            return false;
    }
    return true;
}

static void push_stack(struct stackprof *s)
{
    bool collecting = s->stack.count && s->stack.items[0] == s->collection;

    builder_begin(&s->b);
    if (collecting)
        vec_each (uint32_t, entry, &s->before)
            builder_push(&s->b, *entry);
    vec_each (uint32_t, entry, &s->stack)
        builder_push(&s->b, *entry);
    if (!collecting) {
        vec_clear(&s->before);
        vec_each (uint32_t, entry, &s->stack)
            *vec_add(&s->before) = *entry;
    }
}

static bool add_stack(struct stackprof *s, uint64_t count)
{
    uint64_t weight;

    s->b.profile->ledger.lines++;
    push_stack(s);
    if (s->b.profile->keep_moments && count) {
        if (!add_samples(s, &count))
            return false;
        if (!count)
            return true;
    }
    if (!take_weight(s, count, &weight))
        return diag_error(s->b.diag, "the sum of the weights does not fit in 64 bits");
    return builder_add(&s->b, s->series, weight);
}

static bool read_raw(struct stackprof *s, const struct json_value *raw)
{
    const struct json_value *v = json_first(raw);
    uint64_t frames, count;

    while (v) {
        if (!json_u64(v, &frames))
            return diag_error(s->b.diag, "in 'raw' a number of frames is none");
        v = json_next(raw, v);
        vec_clear(&s->stack);
        for (; frames > 0 && v; frames--, v = json_next(raw, v))
            *vec_add(&s->stack) = entry_of(s, v->text);
        if (!v) {
            diag_add(s->b.diag, DIAG_WARNING, DIAG_AT_FILE,
                     "'raw' ends within a stack; what is complete was read");
            break;
        }
        if (!json_u64(v, &count))
            return diag_error(s->b.diag, "in 'raw' a number of samples is none");
        v = json_next(raw, v);
        if (!add_stack(s, count))
            return false;
    }
    return true;
}

static void find_weights(struct stackprof *s)
{
    struct slice mode = json_text(json_get(s->top, "mode"));
    bool cpu = slice_equal(mode, SLICE("cpu"));
    uint64_t interval = 0;
    struct unit unit = unit_samples;

    json_u64(json_get(s->top, "interval"), &interval);
    s->deltas = json_get(s->top, "raw_timestamp_deltas");
    s->delta = s->deltas ? json_first(s->deltas) : NULL;
    s->times = json_get(s->top, "raw_sample_timestamps");
    s->time = s->times ? json_first(s->times) : NULL;
    s->wall = slice_equal(mode, SLICE("wall")) && s->delta;
    s->period = (cpu || slice_equal(mode, SLICE("wall"))) && interval ? interval : 1;
    if (s->wall || s->period > 1)
        unit = unit_named(SLICE("us"));
    else if (slice_equal(mode, SLICE("object")) && interval == 1)
        unit = unit_named(SLICE("objects"));
    s->series = builder_series(&s->b, &(struct origin){.event = mode}, unit);
}

static bool read_document(struct stackprof *s)
{
    const struct json_value *raw = json_get(s->top, "raw");
    const struct json_value *frames = json_get(s->top, "frames");
    uint64_t stated;

    if (!raw || !raw->count)
        return diag_error(s->b.diag,
                          "no stacks in this stackprof file, which was recorded without 'raw'; "
                          "run: StackProf.run(raw: true, ...)");
    find_weights(s);
    json_each(frame, frames) read_frame(s, frame);
    if (!read_raw(s, raw))
        return false;
    if (json_u64(json_get(s->top, "missed_samples"), &stated))
        s->b.profile->ledger.lost += stated;
    if (s->unknown)
        diag_add(s->b.diag, DIAG_WARNING, DIAG_AT_FILE,
                 "%llu frames are not in the table of frames", (unsigned long long)s->unknown);
    return true;
}

static bool stackprof_read(struct content *c)
{
    struct stackprof s = {.collection = UINT32_MAX};
    struct json_document document;
    bool ok;

    builder_init(&s.b, c->profile, c->options, c->diag);
    intern_init(&s.ids);
    ok = json_load(c, &document);
    if (ok) {
        s.top = document.values.items;
        ok = read_document(&s);
    }
    json_release(&document);
    vec_release(&s.entries);
    vec_release(&s.stack);
    vec_release(&s.before);
    intern_release(&s.ids);
    builder_release(&s.b);
    return ok;
}

const struct format format_stackprof = {
    .name = "stackprof",
    .family = FORMAT_LANGUAGES,
    .description = "stackprof's samples of Ruby programs, as JSON",
    .recognised = "JSON with 'mode', 'interval', 'samples' and 'frames'",
    .example = "stackprof --json stackprof.dump > app.json   # of StackProf.run(raw: true, ...)",
    .in_order = true,
    .claims = stackprof_claims,
    .read = stackprof_read,
};
