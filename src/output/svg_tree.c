#include "output/svg_tree.h"

#include <stdlib.h>

#include "base/die.h"
#include "base/map.h"
#include "layout/rank.h"

_Static_assert(SYMBOL_SEPARATOR == 9, "templates/flame_data.js knows separators by this number");

enum {
    NO_NODE = 0,     /* the root is nobody's child */
    MOST_BYTES = 10, /* of an encoded number */
};

/* Links of a node of the pick. */
struct link {
    uint32_t symbol;      /* its rank */
    uint32_t first, next; /* child and sibling, ascending by symbol; NO_NODE at the end */
};

struct writer {
    const struct svg_pick *pick;
    struct link *links; /* by node of the pick */
    struct rank rank;
    struct svg_tree_order *order;
};

void svg_tree_number(struct buf *out, uint64_t value)
{
    char *start = buf_reserve(out, MOST_BYTES), *to = start;

    for (; value >= 0x80; value >>= 7)
        *to++ = (char)(value | 0x80);
    *to++ = (char)value;
    *to = '\0';
    out->len += (size_t)(to - start);
}

static uint32_t tree_symbol(const struct writer *w, uint32_t at)
{
    return w->pick->tree->symbol[w->pick->node[at]];
}

/* ---- the order of the file ----------------------------------------------------------------- */

/* Inserts a node before its siblings that are linked already. */
static void link_node(struct writer *w, uint32_t index)
{
    struct link *parent = &w->links[w->pick->parent[index]];

    w->links[index].next = parent->first;
    parent->first = index;
}

/* Links children in the order of names, or of time in a chart. The last one is linked first. */
static void link_nodes(struct writer *w, uint32_t symbols)
{
    uint32_t count = w->pick->count;
    uint32_t *place = xcalloc((size_t)symbols + 1, sizeof(*place));
    uint32_t *order = xreallocarray(NULL, count, sizeof(*order));

    for (uint32_t i = 1; i < count; i++) {
        w->links[i].symbol = rank_get(&w->rank, tree_symbol(w, i));
        place[w->links[i].symbol + 1]++;
    }
    for (uint32_t s = 0; s < symbols; s++)
        place[s + 1] += place[s];
    for (uint32_t i = 1; i < count; i++)
        order[place[w->links[i].symbol]++] = i;
    for (uint32_t i = count - 1; i-- > 0;)
        link_node(w, w->pick->tree->lead ? i + 1 : order[i]);
    free(order);
    free(place);
}

/* ---- writing ------------------------------------------------------------------------------- */

/* A caller and a callee. */
struct call {
    uint32_t caller, callee;
    uint32_t place; /* in the caller's list */
};

struct caller {
    uint32_t *calls; /* entries of `calls` */
    uint32_t count, cap;
};

/* The columns of the stacks, as described in the header. */
struct columns {
    bool differential;
    struct buf drops, adds, weights, before, leads, calls;
    uint32_t stacks;
    uint32_t depth; /* of the frame written last */
    uint32_t open;  /* frames of the present stack */
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
    uint64_t hash = map_hash_pair(&c->index, callee, caller);
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

/* Adds the weights of the root, or those that end the present stack. */
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

/* Returns the number of a symbol, from 1. As a caller, 0 is the root. */
static uint32_t symbol_number(const struct writer *w, uint32_t at)
{
    return at ? w->links[at].symbol + 1 : 0;
}

static uint64_t weight_before(const uint64_t *before, uint32_t at)
{
    return before ? before[at] : 0;
}

static void add_node(struct writer *w, struct columns *c, uint32_t at, uint32_t depth)
{
    const struct svg_pick *p = w->pick;
    uint64_t before = weight_before(p->before, at);

    add_frame(c, depth, symbol_number(w, p->parent[at]), symbol_number(w, at));
    if (p->lead)
        svg_tree_number(&c->leads, p->lead[at]);
    if (p->self[at] || before)
        add_weights(c, p->self[at], before);
}

/*
 * Adds what was left out below a node, after its children. In a chart, that is part of the node's
 * self weight already.
 */
static void add_left_out(struct writer *w, struct columns *c, uint32_t at, uint32_t depth)
{
    const struct svg_pick *p = w->pick;
    uint64_t before = weight_before(p->left_before, at);

    if (p->lead || (!p->left_out[at] && !before))
        return;
    add_frame(c, depth + 1, symbol_number(w, at), 0);
    add_weights(c, p->left_out[at], before);
}

/* Writes all nodes, depth first. */
static void write_nodes(struct writer *w, struct columns *c)
{
    const struct svg_pick *p = w->pick;
    uint32_t at = 0, depth = 0;

    add_weights(c, p->self[0], weight_before(p->before, 0));
    do {
        if (w->links[at].first) {
            at = w->links[at].first;
            add_node(w, c, at, ++depth);
            continue;
        }
        while (at) {
            add_left_out(w, c, at, depth);
            if (w->links[at].next)
                break;
            at = p->parent[at];
            depth--;
        }
        if (at) {
            at = w->links[at].next;
            add_node(w, c, at, depth);
        }
    } while (at);
    add_left_out(w, c, 0, 0);
}

static void write_symbols(struct writer *w, struct buf *out, uint32_t count)
{
    const struct symbols *symbols = &w->pick->tree->profile->symbols;
    uint32_t *used;

    vec_reserve(&w->order->symbols, count);
    w->order->symbols.count = count;
    used = w->order->symbols.items;
    for (uint32_t i = 1; i < w->pick->count; i++)
        used[w->links[i].symbol] = tree_symbol(w, i);
    svg_tree_number(out, count);
    for (uint32_t i = 0; i < count; i++) {
        struct slice name = symbol_name(symbols, used[i]);

        svg_tree_number(out, name.len);
        buf_add_slice(out, name);
        svg_tree_number(out, symbol_class(symbols, used[i]));
    }
}

void svg_tree_write(const struct svg_pick *pick, struct buf *symbols, struct buf *numbers,
                    struct svg_tree_order *order)
{
    struct writer w = {.pick = pick, .order = order};
    struct columns c = {.differential = pick->tree->base != NULL};
    struct buf *const columns[] = {&c.drops, &c.adds, &c.weights, &c.before, &c.leads, &c.calls};
    uint32_t count;

    rank_init(&w.rank, &pick->tree->profile->symbols);
    for (uint32_t i = 1; i < pick->count; i++)
        rank_use(&w.rank, tree_symbol(&w, i));
    count = rank_sort(&w.rank);
    w.links = xcalloc(pick->count, sizeof(*w.links));
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
    free(w.links);
    rank_release(&w.rank);
}
