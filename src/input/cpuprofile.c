/*
 * V8's CPU profiles (.cpuprofile), as Node and Chrome's developer tools save
 * them, in two shapes:
 *
 *     {"nodes": [{"id", "callFrame": {"functionName", "url", "lineNumber"},
 *                 "hitCount", "children": [ids]}, ...],
 *      "startTime": us, "endTime": us, "samples": [ids], "timeDeltas": [us]}
 *     {"head": {"id", "functionName", "url", "lineNumber", "hitCount",
 *               "children": [...]}, "samples": [ids], "timestamps": [us]}
 *
 * A sample weighs the time until the next one, in microseconds; delta i comes
 * before sample i, so that the sum of the deltas is the total, the first being
 * the time before any sample. Where there are no times each sample weighs one,
 * and where there are no samples the hits of the nodes count. The hits beside
 * samples, and the ticks of lines, are the same again and not read.
 *
 * Source: the types "Profile" and "ProfileNode" of the Chrome DevTools
 * Protocol; the older shape from files.
 */
#include "input/format.h"
#include "input/trace_time.h"
#include "input/v8_profile.h"

struct hits {
    uint32_t node;
    uint64_t count;
};

/* A node of the older shape that has not been looked at. */
struct waiting {
    const struct json_value *node;
    uint32_t parent;
};

struct cpuprofile {
    struct content *content;
    struct builder builder;
    struct v8_profile profile;
    VEC(struct hits) hits;
    VEC(uint32_t) samples;       /* nodes */
    VEC(int64_t) deltas, stamps; /* ns */
    VEC(struct waiting) waiting;
    int64_t start, end;
    uint64_t bad; /* nodes, samples and times that are none */
};

static bool wanted_one_by_one(void *context, struct slice key)
{
    (void)context;
    return slice_equal(key, SLICE("nodes")) || slice_equal(key, SLICE("samples")) ||
           slice_equal(key, SLICE("timeDeltas")) || slice_equal(key, SLICE("timestamps"));
}

static void add_hits(struct cpuprofile *c, uint32_t node, const struct json_value *v)
{
    uint64_t count;

    if (json_u64(json_get(v, "hitCount"), &count) && count)
        *vec_add(&c->hits) = (struct hits){node, count};
}

static void read_node(struct cpuprofile *c, const struct json_value *v)
{
    uint32_t node = v8_profile_node(&c->profile, v);

    if (node == FRAME_TREE_NONE)
        c->bad++;
    else
        add_hits(c, node, v);
}

/* A node of the older shape, which may have no id. */
static uint32_t read_old_node(struct cpuprofile *c, const struct waiting *w)
{
    struct frame_tree *tree = &c->profile.tree;
    const struct json_value *id = json_get(w->node, "id");
    struct buf text;
    uint32_t node;

    buf_init(&text);
    if (id && id->type == JSON_NUMBER)
        buf_add_slice(&text, id->text);
    else
        buf_printf(&text, "#%zu", tree->nodes.count);
    node = frame_tree_node(tree, buf_slice(&text));
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
            c->bad++;
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
        *vec_add(&c->samples) = frame_tree_node(&c->profile.tree, v->text);
    else
        c->bad++;
}

static bool read_value(void *context, struct slice parent, const struct json_value *v, uint64_t at)
{
    struct cpuprofile *c = context;
    int64_t ns;

    (void)at;
    if (slice_equal(parent, SLICE("nodes"))) {
        read_node(c, v);
    } else if (slice_equal(parent, SLICE("samples"))) {
        read_sample(c, v);
    } else if (parent.len) {
        bool good = trace_time_get(v, &ns);

        c->bad += !good;
        if (slice_equal(parent, SLICE("timeDeltas")))
            *vec_add(&c->deltas) = good ? ns : 0;
        else if (good)
            *vec_add(&c->stamps) = ns;
    } else if (slice_equal(v->key, SLICE("head"))) {
        read_head(c, v);
    } else if (slice_equal(v->key, SLICE("startTime"))) {
        trace_time_get(v, &c->start);
    } else if (slice_equal(v->key, SLICE("endTime"))) {
        trace_time_get(v, &c->end);
    }
    return true;
}

/* Times of samples as times between them: the first one begins the clock. */
static void stamps_to_deltas(struct cpuprofile *c)
{
    if (c->deltas.count || !c->stamps.count)
        return;
    *vec_add(&c->deltas) = 0;
    for (size_t i = 1; i < c->stamps.count; i++) {
        int64_t delta;

        if (__builtin_sub_overflow(c->stamps.items[i], c->stamps.items[i - 1], &delta))
            delta = 0;
        *vec_add(&c->deltas) = delta;
    }
    c->start = c->stamps.items[0];
    c->end = c->stamps.items[c->stamps.count - 1];
}

static void note_times(struct cpuprofile *c, uint32_t series)
{
    if (c->start > 0 && c->end >= c->start) {
        builder_time(&c->builder, series, (uint64_t)c->start);
        builder_time(&c->builder, series, (uint64_t)c->end);
    }
}

/* Samples with times between them. */
static bool finish_timed(struct cpuprofile *c)
{
    size_t samples = c->samples.count, deltas = c->deltas.count;
    size_t skip = deltas + 1 == samples ? 1 : 0; /* then none is before the first sample */
    uint32_t series = builder_series(&c->builder, &(struct origin){0}, trace_time_unit);

    if (deltas + 1 < samples || deltas > samples + 1)
        diag_add(c->content->diag, DIAG_WARNING, DIAG_AT_FILE,
                 "%zu samples and %zu times between them do not belong together; samples without "
                 "one weigh nothing",
                 samples, deltas);
    for (size_t i = 0; i < samples || i < deltas; i++) {
        if (i >= skip && i - skip < deltas)
            v8_profile_pass(&c->profile, c->deltas.items[i - skip]);
        if (i < samples)
            v8_profile_sample(&c->profile, c->samples.items[i]);
    }
    note_times(c, series);
    return v8_profile_finish(&c->profile, STACK_ROOT, series, c->start);
}

/* Hits of nodes, or samples without times: a weight of one each. */
static bool finish_counted(struct cpuprofile *c)
{
    uint32_t series = builder_series(&c->builder, &(struct origin){0}, unit_samples);

    if (c->samples.count) {
        c->content->profile->in_order = true;
        vec_clear(&c->hits);
        vec_each (uint32_t, node, &c->samples)
            *vec_add(&c->hits) = (struct hits){*node, 1};
    }
    vec_each (struct hits, h, &c->hits) {
        struct decimal weight = {.value = h->count};
        uint32_t stack;

        if (!frame_tree_stack(&c->profile.tree, h->node, STACK_ROOT, &stack) ||
            !builder_add_at(&c->builder, series, stack, weight))
            return false;
        builder_count(&c->builder, series, h->count - 1);
    }
    return true;
}

static bool finish(struct cpuprofile *c)
{
    if (c->bad)
        diag_add(c->content->diag, DIAG_WARNING, DIAG_AT_FILE,
                 "%lu nodes, samples or times are no such thing; skipped", (unsigned long)c->bad);
    c->content->profile->ledger.unreadable += c->bad;
    stamps_to_deltas(c);
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
    vec_release(&c.hits);
    vec_release(&c.samples);
    vec_release(&c.deltas);
    vec_release(&c.stamps);
    vec_release(&c.waiting);
    v8_profile_release(&c.profile);
    builder_release(&c.builder);
    return good;
}

static bool claims(const struct head *head)
{
    return (head_has(head, "nodes[].callFrame.functionName") && !head_has(head, "nodes[].type")) ||
           (head_has(head, "head.functionName") && head_has(head, "head.hitCount"));
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
