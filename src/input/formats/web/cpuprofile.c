/*
 * V8's CPU profiles (.cpuprofile), as Node and Chrome's developer tools save
 * them, in two forms:
 *
 *     {"nodes": [{"id", "callFrame": {"functionName", "url", "lineNumber"},
 *                 "hitCount", "children": [ids]}, ...],
 *      "startTime": us, "endTime": us, "samples": [ids], "timeDeltas": [us]}
 *     {"head": {"id", "functionName", "url", "lineNumber", "hitCount",
 *               "children": [...]}, "samples": [ids], "timestamps": [us]}
 *
 * The answer of the protocol's Profiler.stop is read, too: {"profile": {...}}.
 *
 * A sample weighs the time until the next one, in microseconds. Delta i
 * precedes sample i: the sum of the deltas is the total and the first delta, the
 * time before any sample. Without times each sample weighs 1; without
 * samples the hit counts of the nodes are the weights. Otherwise hit counts and
 * the ticks of lines repeat what the samples say and are not read.
 *
 * Source: the types "Profile" and "ProfileNode" of the Chrome DevTools
 * Protocol; the older form from files.
 */
#include <stdlib.h>

#include "input/format.h"
#include "input/parse/number_list.h"
#include "input/parse/trace_time.h"
#include "input/formats/web/v8_profile.h"

enum { NS_PER_US = 1000 };

struct hits {
    uint32_t node;
    uint64_t count;
};

/* Times in order, in microseconds; most have no fraction. */
struct times {
    struct number_list list; /* microseconds + 1; or 0, then nanoseconds */
    size_t count;
};

/* A node of the older form that was not visited yet. */
struct waiting {
    const struct json_value *node;
    uint32_t parent;
};

struct cpuprofile {
    struct content *content;
    struct builder builder;
    struct v8_profile profile;
    VEC(struct hits) hits;
    struct number_list samples; /* ids of nodes */
    struct times deltas, steps; /* between samples: as stated, and from timestamps */
    int64_t stamp;              /* the last timestamp, ns */
    int64_t first_stamp;
    VEC(struct waiting) waiting;
    int64_t start, end;
};

static bool wanted_one_by_one(void *context, struct slice key)
{
    (void)context;
    return slice_equal(key, SLICE("nodes")) || slice_equal(key, SLICE("samples")) ||
           slice_equal(key, SLICE("timeDeltas")) || slice_equal(key, SLICE("timestamps")) ||
           slice_equal(key, SLICE("profile"));
}

static void add_time(struct times *t, int64_t ns)
{
    t->count++;
    if (ns % NS_PER_US == 0) {
        number_list_add(&t->list, number_list_fold(ns / NS_PER_US) + 1);
        return;
    }
    number_list_add(&t->list, 0);
    number_list_add(&t->list, number_list_fold(ns));
}

static bool next_time(const struct times *t, size_t *at, int64_t *ns)
{
    uint64_t number;

    if (!number_list_next(&t->list, at, &number))
        return false;
    if (number) {
        *ns = number_list_unfold(number - 1) * NS_PER_US;
        return true;
    }
    number_list_next(&t->list, at, &number);
    *ns = number_list_unfold(number);
    return true;
}

/* Adds a timestamp as the time since the previous sample. */
static void add_stamp(struct cpuprofile *c, int64_t ns)
{
    int64_t step;

    if (!c->steps.count)
        c->first_stamp = c->stamp = ns;
    if (__builtin_sub_overflow(ns, c->stamp, &step))
        step = 0;
    add_time(&c->steps, step);
    c->stamp = ns;
}

static void add_hits(struct cpuprofile *c, uint32_t node, const struct json_value *v)
{
    const struct json_value *hits = json_get(v, "hitCount");
    uint64_t count = 0;

    if (hits && !json_u64(hits, &count))
        builder_skip(&c->builder, DIAG_AT_FILE, "malformed hit count: %s; skipped",
                     json_quoted(hits).text);
    if (count)
        *vec_add(&c->hits) = (struct hits){node, count};
}

static void skip_node(struct cpuprofile *c, const struct json_value *v)
{
    builder_skip(&c->builder, DIAG_AT_FILE, "malformed node: %s; skipped", json_quoted(v).text);
}

static void read_node(struct cpuprofile *c, const struct json_value *v)
{
    uint32_t node = v8_profile_node(&c->profile, v);

    if (node == FRAME_TREE_NONE)
        skip_node(c, v);
    else
        add_hits(c, node, v);
}

/* Reads a node of the older form, which may have no id, or that of a node before. */
static uint32_t read_old_node(struct cpuprofile *c, const struct waiting *w)
{
    struct frame_tree *tree = &c->profile.tree;
    const struct json_value *id = json_get(w->node, "id");
    struct buf text = {0};
    uint32_t node;

    if (id && id->type == JSON_NUMBER)
        buf_add_slice(&text, id->text);
    else
        buf_printf(&text, "#%zu", tree->nodes.count);
    node = frame_tree_new(tree, buf_slice(&text));
    buf_release(&text);
    frame_tree_define(tree, node, v8_profile_frame(&c->builder, w->node, true));
    frame_tree_hang(tree, node, w->parent);
    add_hits(c, node, w->node);
    return node;
}

static void read_head(struct cpuprofile *c, const struct json_value *head)
{
    *vec_add(&c->waiting) = (struct waiting){head, FRAME_TREE_NONE};
    while (c->waiting.count) {
        struct waiting w = c->waiting.items[--c->waiting.count];
        uint32_t node;

        if (w.node->type != JSON_OBJECT) {
            skip_node(c, w.node);
            continue;
        }
        node = read_old_node(c, &w);
        json_each(child, json_get(w.node, "children")) * vec_add(&c->waiting) =
            (struct waiting){child, node};
    }
}

static void read_sample(struct cpuprofile *c, const struct json_value *v)
{
    if (v->type == JSON_NUMBER || v->type == JSON_STRING)
        number_list_add(&c->samples, frame_tree_node(&c->profile.tree, v->text));
    else
        builder_skip(&c->builder, DIAG_AT_FILE, "malformed sample: %s; skipped",
                     json_quoted(v).text);
}

/* Reads a time between samples, or a time stamp of one, which the member `parent` has. */
static void read_time(struct cpuprofile *c, struct slice parent, const struct json_value *v)
{
    int64_t ns;
    bool good = trace_time_get(v, &ns);

    if (!good)
        builder_skip(&c->builder, DIAG_AT_FILE, "malformed time: %s; skipped", json_quoted(v).text);
    if (slice_equal(parent, SLICE("timeDeltas")))
        add_time(&c->deltas, good ? ns : 0);
    else if (good)
        add_stamp(c, ns);
}

/* Reads a member of the profile, or an element of its member `parent`. */
static bool read_member(struct cpuprofile *c, struct slice parent, const struct json_value *v)
{
    if (slice_equal(parent, SLICE("nodes"))) {
        read_node(c, v);
    } else if (slice_equal(parent, SLICE("samples"))) {
        read_sample(c, v);
    } else if (parent.len) {
        read_time(c, parent, v);
    } else if (slice_equal(v->key, SLICE("head"))) {
        read_head(c, v);
    } else if (slice_equal(v->key, SLICE("startTime"))) {
        trace_time_get(v, &c->start);
    } else if (slice_equal(v->key, SLICE("endTime"))) {
        trace_time_get(v, &c->end);
    }
    return true;
}

static bool read_value(void *context, struct slice parent, const struct json_value *v, uint64_t at)
{
    struct cpuprofile *c = context;

    (void)at;
    if (!slice_equal(parent, SLICE("profile")))
        return read_member(c, parent, v);
    if (v->type != JSON_ARRAY)
        return read_member(c, SLICE(""), v);
    for (const struct json_value *e = json_first(v); e; e = json_next(v, e))
        if (!read_member(c, v->key, e))
            return false;
    return true;
}

/* Uses the timestamps if there are no deltas; the clock starts at the first sample. */
static void use_stamps(struct cpuprofile *c)
{
    struct times none = c->deltas;

    if (c->deltas.count || !c->steps.count)
        return;
    c->deltas = c->steps;
    c->steps = none;
    c->start = c->first_stamp;
    c->end = c->stamp;
}

static void note_times(struct cpuprofile *c, uint32_t series)
{
    if (c->start > 0 && c->end >= c->start) {
        builder_time(&c->builder, series, (uint64_t)c->start);
        builder_time(&c->builder, series, (uint64_t)c->end);
    }
}

/* A last sample of the root, which no time follows, only ends the sample before it. */
static bool only_ends(struct cpuprofile *c, uint32_t node)
{
    uint32_t stack;

    return frame_tree_stack(&c->profile.tree, node, STACK_ROOT, &stack) && stack == STACK_ROOT;
}

static int compare_numbers(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

    return x < y ? -1 : x > y;
}

/* Returns the usual time between samples, by the first of them. */
static uint64_t usual_interval(const struct cpuprofile *c)
{
    enum { ENOUGH = 4096 };
    VEC(int64_t) deltas = {0};
    int64_t ns = 0;
    size_t at = 0;

    while (deltas.count < ENOUGH && next_time(&c->deltas, &at, &ns))
        *vec_add(&deltas) = ns;
    qsort(deltas.items, deltas.count, sizeof(*deltas.items), compare_numbers);
    ns = deltas.items[deltas.count / 2];
    vec_release(&deltas);
    return ns > 0 ? (uint64_t)ns : 0;
}

/*
 * Whether a profiler took the samples, and took none while the program waited: the nodes have as
 * many hits as there are samples, and none is of a state in which no code runs.
 */
static bool waits_in_gaps(const struct cpuprofile *c)
{
    uint64_t hits = 0;

    vec_each (struct hits, h, &c->hits)
        if (!num_add(hits, h->count, &hits))
            return false;
    return !c->profile.has_states && hits == c->samples.count;
}

/* Adds samples that have times between them. */
static bool finish_timed(struct cpuprofile *c)
{
    size_t samples = c->samples.count, deltas = c->deltas.count;
    size_t skip = deltas + 1 == samples ? 1 : 0; /* then no delta precedes the first sample */
    uint32_t series = builder_series(&c->builder, &(struct origin){0}, trace_time_unit);
    size_t next_sample = 0, next_delta = 0;
    uint64_t node, interval;
    int64_t ns;

    if (waits_in_gaps(c) && (interval = usual_interval(c)) < UINT64_MAX / V8_PROFILE_LONGEST)
        v8_profile_expect(&c->profile, interval, interval * V8_PROFILE_LONGEST);
    if (deltas + 1 < samples || deltas > samples + 1) {
        diag_warn(c->content->diag,
                  "%zu samples do not match %zu time deltas; what has no counterpart is skipped",
                  samples, deltas);
        c->content->profile->ledger.unreadable +=
            deltas < samples ? samples - deltas : deltas - samples;
    }
    for (size_t i = 0; i < samples || i < deltas; i++) {
        if (i >= skip && next_time(&c->deltas, &next_delta, &ns))
            v8_profile_pass(&c->profile, ns);
        if (!number_list_next(&c->samples, &next_sample, &node))
            continue;
        if (i + 1 < samples || deltas > samples || !only_ends(c, (uint32_t)node))
            v8_profile_sample(&c->profile, (uint32_t)node);
    }
    note_times(c, series);
    v8_profile_end(&c->profile);
    return v8_profile_add(&c->profile, STACK_ROOT, series, c->start);
}

static bool add_count(struct cpuprofile *c, uint32_t series, uint32_t node, uint64_t count)
{
    uint32_t stack;

    if (!frame_tree_stack(&c->profile.tree, node, STACK_ROOT, &stack) ||
        !builder_add_at(&c->builder, series, stack, (struct decimal){.value = count}))
        return false;
    builder_count(&c->builder, series, count - 1);
    return true;
}

/* Adds hit counts, or samples without times, which weigh 1 each. */
static bool finish_counted(struct cpuprofile *c)
{
    uint32_t series = builder_series(&c->builder, &(struct origin){0}, unit_samples);
    uint64_t node;

    if (c->samples.count)
        c->content->profile->in_order = true;
    for (size_t at = 0; number_list_next(&c->samples, &at, &node);)
        if (!add_count(c, series, (uint32_t)node, 1))
            return false;
    if (!c->samples.count)
        vec_each (struct hits, h, &c->hits)
            if (!add_count(c, series, h->node, h->count))
                return false;
    return true;
}

static bool finish(struct cpuprofile *c)
{
    use_stamps(c);
    return c->samples.count && c->deltas.count ? finish_timed(c) : finish_counted(c);
}

static bool read_cpuprofile(struct content *content)
{
    struct cpuprofile c = {.content = content};
    struct json_handler handler = {.context = &c, .each = wanted_one_by_one, .value = read_value};
    bool good;

    builder_init(&c.builder, content->profile, content->options, content->diag);
    v8_profile_init(&c.profile, &c.builder);
    good = json_read(content, &handler) && finish(&c);
    release_each(&c, (vec, hits, waiting), (number_list, samples, deltas.list, steps.list),
                 (v8_profile, profile), (builder, builder));
    return good;
}

static bool claims(const struct head *head)
{
    return (head_has(head, "nodes[].callFrame.functionName") && !head_has(head, "nodes[].type")) ||
           head_has(head, "profile.nodes[].callFrame.functionName") ||
           (head_has(head, "head.functionName") && head_has(head, "head.hitCount")) ||
           (head_has(head, "profile.head.functionName") && head_has(head, "profile.head.hitCount"));
}

const struct format format_cpuprofile = {
    .name = "cpuprofile",
    .family = FORMAT_BROWSERS,
    .description = "CPU profiles of V8: Node, Chrome, Deno, Electron",
    .recognised = "JSON with 'nodes' that have a 'callFrame', or a 'head' with a "
                  "'functionName' and a 'hitCount'",
    .example = "node --cpu-prof app.js",
    .claims = claims,
    .read = read_cpuprofile,
};
