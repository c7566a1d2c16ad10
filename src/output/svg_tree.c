#include "output/svg_tree.h"

#include <stdlib.h>

#include "base/die.h"
#include "base/hash.h"
#include "base/map.h"
#include "layout/rank.h"

_Static_assert(SYMBOL_SEPARATOR == 9, "templates/flame_data.js knows separators by this number");

enum {
    NO_NODE = 0, /* the root is nobody's child */
    BUCKETS = 64 * 64,
    MOST_STEPS = 64, /* towards the root, before a search is faster */
};

/* A node that is written. Index 0 is the root, parents come before their children. */
struct kept {
    uint32_t node;
    uint32_t parent;      /* index */
    uint32_t symbol;      /* its rank once the names are sorted */
    uint32_t first, next; /* child and sibling, ascending by symbol; NO_NODE at the end */
    uint64_t self;
    uint64_t left_out, left_before; /* weight of its children that are not kept, now and before */
};

struct writer {
    const struct tree *tree;
    uint64_t least; /* the lightest node that is kept */
    VEC(struct kept) kept;
    VEC(uint64_t) before; /* own weights before, by index; of differential graphs */
    VEC(uint64_t) lead;   /* left free before a node, by index; of flame charts */
    VEC(uint64_t) since; /* likewise, the weight of children left out since the last that is kept */
    uint32_t last;       /* the index found last */
    struct rank rank;
    struct svg_tree_order *order;
};

void svg_tree_number(struct buf *out, uint64_t value)
{
    char bytes[10];
    size_t n = 0;

    for (; value >= 0x80; value >>= 7)
        bytes[n++] = (char)(value | 0x80);
    bytes[n++] = (char)value;
    buf_add(out, bytes, n);
}

/* ---- what is kept -------------------------------------------------------------------------- */

/* Six bits of a weight behind its highest one: steps of 1.6 per cent. */
static unsigned bucket_of(uint64_t weight)
{
    unsigned high = 63 - (unsigned)__builtin_clzll(weight);

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

/*
 * The least importance with which no more than `most` nodes are kept. Whatever is kept
 * has its parents.
 */
static uint64_t least_weight(const struct tree *t, uint32_t most)
{
    uint32_t *counts = xcalloc(BUCKETS, sizeof(*counts));
    uint64_t least = 1, sum = 0;

    for (uint32_t id = 1; t->count - 1 > most && id < t->count; id++)
        if (importance(t, id))
            counts[bucket_of(importance(t, id))]++;
    for (unsigned b = BUCKETS; t->count - 1 > most && b-- > 1;) {
        sum += counts[b];
        if (sum > most) {
            least = b + 1 < BUCKETS ? bucket_floor(b + 1) : UINT64_MAX;
            break;
        }
    }
    free(counts);
    return least;
}

/*
 * The index of a node that was kept. Stacks mostly come one after the other,
 * so it is mostly the node kept last or one of those that lead to it.
 */
static uint32_t find_kept(const struct writer *w, uint32_t node)
{
    const struct kept *kept = w->kept.items;
    size_t low = 0, high = w->kept.count;
    uint32_t near = (uint32_t)high - 1;

    for (unsigned steps = 0; kept[near].node > node && steps < MOST_STEPS; steps++)
        near = kept[near].parent;
    if (kept[near].node == node)
        return near;
    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (kept[middle].node < node)
            low = middle + 1;
        else
            high = middle;
    }
    BUG_ON(low == w->kept.count || kept[low].node != node);
    return (uint32_t)low;
}

/* In a chart, children that are left out leave their place free, as own weight of the parent. */
static void leave_free(struct writer *w, uint32_t node, uint32_t parent)
{
    const struct tree *t = w->tree;

    w->since.items[parent] += t->lead[node] + t->total[node];
    w->kept.items[parent].self += t->total[node];
}

static void add_lead(struct writer *w, uint64_t lead, uint32_t parent)
{
    if (!w->tree->lead)
        return;
    if (w->since.count) {
        lead += w->since.items[parent];
        w->since.items[parent] = 0;
    }
    *vec_add(&w->lead) = lead;
    *vec_add(&w->since) = 0;
}

/* Takes a node's weights from its parent's own: each begins with its total. */
static void add_child(struct writer *w, uint32_t node, struct svg_tree_rest *rest)
{
    const struct tree *t = w->tree;
    uint32_t parent = find_kept(w, t->parent[node]);
    struct kept *above = &w->kept.items[parent];

    if (t->base)
        w->before.items[parent] -= t->base[node];
    above->self -= t->total[node];
    if (importance(t, node) < w->least && t->lead) {
        leave_free(w, node, parent);
        rest->weight += t->total[node];
        return;
    }
    if (importance(t, node) < w->least) {
        above->left_out += t->total[node];
        above->left_before += t->base ? t->base[node] : 0;
        rest->weight += t->total[node];
        return;
    }
    *vec_add(&w->kept) = (struct kept){
        .node = node,
        .parent = parent,
        .symbol = t->symbol[node],
        .self = t->total[node],
    };
    if (t->base)
        *vec_add(&w->before) = t->base[node];
    add_lead(w, t->lead ? t->lead[node] : 0, parent);
    rank_use(&w->rank, t->symbol[node]);
}

static void keep_nodes(struct writer *w, struct svg_tree_rest *rest)
{
    const struct tree *t = w->tree;

    *vec_add(&w->kept) = (struct kept){
        .self = t->total[TREE_ROOT],
        .symbol = SYMBOL_NONE,
    };
    if (t->base)
        *vec_add(&w->before) = t->base[TREE_ROOT];
    add_lead(w, 0, 0);
    for (uint32_t id = 1; id < t->count; id++) {
        uint64_t weight = importance(t, id);

        rest->frames += weight && weight < w->least;
        if (weight && importance(t, t->parent[id]) >= w->least)
            add_child(w, id, rest);
    }
}

/* ---- the order of the file ----------------------------------------------------------------- */

/* Puts a node in front of those of its siblings that were linked before. */
static void link_node(struct writer *w, uint32_t index)
{
    struct kept *node = &w->kept.items[index];
    struct kept *parent = &w->kept.items[node->parent];

    node->next = parent->first;
    parent->first = index;
}

/* Links children in the order of names, or as they come in a chart: the last one first. */
static void link_nodes(struct writer *w, uint32_t symbols)
{
    uint32_t count = (uint32_t)w->kept.count;
    uint32_t *place = xcalloc((size_t)symbols + 1, sizeof(*place));
    uint32_t *order = xreallocarray(NULL, count, sizeof(*order));

    for (uint32_t i = 1; i < count; i++) {
        w->kept.items[i].symbol = rank_get(&w->rank, w->kept.items[i].symbol);
        place[w->kept.items[i].symbol + 1]++;
    }
    for (uint32_t s = 0; s < symbols; s++)
        place[s + 1] += place[s];
    for (uint32_t i = 1; i < count; i++)
        order[place[w->kept.items[i].symbol]++] = i;
    for (uint32_t i = count - 1; i-- > 0;)
        link_node(w, w->tree->lead ? i + 1 : order[i]);
    free(order);
    free(place);
}

/* ---- writing ------------------------------------------------------------------------------- */

/* A symbol and one that calls it. */
struct call {
    uint32_t caller, callee;
    uint32_t place; /* in the caller's list */
};

struct caller {
    uint32_t *calls; /* entries of `calls` */
    uint32_t count, cap;
};

/* The columns of the stacks. */
struct columns {
    bool differential;
    struct buf drops, adds, weights, before, leads, calls;
    uint32_t stacks;
    uint32_t depth; /* of the frame written last */
    uint32_t open;  /* frames of the stack in hand */
    struct map index;
    VEC(struct call) pairs;
    struct caller *callers; /* by symbol number */
};

static bool same_call(const void *context, uint32_t id, const void *key)
{
    const struct call *call = &((const struct columns *)context)->pairs.items[id];
    const struct call *other = key;

    return call->caller == other->caller && call->callee == other->callee;
}

static void add_new_call(struct columns *c, struct call call, uint64_t hash)
{
    struct caller *caller = &c->callers[call.caller];

    if (caller->count == caller->cap) {
        caller->cap = caller->cap ? 2 * caller->cap : 2;
        caller->calls = xreallocarray(caller->calls, caller->cap, sizeof(*caller->calls));
    }
    call.place = caller->count;
    caller->calls[caller->count++] = (uint32_t)c->pairs.count;
    map_add(&c->index, hash, (uint32_t)c->pairs.count);
    *vec_add(&c->pairs) = call;
    svg_tree_number(&c->calls, 0);
    svg_tree_number(&c->calls, call.callee);
}

static void add_call(struct columns *c, uint32_t caller, uint32_t callee)
{
    struct call key = {caller, callee, 0}, *call;
    uint64_t hash = hash_mix(callee, caller);
    uint32_t id = map_find(&c->index, hash, same_call, c, &key);
    uint32_t *list;

    if (id == MAP_NONE) {
        add_new_call(c, key, hash);
        return;
    }
    call = &c->pairs.items[id];
    list = c->callers[caller].calls;
    svg_tree_number(&c->calls, call->place + 1);
    if (call->place) {
        list[call->place] = list[call->place - 1];
        c->pairs.items[list[call->place]].place++;
        list[--call->place] = id;
    }
}

static void add_frame(struct columns *c, uint32_t depth, uint32_t caller, uint32_t callee)
{
    if (!c->open)
        svg_tree_number(&c->drops, c->depth + 1 - depth);
    c->open++;
    c->depth = depth;
    add_call(c, caller, callee);
}

/* The weights of the root, or of the stack in hand, which ends with them. */
static void add_weights(struct columns *c, uint64_t self, uint64_t before)
{
    svg_tree_number(&c->weights, self);
    if (c->differential)
        svg_tree_number(&c->before, before);
    if (c->open) {
        svg_tree_number(&c->adds, c->open);
        c->open = 0;
        c->stacks++;
    }
}

/* Symbols are numbered from 1: 0 is what was left out, and as a caller the root. */
static uint32_t symbol_number(const struct writer *w, uint32_t at)
{
    return at ? w->kept.items[at].symbol + 1 : 0;
}

static uint64_t weight_before(const struct writer *w, uint32_t at)
{
    return w->tree->base ? w->before.items[at] : 0;
}

static void add_kept(struct writer *w, struct columns *c, uint32_t at, uint32_t depth)
{
    const struct kept *node = &w->kept.items[at];
    uint64_t before = weight_before(w, at);

    add_frame(c, depth, symbol_number(w, node->parent), symbol_number(w, at));
    if (w->tree->lead)
        svg_tree_number(&c->leads, w->lead.items[at]);
    if (node->self || before)
        add_weights(c, node->self, before);
}

/* What was left out below a node, once its children are written. */
static void add_left_out(struct writer *w, struct columns *c, uint32_t at, uint32_t depth)
{
    const struct kept *node = &w->kept.items[at];

    if (!node->left_out && !node->left_before)
        return;
    add_frame(c, depth + 1, symbol_number(w, at), 0);
    add_weights(c, node->left_out, node->left_before);
}

/* Depth first. */
static void write_nodes(struct writer *w, struct columns *c)
{
    const struct kept *nodes = w->kept.items;
    uint32_t at = 0, depth = 0;

    add_weights(c, nodes[0].self, weight_before(w, 0));
    do {
        if (nodes[at].first) {
            at = nodes[at].first;
            add_kept(w, c, at, ++depth);
            continue;
        }
        while (at) {
            add_left_out(w, c, at, depth);
            if (nodes[at].next)
                break;
            at = nodes[at].parent;
            depth--;
        }
        if (at) {
            at = nodes[at].next;
            add_kept(w, c, at, depth);
        }
    } while (at);
    add_left_out(w, c, 0, 0);
}

static void write_symbols(struct writer *w, struct buf *out, uint32_t count)
{
    const struct symbols *symbols = &w->tree->profile->symbols;
    uint32_t *used;

    vec_reserve(&w->order->symbols, count);
    w->order->symbols.count = count;
    used = w->order->symbols.items;
    for (size_t i = 1; i < w->kept.count; i++)
        used[w->kept.items[i].symbol] = w->tree->symbol[w->kept.items[i].node];
    svg_tree_number(out, count);
    for (uint32_t i = 0; i < count; i++) {
        struct slice name = symbol_name(symbols, used[i]);

        svg_tree_number(out, name.len);
        buf_add_slice(out, name);
        svg_tree_number(out, symbol_class(symbols, used[i]) == SYMBOL_SEPARATOR);
    }
}

void svg_tree_write(const struct tree *t, uint32_t most_nodes, struct buf *symbols,
                    struct buf *numbers, struct svg_tree_order *order, struct svg_tree_rest *rest)
{
    struct writer w = {.tree = t, .least = least_weight(t, most_nodes), .order = order};
    struct columns c = {.differential = t->base != NULL};
    struct buf *const columns[] = {&c.drops, &c.adds, &c.weights, &c.before, &c.leads, &c.calls};
    uint32_t count;

    *rest = (struct svg_tree_rest){0};
    rank_init(&w.rank, &t->profile->symbols);
    map_init(&c.index);
    for (size_t i = 0; i < sizeof(columns) / sizeof(columns[0]); i++)
        buf_init(columns[i]);

    keep_nodes(&w, rest);
    count = rank_sort(&w.rank);
    link_nodes(&w, count);
    c.callers = xcalloc((size_t)count + 1, sizeof(*c.callers));
    write_nodes(&w, &c);
    write_symbols(&w, symbols, count);
    svg_tree_number(numbers, c.stacks);
    for (size_t i = 0; i < sizeof(columns) / sizeof(columns[0]); i++) {
        buf_add_slice(numbers, buf_slice(columns[i]));
        buf_release(columns[i]);
    }

    for (uint32_t i = 0; i <= count; i++)
        free(c.callers[i].calls);
    free(c.callers);
    vec_release(&c.pairs);
    map_release(&c.index);
    vec_release(&w.kept);
    vec_release(&w.before);
    vec_release(&w.lead);
    vec_release(&w.since);
    rank_release(&w.rank);
}
