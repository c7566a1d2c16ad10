#include "output/svg_pick.h"

#include <stdlib.h>

#include "base/die.h"
#include "base/pool.h"

enum {
    BUCKETS = 64 * 64,
    TABLES = 4, /* of buckets: increments of one counter in a row would stall the CPU */
};

/* A bucket per weight with the same highest seven bits: steps of 1.6 per cent. */
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

/* Returns the rank of a node, which is never above its parent's. */
static uint64_t importance(const struct tree *t, uint32_t node)
{
    return t->total[node] + (t->base ? t->base[node] : 0);
}

/* Numbers of nodes by bucket. */
struct census {
    uint32_t counts[BUCKETS][TABLES];
};

static void count_node(struct census *c, uint64_t importance, uint32_t number)
{
    c->counts[bucket_of(importance)][number % TABLES]++;
}

/* Returns the lowest importance that no more than `most` nodes of several censuses reach. */
static uint64_t find_least(const struct census *parts, unsigned count, uint32_t most)
{
    uint64_t sum = 0;

    for (unsigned b = BUCKETS; b-- > 1;) {
        for (unsigned i = 0; i < count * TABLES; i++)
            sum += parts[i / TABLES].counts[b][i % TABLES];
        if (sum > most)
            return b + 1 < BUCKETS ? bucket_floor(b + 1) : UINT64_MAX;
    }
    return 1;
}

/* Nodes that a thread counts at once. */
enum { NODES = 1 << 18 };

struct counting {
    const struct tree *tree;
    struct census *parts; /* by thread */
};

static void count_part(void *context, size_t part, unsigned worker)
{
    const struct counting *c = context;
    const struct tree *t = c->tree;
    size_t from = part * NODES, end = t->count - from > NODES ? from + NODES : t->count;

    for (size_t id = part ? from : 1; id < end; id++)
        count_node(&c->parts[worker], importance(t, (uint32_t)id), (uint32_t)id);
}

static uint64_t least_of_tree(const struct tree *t, uint32_t most, unsigned threads)
{
    struct counting c = {.tree = t};
    unsigned parts = t->count / NODES + 1;
    uint64_t least;

    if (t->count - 1 <= most)
        return 1;
    threads = threads > parts ? parts : threads ? threads : 1;
    c.parts = xcalloc(threads, sizeof(*c.parts));
    pool_run(threads, parts, count_part, &c);
    least = find_least(c.parts, threads, most);
    free(c.parts);
    return least;
}

/* ---- walking the tree ---------------------------------------------------------------------- */

/* A bit for each kept node, and the number of kept nodes before each word of bits. */
struct kept {
    uint64_t *bits;
    uint32_t *before;
};

static bool is_kept(const struct kept *k, uint32_t node)
{
    return k->bits[node / 64] >> node % 64 & 1;
}

/* Returns the index of a kept node: nodes are picked in the order of their ids. */
static uint32_t index_of(const struct kept *k, uint32_t node)
{
    uint64_t lower = k->bits[node / 64] & ((UINT64_C(1) << node % 64) - 1);

    return k->before[node / 64] + (uint32_t)__builtin_popcountll(lower);
}

static void add_node(struct svg_pick *p, uint32_t node, uint32_t parent, uint64_t lead)
{
    const struct tree *t = p->tree;
    uint32_t i = p->count++;

    p->node[i] = node;
    p->parent[i] = parent;
    p->self[i] = t->total[node];
    if (t->base)
        p->before[i] = t->base[node];
    if (t->lead)
        p->lead[i] = lead;
}

/* Leaves a node out. In a chart its place stays free, as self weight of the parent. */
static void leave_out(struct svg_pick *p, uint32_t node, uint64_t lead, uint32_t parent)
{
    const struct tree *t = p->tree;

    p->left_out[parent] += t->total[node];
    if (t->base)
        p->left_before[parent] += t->base[node];
    if (t->lead) {
        p->since[parent] += lead + t->total[node];
        p->self[parent] += t->total[node];
    }
}

/* Returns the weight left free before a child, siblings left out before it included. */
static uint64_t lead_of(struct svg_pick *p, uint64_t lead, uint32_t parent)
{
    if (p->since) {
        lead += p->since[parent];
        p->since[parent] = 0;
    }
    return lead;
}

/* Subtracts a node's weights from its parent's self weight, which begins as the total. */
static void add_child(struct svg_pick *p, uint32_t node, uint32_t parent, bool keep)
{
    const struct tree *t = p->tree;
    uint64_t lead = t->lead ? t->lead[node] : 0;

    p->self[parent] -= t->total[node];
    if (t->base)
        p->before[parent] -= t->base[node];
    if (keep)
        add_node(p, node, parent, lead_of(p, lead, parent));
    else
        leave_out(p, node, lead, parent);
}

/*
 * Adds nodes as long as all are kept, so that ids are indexes; only for a graph that is no
 * chart and has no base. Returns the first id that is not added.
 */
static uint32_t add_first_nodes(struct svg_pick *p, struct kept *k, uint32_t room)
{
    const struct tree *t = p->tree;
    uint64_t least = p->least, *self = p->self;
    uint32_t id = 1;

    if (t->base || t->lead)
        return id;
    for (; id < room && t->total[id] >= least; id++) {
        p->node[id] = id;
        p->parent[id] = t->parent[id];
        self[id] = t->total[id];
        self[t->parent[id]] -= t->total[id];
    }
    p->count = id;
    for (uint32_t word = 0; word <= id / 64; word++) {
        k->bits[word] = UINT64_MAX;
        k->before[word] = word * 64;
    }
    k->bits[id / 64] = (UINT64_C(1) << id % 64) - 1;
    return id;
}

static void add_nodes(struct svg_pick *p, struct kept *k, uint32_t room)
{
    const struct tree *t = p->tree;

    k->bits[0] = 1; /* the root, however light it is */
    add_node(p, TREE_ROOT, 0, 0);
    for (uint32_t id = add_first_nodes(p, k, room); id < t->count; id++) {
        uint64_t weight = importance(t, id);
        bool below = weight && is_kept(k, t->parent[id]);
        bool keep = below && weight >= p->least;

        if (id % 64 == 0)
            k->before[id / 64] = p->count;
        k->bits[id / 64] |= (uint64_t)keep << id % 64;
        p->frames += weight && !keep;
        if (below)
            add_child(p, id, index_of(k, t->parent[id]), keep);
    }
}

/* If no frame is left out, `left_out` is not even read: its pages stay unused. */
static void weigh_left_out(struct svg_pick *p)
{
    p->weight = 0;
    for (uint32_t i = 0; p->frames && i < p->count; i++)
        p->weight += p->left_out[i];
}

static uint64_t *new_weights(bool wanted, size_t count)
{
    return wanted ? xcalloc(count, sizeof(uint64_t)) : NULL;
}

void svg_pick_init(struct svg_pick *p, const struct tree *t, uint32_t most, unsigned threads)
{
    size_t words = t->count / 64 + 1;
    size_t room = most < t->count ? (size_t)most + 1 : t->count;
    struct kept k = {xcalloc(words, sizeof(*k.bits)), xcalloc(words, sizeof(*k.before))};

    *p = (struct svg_pick){
        .tree = t,
        .node = xreallocarray(NULL, room, sizeof(*p->node)),
        .parent = xreallocarray(NULL, room, sizeof(*p->parent)),
        .self = xreallocarray(NULL, room, sizeof(*p->self)),
        .left_out = new_weights(true, room),
        .before = new_weights(t->base, room),
        .left_before = new_weights(t->base, room),
        .lead = new_weights(t->lead, room),
        .since = new_weights(t->lead, room),
        .least = least_of_tree(t, most, threads),
    };
    add_nodes(p, &k, (uint32_t)room);
    weigh_left_out(p);
    free(k.bits);
    free(k.before);
}

void svg_pick_release(struct svg_pick *p)
{
    free(p->node);
    free(p->parent);
    free(p->self);
    free(p->left_out);
    free(p->before);
    free(p->left_before);
    free(p->lead);
    free(p->since);
    *p = (struct svg_pick){0};
}

/* ---- shrinking ----------------------------------------------------------------------------- */

/* Moves a node to index `to`, below a parent that was moved before. */
static void move_node(struct svg_pick *p, uint32_t from, uint32_t to, uint32_t parent)
{
    p->node[to] = p->node[from];
    p->parent[to] = parent;
    p->self[to] = p->self[from];
    p->left_out[to] = p->left_out[from];
    if (p->before) {
        p->before[to] = p->before[from];
        p->left_before[to] = p->left_before[from];
    }
    if (p->lead) {
        p->lead[to] = lead_of(p, p->lead[from], parent);
        p->since[to] = 0;
    }
}

/* Drops nodes that are lighter than `least`. */
static void drop_nodes(struct svg_pick *p)
{
    uint32_t *place = xreallocarray(NULL, p->count, sizeof(*place));
    uint32_t kept = 1;

    place[0] = 0;
    if (p->since)
        p->since[0] = 0;
    for (uint32_t i = 1; i < p->count; i++) {
        uint32_t parent = place[p->parent[i]];

        place[i] = UINT32_MAX;
        if (importance(p->tree, p->node[i]) >= p->least) {
            place[i] = kept;
            move_node(p, i, kept++, parent);
            continue;
        }
        p->frames++;
        if (parent != UINT32_MAX)
            leave_out(p, p->node[i], p->lead ? p->lead[i] : 0, parent);
    }
    p->count = kept;
    weigh_left_out(p);
    free(place);
}

void svg_pick_shrink(struct svg_pick *p, uint32_t most)
{
    struct census *all;

    if (p->count - 1 <= most)
        return;
    all = xcalloc(1, sizeof(*all));
    for (uint32_t i = 1; i < p->count; i++)
        count_node(all, importance(p->tree, p->node[i]), i);
    p->least = find_least(all, 1, most);
    free(all);
    drop_nodes(p);
}
