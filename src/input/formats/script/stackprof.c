/*
 * Samples of Ruby programs, recorded by stackprof, as JSON.
 *
 *     {"version": 1.2, "mode": "wall", "interval": 1000, "samples": 1554, "missed_samples": 0,
 *      "frames": {"4317464320": {"name": "Object#a", "file": "a.rb", "line": 21, ...}},
 *      "raw": [4, 101, 102, 103, 104, 1, 7, ...],
 *      "raw_timestamp_deltas": [4, 2, 0, ...], "raw_sample_timestamps": [...]}
 *
 * "raw" is a sequence of records: the number of frames, the frames root first,
 * how often the stack was seen. Each occurrence has a time since the previous
 * sample (microseconds). In wall mode a stack weighs the sum of these times, in
 * cpu mode its count times the interval, in other modes its count. A garbage
 * collection is recorded as a stack of its own and is drawn on top of the stack
 * before it. Without "raw" the file has sums of functions only, and no stacks.
 */
#include "base/map.h"
#include "base/num.h"
#include "input/build/builder.h"
#include "input/format.h"
#include "input/parse/json.h"
#include "input/parse/number_list.h"
#include "profile/stack.h"

#define NONE UINT32_MAX

enum { NS_PER_US = 1000 };

/* What the next number of "raw" is. */
enum part { PART_FRAMES, PART_FRAME, PART_COUNT };

/* Key: a stack of the file; for a garbage collection, the stack below it. */
struct frame_cache {
    uint32_t before, stack, id;
};

/* The numbers of an array, each plus 1; 0 for a malformed one. */
struct numbers {
    struct number_list list;
    size_t at; /* offset of the next one */
};

struct stackprof {
    struct builder b;
    struct buf mode;
    uint64_t interval, missed;
    struct intern ids;     /* of frames, as written */
    VEC(uint32_t) entries; /* indexed by intern id; NONE if it is not defined yet */
    uint32_t collection;   /* the entry of "(garbage collection)", or NONE */
    /* "raw": its stacks, made of ids; for each record its stack and its count. */
    struct stacks stacks;
    struct number_list records;
    bool has_raw;
    enum part part;
    uint64_t left; /* frames of the current stack not yet read */
    uint32_t stack;
    /* Times are kept until the end, because they follow "raw". */
    struct numbers deltas, times;
    uint64_t time;   /* the last one read */
    uint64_t passed; /* the sum of the deltas used so far */
    bool wall;       /* weights are times */
    uint64_t period; /* else a count weighs this much */
    uint32_t series;
    VEC(uint32_t) first; /* indexed by stack: its first frame */
    VEC(uint32_t) path;
    struct map index;
    VEC(struct frame_cache) known;
    uint64_t timeless; /* samples that no delta is left for */
};

static bool stackprof_claims(const struct head *h)
{
    return head_has(h, "mode") && head_has(h, "interval") && head_has(h, "samples") &&
           slice_is_any(head_text(h, "mode"), "wall", "cpu", "object", "custom") &&
           (head_has(h, "frames") || head_has(h, "missed_samples"));
}

/* ---- reading ------------------------------------------------------------------------------- */

static uint32_t id_of(struct stackprof *s, struct slice text)
{
    uint32_t id = intern_add(&s->ids, text);

    while (s->entries.count <= id)
        *vec_add(&s->entries) = NONE;
    return id;
}

static void read_frame(struct stackprof *s, const struct json_value *frame)
{
    static const struct slice collection = {"(garbage collection)", 20};
    uint32_t id = id_of(s, frame->key);
    struct frame f = {
        .name = json_text(json_get(frame, "name")),
        .file = json_text(json_get(frame, "file")),
        .kind = FRAME_PLAIN,
    };

    if (s->entries.items[id] != NONE)
        return;
    json_u64(json_get(frame, "line"), &f.line);
    if (!f.name.len)
        f.name = SLICE("(unknown)");
    s->entries.items[id] = builder_entry(&s->b, &f);
    if (slice_equal(f.name, collection))
        s->collection = s->entries.items[id];
}

static bool push_frame(struct stackprof *s, struct slice text)
{
    uint32_t most = s->b.options->limits.max_stacks;

    if (s->stacks.count > most || s->stacks.count == STACKS_MOST)
        return diag_error(s->b.diag,
                          "more than %u different stacks; --max-stacks N raises the limit", most);
    s->stack = stacks_push(&s->stacks, s->stack, id_of(s, text));
    if (!--s->left)
        s->part = PART_COUNT;
    return true;
}

/* Reads a number of "raw". */
static bool read_raw(struct stackprof *s, const struct json_value *v)
{
    uint64_t count;

    s->has_raw = true;
    switch (s->part) {
    case PART_FRAMES:
        if (!json_u64(v, &s->left))
            return diag_error(s->b.diag, "malformed number of frames in 'raw'");
        s->stack = STACK_ROOT;
        s->part = s->left ? PART_FRAME : PART_COUNT;
        return true;
    case PART_FRAME:
        return push_frame(s, v->text);
    case PART_COUNT:
        if (!json_u64(v, &count))
            return diag_error(s->b.diag, "malformed number of samples in 'raw'");
        number_list_add(&s->records, s->stack);
        number_list_add(&s->records, count);
        s->part = PART_FRAMES;
        return true;
    }
    BUG("no such part");
}

static bool too_large(struct stackprof *s)
{
    return diag_error(s->b.diag, PROFILE_TOO_HEAVY);
}

static bool read_delta(struct stackprof *s, const struct json_value *v)
{
    uint64_t number;
    bool good = json_u64(v, &number);

    if (good && number == UINT64_MAX)
        return too_large(s);
    if (!good)
        builder_skip(&s->b, DIAG_AT_FILE, "malformed time delta: %s; it counts as 0",
                     json_quoted(v).text);
    number_list_add(&s->deltas.list, good ? number + 1 : 0);
    return true;
}

/* Microseconds since an epoch; stored as the difference to the previous one, which is smaller. */
static void read_time(struct stackprof *s, const struct json_value *v)
{
    uint64_t number;
    bool good = json_u64(v, &number) && number <= UINT64_MAX / NS_PER_US;

    if (!good)
        builder_skip(&s->b, DIAG_AT_FILE, "malformed time of a sample: %s; it has no time",
                     json_quoted(v).text);
    number_list_add(&s->times.list, good ? number_list_fold((int64_t)(number - s->time)) + 1 : 0);
    if (good)
        s->time = number;
}

static void read_setting(struct stackprof *s, const struct json_value *v)
{
    if (json_key_is(v, SLICE("mode"))) {
        buf_clear(&s->mode);
        buf_add_slice(&s->mode, json_text(v));
    } else if (json_key_is(v, SLICE("interval"))) {
        json_u64(v, &s->interval);
    } else if (json_key_is(v, SLICE("missed_samples"))) {
        json_u64(v, &s->missed);
    }
}

static void forget(struct numbers *n)
{
    number_list_clear(&n->list);
    n->at = 0;
}

/*
 * Returns true for members whose elements are read one by one; a repeated key replaces the first.
 */
static bool wanted_one_by_one(void *context, struct slice key)
{
    struct stackprof *s = context;

    if (slice_equal(key, SLICE("raw"))) {
        number_list_clear(&s->records);
        s->has_raw = false;
        s->part = PART_FRAMES;
    } else if (slice_equal(key, SLICE("raw_timestamp_deltas"))) {
        forget(&s->deltas);
    } else if (slice_equal(key, SLICE("raw_sample_timestamps"))) {
        forget(&s->times);
        s->time = 0;
    } else if (slice_equal(key, SLICE("frames"))) {
        vec_each (uint32_t, entry, &s->entries)
            *entry = NONE;
    } else {
        return false;
    }
    return true;
}

static bool read_value(void *context, struct slice parent, const struct json_value *v, uint64_t at)
{
    struct stackprof *s = context;

    (void)at;
    if (slice_equal(parent, SLICE("raw")))
        return read_raw(s, v);
    if (slice_equal(parent, SLICE("raw_timestamp_deltas")))
        return read_delta(s, v);
    if (slice_equal(parent, SLICE("raw_sample_timestamps")))
        read_time(s, v);
    else if (slice_equal(parent, SLICE("frames")))
        read_frame(s, v);
    else
        read_setting(s, v);
    return true;
}

/* ---- weights ------------------------------------------------------------------------------- */

static bool next_number(struct numbers *n, uint64_t *number)
{
    return number_list_next(&n->list, &n->at, number);
}

static bool has_next(const struct numbers *n)
{
    return n->at < n->list.bytes.len;
}

/*
 * Computes the weight of a stack seen `count` times, using up as many deltas. Returns false after
 * reporting an error.
 */
static bool take_weight(struct stackprof *s, uint64_t count, uint64_t *weight)
{
    uint64_t number, sum, i;

    *weight = 0;
    for (i = 0; i < count && next_number(&s->deltas, &number); i++) {
        if (number && num_add(s->passed, number - 1, &sum))
            s->passed = sum;
        if (s->wall && number && !num_add(*weight, number - 1, weight))
            return too_large(s);
    }
    s->timeless += count - i;
    return s->wall || num_mul(count, s->period, weight) || too_large(s);
}

static void take_times(struct stackprof *s, uint64_t count)
{
    uint64_t number;

    for (uint64_t i = 0; i < count && next_number(&s->times, &number); i++) {
        if (!number)
            continue;
        s->time += (uint64_t)number_list_unfold(number - 1);
        builder_time(&s->b, s->series, s->time * NS_PER_US);
    }
}

/* Returns the time since the start, the sum of the used deltas, in nanoseconds. */
static int64_t time_passed(const struct stackprof *s)
{
    return s->passed > INT64_MAX / NS_PER_US ? INT64_MAX : (int64_t)(s->passed * NS_PER_US);
}

static void find_weights(struct stackprof *s)
{
    struct slice mode = buf_slice(&s->mode);
    bool cpu = slice_equal(mode, SLICE("cpu"));
    struct unit unit = unit_samples;

    s->time = 0;
    s->wall = slice_equal(mode, SLICE("wall")) && has_next(&s->deltas);
    s->period = (cpu || slice_equal(mode, SLICE("wall"))) && s->interval ? s->interval : 1;
    if (s->wall || s->period > 1)
        unit = unit_named(SLICE("us"));
    else if (slice_equal(mode, SLICE("object")) && s->interval == 1)
        unit = unit_named(SLICE("objects"));
    s->series = builder_series(&s->b, &(struct origin){.event = mode}, unit);
}

/* ---- stacks -------------------------------------------------------------------------------- */

/* Defines a frame of "raw" that the table does not have. */
static void define_unknown(struct stackprof *s, uint32_t id)
{
    struct frame unknown = {.name = SLICE("(unknown)"), .kind = FRAME_PLAIN};

    builder_skip(&s->b, DIAG_AT_FILE, "frame %.*s is not in the frame table; shown as (unknown)",
                 SLICE_ARG(intern_get(&s->ids, id)));
    s->entries.items[id] = builder_entry(&s->b, &unknown);
}

/* Finds, for each stack of "raw", its first frame, and defines all frames. */
static void look_at_stacks(struct stackprof *s)
{
    *vec_add(&s->first) = NONE;
    for (uint32_t i = 1; i < s->stacks.count; i++) {
        uint32_t parent = s->stacks.parent[i], id = s->stacks.symbol[i];
        uint32_t first = parent == STACK_ROOT ? id : s->first.items[parent];

        *vec_add(&s->first) = first;
        if (s->entries.items[id] == NONE)
            define_unknown(s, id);
    }
}

static void push_stack(struct stackprof *s, uint32_t stack)
{
    uint32_t depth = stacks_depth(&s->stacks, stack);

    vec_reserve(&s->path, depth);
    stacks_frames(&s->stacks, stack, s->path.items, depth);
    for (uint32_t i = 0; i < depth; i++)
        builder_push(&s->b, s->entries.items[s->path.items[i]]);
}

static bool same_known(const void *context, uint32_t id, const void *key)
{
    const struct frame_cache *a = &((const struct stackprof *)context)->known.items[id], *b = key;

    return a->before == b->before && a->stack == b->stack;
}

/* Returns the profile's stack for a stack of "raw"; every use of a truncated one is counted. */
static bool get_stack(struct stackprof *s, uint32_t before, uint32_t stack, uint32_t *out)
{
    struct frame_cache known = {.before = before, .stack = stack};
    uint64_t hash = map_hash_pair(&s->index, before, stack),
             truncated = s->b.profile->ledger.truncated;
    uint32_t id = map_find(&s->index, hash, same_known, s, &known);

    if (id != MAP_NONE) {
        *out = s->known.items[id].id;
        return true;
    }
    builder_begin(&s->b);
    push_stack(s, before);
    push_stack(s, stack);
    if (!builder_stack(&s->b, out))
        return false;
    if (s->b.profile->ledger.truncated > truncated)
        return true;
    known.id = *out;
    map_add(&s->index, hash, (uint32_t)s->known.count);
    *vec_add(&s->known) = known;
    return true;
}

/* Adds the samples of a stack one by one, as far as they have times. */
static bool add_samples(struct stackprof *s, uint32_t stack, uint64_t *count)
{
    uint64_t weight;

    for (; *count && (has_next(&s->deltas) || has_next(&s->times)); --*count) {
        bool moment = has_next(&s->deltas);

        if (!take_weight(s, 1, &weight))
            return false;
        if (moment)
            builder_set_time(&s->b, s->series, time_passed(s));
        take_times(s, 1);
        if (!builder_add_at(&s->b, s->series, stack, (struct decimal){.value = weight}))
            return false;
    }
    return true;
}

static bool add_stack(struct stackprof *s, uint32_t stack, uint64_t count)
{
    uint64_t left = count, weight;

    s->b.profile->ledger.lines++;
    if (s->b.profile->keep_timed && !add_samples(s, stack, &left))
        return false;
    if (count && !left)
        return true;
    if (!take_weight(s, left, &weight))
        return false;
    take_times(s, left);
    return builder_add_at(&s->b, s->series, stack, (struct decimal){.value = weight});
}

static bool is_collection(const struct stackprof *s, uint32_t stack)
{
    uint32_t id = s->first.items[stack];

    return id != NONE && s->entries.items[id] == s->collection;
}

static bool add_records(struct stackprof *s)
{
    uint64_t number, count;
    uint32_t before = STACK_ROOT, stack;

    for (size_t at = 0; number_list_next(&s->records, &at, &number);) {
        bool collecting = is_collection(s, (uint32_t)number);

        number_list_next(&s->records, &at, &count);
        if (!get_stack(s, collecting ? before : STACK_ROOT, (uint32_t)number, &stack) ||
            !add_stack(s, stack, count))
            return false;
        if (!collecting)
            before = (uint32_t)number;
    }
    return true;
}

/* Counts the samples without a time delta, and the deltas without a sample. */
static void tell_deltas(struct stackprof *s)
{
    uint64_t number, left = 0;

    if (!s->wall)
        return;
    while (next_number(&s->deltas, &number))
        left++;
    builder_unreadable(&s->b, s->timeless,
                       "# sample{ has no time delta; it counts|s have no time delta; they count} "
                       "as 0");
    builder_unreadable(&s->b, left, "# time delta{ belongs|s belong} to no sample; skipped");
}

static bool finish(struct stackprof *s)
{
    if (!s->has_raw)
        return diag_error(s->b.diag,
                          "the file contains no stacks, because it was recorded without 'raw'; "
                          "run: StackProf.run(raw: true, ...)");
    find_weights(s);
    look_at_stacks(s);
    if (s->part != PART_FRAMES)
        builder_skip(&s->b, DIAG_AT_FILE,
                     "'raw' ends in the middle of a stack; %llu frame%s and the number of samples "
                     "are missing",
                     (unsigned long long)s->left, diag_s(s->left));
    if (!add_records(s))
        return false;
    s->b.profile->ledger.lost += s->missed;
    tell_deltas(s);
    return true;
}

static void release(struct stackprof *s)
{
    release_each(s, (vec, entries, first, path, known), (map, index),
                 (number_list, records, deltas.list, times.list), (stacks, stacks), (buf, mode),
                 (intern, ids), (builder, b));
}

static bool stackprof_read(struct content *c)
{
    struct stackprof s = {.collection = NONE};
    struct json_handler handler = {
        .context = &s, .one_document = true, .each = wanted_one_by_one, .value = read_value};
    bool ok;

    builder_init(&s.b, c->profile, c->options, c->diag);
    stacks_init(&s.stacks);
    ok = json_read(c, &handler) && finish(&s);
    release(&s);
    return ok;
}

const struct format format_stackprof = {
    .name = "stackprof",
    .family = FORMAT_LANGUAGES,
    .description = "stackprof samples of Ruby programs, as JSON",
    .recognised = "JSON with 'mode', 'interval', 'samples' and 'frames'",
    .example = "stackprof --json stackprof.dump > app.json   # of StackProf.run(raw: true, ...)",
    .in_order = true,
    .claims = stackprof_claims,
    .read = stackprof_read,
};
