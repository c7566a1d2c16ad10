/*
 * V8's sampled heap profiles (.heapprofile): who allocated what is alive.
 *
 *     {"head": {"callFrame": {"functionName", "url", "lineNumber"},
 *               "selfSize": bytes, "children": [...], "id"},
 *      "samples": [{"size", "nodeId", "ordinal"}]}
 *
 * The weight of a node is its selfSize, in bytes. The samples are the same
 * allocations in the order of time, with those that are dead by now: how much
 * they come to is a fact. The node "(root)" is no frame.
 *
 * Source: the type "SamplingHeapProfile" of the Chrome DevTools Protocol.
 */
#include "input/format.h"
#include "input/v8_profile.h"

struct waiting {
    const struct json_value *node;
    uint32_t parent; /* stack */
};

struct heapprofile {
    struct content *content;
    struct builder builder;
    uint32_t series;
    VEC(struct waiting) waiting; /* nodes that have not been looked at */
    uint64_t samples, sampled;   /* how many, and their bytes */
    uint64_t bad;
};

static bool wanted_one_by_one(void *context, struct slice key)
{
    (void)context;
    return slice_equal(key, SLICE("samples"));
}

static bool read_node(struct heapprofile *h, const struct waiting *w)
{
    const struct json_value *call_frame = json_get(w->node, "callFrame");
    struct decimal size;
    uint32_t entry, stack = w->parent;

    if (!call_frame || !json_decimal(json_get(w->node, "selfSize"), &size, NULL)) {
        h->bad++;
        size = (struct decimal){0};
    }
    entry = call_frame ? v8_profile_frame(&h->builder, call_frame, false) : FRAME_TREE_NONE;
    if (entry != FRAME_TREE_NONE && !builder_child_entry(&h->builder, stack, entry, &stack))
        return false;
    if (size.value && !builder_add_at(&h->builder, h->series, stack, size))
        return false;
    json_each(child, json_get(w->node, "children")) * vec_add(&h->waiting) =
        (struct waiting){child, stack};
    return true;
}

static bool read_head(struct heapprofile *h, const struct json_value *head)
{
    *vec_add(&h->waiting) = (struct waiting){head, STACK_ROOT};
    while (h->waiting.count) {
        struct waiting w = h->waiting.items[--h->waiting.count];

        if (!read_node(h, &w))
            return false;
    }
    return true;
}

static bool read_value(void *context, struct slice parent, const struct json_value *v, uint64_t at)
{
    struct heapprofile *h = context;
    uint64_t size;

    (void)at;
    if (!parent.len && slice_equal(v->key, SLICE("head")))
        return read_head(h, v);
    if (parent.len && json_u64(json_get(v, "size"), &size) && num_add(h->sampled, size, &size)) {
        h->samples++;
        h->sampled = size;
    }
    return true;
}

static void finish(struct heapprofile *h)
{
    struct buf text;

    h->content->profile->ledger.unreadable += h->bad;
    if (h->bad)
        diag_add(h->content->diag, DIAG_WARNING, DIAG_AT_FILE,
                 "%lu nodes have no callFrame or no selfSize", (unsigned long)h->bad);
    if (!h->samples)
        return;
    buf_init(&text);
    buf_printf(&text, "%lu, of %lu bytes in all, dead ones included", (unsigned long)h->samples,
               (unsigned long)h->sampled);
    profile_add_fact(h->content->profile, SLICE("sampled allocations"), buf_slice(&text));
    buf_release(&text);
}

static bool read_heapprofile(struct content *content)
{
    struct heapprofile h = {.content = content};
    struct json_handler handler = {.context = &h, .each = wanted_one_by_one, .value = read_value};
    bool good;

    builder_init(&h.builder, content->profile, content->options, content->diag);
    h.series = builder_series(&h.builder, &(struct origin){0}, unit_named(SLICE("bytes")));
    good = json_read(content, &handler);
    if (good)
        finish(&h);
    vec_release(&h.waiting);
    builder_release(&h.builder);
    return good;
}

static bool claims(const struct head *head)
{
    return head_has(head, "head.callFrame.functionName") &&
           (head_has(head, "head.selfSize") || head_has(head, "head.children[].selfSize"));
}

const struct format format_heapprofile = {
    .name = "heapprofile",
    .family = FORMAT_BROWSERS,
    .description = "sampled heap profiles of V8: bytes alive, by who allocated them",
    .recognised = "JSON with a 'head' that has a 'callFrame' and a 'selfSize'",
    .example = "node --heap-prof app.js",
    .claims = claims,
    .read = read_heapprofile,
};
