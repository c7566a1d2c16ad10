#include "output/svg_pick.h"

#include "base/die.h"

enum {
    BUCKETS = 64 * 64,
    TABLES = 4,      /* of buckets: neighbours mostly weigh the same, and one would wait */
    MOST_STEPS = 64, /* towards the root, before a search is faster */
};

/* Six bits of a weight behind its highest one: steps of 1.6 per cent. */
static unsigned bucket_of(uint64_t weight)
{
    unsigned high = 63 - (unsigned)__builtin_clzll(weight | 1);

    return high < 6 ? (unsigned)weight : (high - 5) << 6 | ((unsigned)(weight >> (high - 6)) & 63);
}

static uint64_t bucket_floor(unsigned bucket)
{
    unsigned high = (bucket >> 6) + 5;

    return bucket < 64 ? bucket : (uint64_t)(64 | (bucket & 63)) << (high - 6);
}

/* What decides whether a node is kept: no more than that of its parent. */
static uint64_t importance(const struct tree *t, uint32_t node)
{
    return t->total[node] + (t->base ? t->base[node] : 0);
}

/* The least importance of which there are no more than `most`. */
static uint64_t find_least(uint32_t (*counts)[TABLES], uint32_t most)
{
    uint64_t sum = 0;

    for (unsigned b = BUCKETS; b-- > 1;) {
        for (unsigned i = 0; i < TABLES; i++)
            sum += counts[b][i];
        if (sum > most)
            return b + 1 < BUCKETS ? bucket_floor(b + 1) : UINT64_MAX;
    }
    return 1;
}

static uint64_t least_of_tree(const struct tree *t, uint32_t most)
{
    uint32_t(*counts)[TABLES];
    uint64_t least;

    if (t->count - 1 <= most)
        return 1;
    counts = xcalloc(BUCKETS, sizeof(*counts));
    for (uint32_t id = 1; id < t->count; id++)
        counts[bucket_of(importance(t, id))][id % TABLES]++;
    least = find_least(counts, most);
    free(counts);
    return least;
}

/*
 * The index of a node that was kept. Stacks mostly come one after the other,
 * so it is mostly the node kept last or one of those that lead to it.
 */
static uint32_t find_node(const struct svg_pick *p, uint32_t node)
{
    const struct svg_pick_node *nodes = p->nodes.items;
    size_t low = 0, high = p->nodes.count;
    uint32_t near = (uint32_t)high - 1;

    for (unsigned steps = 0; nodes[near].node > node && steps < MOST_STEPS; steps++)
        near = nodes[near].parent;
    if (nodes[near].node == node)
        return near;
    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (nodes[middle].node < node)
            low = middle + 1;
        else
            high = middle;
    }
    BUG_ON(low == p->nodes.count || nodes[low].node != node);
    return (uint32_t)low;
}

/* In a chart, what is left out leaves its place free, as own weight of the parent. */
static void leave_out(struct svg_pick *p, uint32_t node, uint64_t lead,
                      struct svg_pick_node *parent)
{
    const struct tree *t = p->tree;

    p->weight += t->total[node];
    parent->gone += t->total[node];
    if (t->lead) {
        parent->since += lead + t->total[node];
        parent->self += t->total[node];
        return;
    }
    parent->left_out += t->total[node];
    parent->left_before += t->base ? t->base[node] : 0;
}

/* Takes a node's weights from its parent's own: each begins with its total. */
static void add_child(struct svg_pick *p, uint32_t node)
{
    const struct tree *t = p->tree;
    uint32_t parent = find_node(p, t->parent[node]);
    struct svg_pick_node *above = &p->nodes.items[parent];
    uint64_t before = t->base ? t->base[node] : 0, lead = t->lead ? t->lead[node] : 0;

    above->self -= t->total[node];
    above->before -= before;
    if (importance(t, node) < p->least) {
        leave_out(p, node, lead, above);
        return;
    }
    lead += above->since;
    above->since = 0;
    *vec_add(&p->nodes) = (struct svg_pick_node){
        .node = node, .parent = parent, .self = t->total[node], .before = before, .lead = lead};
}

void svg_pick_init(struct svg_pick *p, const struct tree *t, uint32_t most)
{
    uint64_t *is_kept; /* a bit for each node: few bytes, near where most of the time goes */

    *p = (struct svg_pick){.tree = t, .least = least_of_tree(t, most)};
    *vec_add(&p->nodes) = (struct svg_pick_node){.self = t->total[TREE_ROOT],
                                                 .before = t->base ? t->base[TREE_ROOT] : 0};
    is_kept = xcalloc(t->count / 64 + 1, sizeof(*is_kept));
    is_kept[0] = importance(t, TREE_ROOT) >= p->least;
    for (uint32_t id = 1; id < t->count; id++) {
        uint64_t weight = importance(t, id);
        uint32_t parent = t->parent[id];

        is_kept[id / 64] |= (uint64_t)(weight >= p->least) << id % 64;
        p->frames += weight && weight < p->least;
        if (weight && is_kept[parent / 64] >> parent % 64 & 1)
            add_child(p, id);
    }
    free(is_kept);
}

void svg_pick_release(struct svg_pick *p)
{
    vec_release(&p->nodes);
}

/* Drops what is lighter than `least`. */
static void drop_nodes(struct svg_pick *p)
{
    uint32_t *place = xreallocarray(NULL, p->nodes.count, sizeof(*place));
    uint32_t kept = 1;

    place[0] = 0;
    p->nodes.items[0].since = 0;
    for (uint32_t i = 1; i < p->nodes.count; i++) {
        struct svg_pick_node node = p->nodes.items[i];

        node.parent = place[node.parent];
        node.since = 0;
        place[i] = UINT32_MAX;
        if (importance(p->tree, node.node) >= p->least) {
            node.lead += p->nodes.items[node.parent].since;
            p->nodes.items[node.parent].since = 0;
            place[i] = kept;
            p->nodes.items[kept++] = node;
            continue;
        }
        p->frames++;
        if (node.parent != UINT32_MAX)
            leave_out(p, node.node, node.lead, &p->nodes.items[node.parent]);
    }
    p->nodes.count = kept;
    p->weight = 0;
    vec_each (struct svg_pick_node, node, &p->nodes)
        p->weight += node->gone;
    free(place);
}

void svg_pick_shrink(struct svg_pick *p, uint32_t most)
{
    uint32_t(*counts)[TABLES];

    if (p->nodes.count - 1 <= most)
        return;
    counts = xcalloc(BUCKETS, sizeof(*counts));
    for (uint32_t i = 1; i < p->nodes.count; i++)
        counts[bucket_of(importance(p->tree, p->nodes.items[i].node))][i % TABLES]++;
    p->least = find_least(counts, most);
    free(counts);
    drop_nodes(p);
}
