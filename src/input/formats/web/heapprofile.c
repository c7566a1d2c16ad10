/*
 * V8's sampling heap profiles (.heapprofile): the stacks that allocated live objects.
 *
 *     {"head": {"callFrame": {"functionName", "url", "lineNumber"},
 *               "selfSize": bytes, "children": [...], "id"},
 *      "samples": [{"size", "nodeId", "ordinal"}]}
 *
 * The weight of a node is its selfSize, in bytes. The samples list the same
 * allocations in the order of time, and also those that were freed; their
 * number and size become a fact. The node "(root)" is not a frame.
 *
 * Source: the type "SamplingHeapProfile" of the Chrome DevTools Protocol.
 */
#include "input/format.h"
#include "input/parse/json_tree.h"
#include "input/formats/web/v8_profile.h"

/* What the file states about a node. */
struct node {
    uint32_t entry; /* of the builder; FRAME_TREE_NONE adds no frame */
    bool has_frame, has_size;
    struct decimal size;
};

struct heapprofile {
    struct content *content;
    struct builder builder;
    struct json_tree tree;
    VEC(struct node) nodes;
    VEC(uint32_t) stacks;      /* indexed by node */
    uint64_t samples, sampled; /* number of samples, and their bytes */
};

/* ---- nodes --------------------------------------------------------------------------------- */

static struct node *get_node(struct heapprofile *h, uint32_t node)
{
    json_tree_follow(&h->tree, &h->nodes, (struct node){.entry = FRAME_TREE_NONE});
    return &h->nodes.items[node];
}

static void read_member(void *context, uint32_t node, const struct json_value *v)
{
    struct heapprofile *h = context;
    struct node *n;

    if (node == JSON_TREE_NONE) {
        builder_skip_child(&h->builder, v);
        return;
    }
    n = get_node(h, node);
    if (slice_equal(v->key, SLICE("callFrame"))) {
        n->has_frame = v->type == JSON_OBJECT;
        n->entry = n->has_frame ? v8_profile_frame(&h->builder, v, false) : FRAME_TREE_NONE;
    } else if (slice_equal(v->key, SLICE("selfSize"))) {
        n->has_size = json_decimal(v, &n->size, NULL);
    }
}

static bool open_container(void *context, struct slice key)
{
    struct heapprofile *h = context;

    if (!slice_equal(key, SLICE("head")))
        return slice_equal(key, SLICE("samples"));
    json_tree_begin(&h->tree);
    return true;
}

static bool read_value(void *context, struct slice parent, const struct json_value *v, uint64_t at)
{
    struct heapprofile *h = context;
    uint64_t size;

    (void)at;
    if (!parent.len)
        return true;
    if (json_u64(json_get(v, "size"), &size) && num_add(h->sampled, size, &size)) {
        h->samples++;
        h->sampled = size;
    } else {
        builder_skip(&h->builder, DIAG_AT_FILE, "malformed sample: %s; skipped",
                     json_quoted(v).text);
    }
    return true;
}

/* ---- stacks -------------------------------------------------------------------------------- */

/* Counts and quotes a node that has no call frame or no size. */
static void skip_node(const struct heapprofile *h, const struct node *n)
{
    struct slice name = SLICE("(root)");

    if (!n->has_frame) {
        builder_skip(&h->builder, DIAG_AT_FILE,
                     "a node has no callFrame; skipped with its %llu bytes",
                     (unsigned long long)n->size.value);
        return;
    }
    if (n->entry != FRAME_TREE_NONE)
        name = builder_frame_of(&h->builder, n->entry).name;
    builder_skip(&h->builder, DIAG_AT_FILE,
                 "the selfSize of '%.*s' is missing or no number; it counts 0", SLICE_ARG(name));
}

static bool add_node(struct heapprofile *h, uint32_t series, uint32_t node)
{
    const struct node *n = &h->nodes.items[node];
    uint32_t parent = h->tree.parents.items[node];
    uint32_t stack = parent == JSON_TREE_NONE ? STACK_ROOT : h->stacks.items[parent];
    bool good = n->has_frame && n->has_size;

    if (!good)
        skip_node(h, n);
    if (n->entry != FRAME_TREE_NONE && !builder_child_entry(&h->builder, stack, n->entry, &stack))
        return false;
    *vec_add(&h->stacks) = stack;
    return !good || !n->size.value || builder_add_at(&h->builder, series, stack, n->size);
}

static bool add_nodes(struct heapprofile *h)
{
    uint32_t series = builder_series(&h->builder, &(struct origin){0}, unit_named(SLICE("bytes")));

    json_tree_end(&h->tree);
    if (h->tree.parents.count)
        get_node(h, 0);
    for (uint32_t i = 0; i < h->nodes.count; i++)
        if (!add_node(h, series, i))
            return false;
    return true;
}

static void finish(struct heapprofile *h)
{
    if (!h->samples)
        return;
    profile_print_fact(h->content->profile, SLICE("sampled allocations"),
                       "%lu, with %lu bytes in total, freed objects included",
                       (unsigned long)h->samples, (unsigned long)h->sampled);
}

static bool read_heapprofile(struct content *content)
{
    struct heapprofile h = {.content = content, .tree.member = read_member};
    struct json_handler handler = {
        .context = &h, .open = open_container, .tree = &h.tree, .value = read_value};
    bool good;

    builder_init(&h.builder, content->profile, content->options, content->diag);
    good = json_read(content, &handler) && add_nodes(&h);
    if (good)
        finish(&h);
    release_each(&h, (json_tree, tree), (vec, nodes, stacks), (builder, builder));
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
    .description = "V8 sampling heap profiles: live bytes by allocating stack",
    .recognised = "JSON with a 'head' that has a 'callFrame' and a 'selfSize'",
    .example = "node --heap-prof app.js",
    .claims = claims,
    .read = read_heapprofile,
};
