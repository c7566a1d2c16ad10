#include "output/svg_tree.h"

#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "base/map.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

_Static_assert(SYMBOL_SEPARATOR == 9 && SYMBOL_DEVICE == 12,
               "templates/flame_graph.js knows classes by these numbers");

enum {
    NO_NODE = 0,     /* the root is nobody's child */
    MOST_BYTES = 10, /* of an encoded number */
};

/* Links of a node of the pick. */
struct svg_tree_link {
    uint32_t symbol;      /* its rank */
    uint32_t first, next; /* child and sibling, ascending by symbol; NO_NODE at the end */
};

void svg_tree_long_number(struct buf *out, uint64_t value)
{
    char *start = buf_reserve(out, MOST_BYTES), *to = start;

    for (; value >= 0x80; value >>= 7)
        *to++ = (char)(value | 0x80);
    *to++ = (char)value;
    *to = '\0';
    out->len += (size_t)(to - start);
}

static uint32_t tree_symbol(const struct svg_pick *pick, uint32_t at)
{
    return pick->tree->symbol[pick->node[at]];
}

/* ---- the order of the file ----------------------------------------------------------------- */

/* Inserts a node before its siblings that are linked already. Returns the one after it. */
static uint32_t link_node(struct svg_tree *w, uint32_t index)
{
    struct svg_tree_link *parent = &w->links[w->pick->parent[index]];
    uint32_t next = parent->first;

    w->links[index].next = next;
    parent->first = index;
    return next;
}

/*
 * Sets the symbols of nodes, and links children in the order of their indexes, which is that of
 * time in a chart. Returns false if some are not in the order of names.
 */
static bool link_by_index(struct svg_tree *w, const struct rank *rank)
{
    bool ascending = true;

    for (uint32_t i = w->pick->count; i-- > 1;) {
        uint32_t next = link_node(w, i);

        w->links[i].symbol = rank_get(rank, tree_symbol(w->pick, i));
        ascending &= next == NO_NODE || w->links[i].symbol < w->links[next].symbol;
    }
    return ascending;
}

/* Links children in the order of names. The last one is linked first. */
static void link_by_name(struct svg_tree *w)
{
    uint32_t count = w->pick->count;
    uint32_t *place = xcalloc((size_t)w->symbols + 1, sizeof(*place));
    uint32_t *order = xreallocarray(NULL, count, sizeof(*order));

    w->links[0].first = NO_NODE;
    for (uint32_t i = 1; i < count; i++) {
        place[w->links[i].symbol + 1]++;
        w->links[i].first = NO_NODE;
    }
    for (uint32_t s = 0; s < w->symbols; s++)
        place[s + 1] += place[s];
    for (uint32_t i = 1; i < count; i++)
        order[place[w->links[i].symbol]++] = i;
    for (uint32_t i = count - 1; i-- > 0;)
        link_node(w, order[i]);
    free(order);
    free(place);
}

/* Most folded stacks are sorted, so that the order of indexes is that of names. */
static void link_nodes(struct svg_tree *w, const struct rank *rank)
{
    if (!link_by_index(w, rank) && !w->pick->tree->lead)
        link_by_name(w);
}

static void write_symbols(const struct svg_tree *w, const struct rank *rank, struct buf *out,
                          struct svg_tree_order *order)
{
    const struct symbols *symbols = &w->pick->tree->profile->symbols;
    uint32_t *used;

    vec_reserve(&order->symbols, w->symbols);
    order->symbols.count = w->symbols;
    used = order->symbols.items;
    for (uint32_t i = 0; i < rank->symbol_count; i++)
        if (rank->number[i])
            used[rank_get(rank, i)] = i;
    svg_tree_number(out, w->symbols);
    for (uint32_t i = 0; i < w->symbols; i++) {
        struct slice name = symbol_name(symbols, used[i]);

        svg_tree_number(out, name.len);
        buf_add_slice(out, name);
        svg_tree_number(out, symbol_class(symbols, used[i]));
    }
}

void svg_tree_open(struct svg_tree *w, const struct svg_pick *pick, const struct rank *sorted,
                   struct buf *out, struct svg_tree_order *order)
{
    struct rank rank;

    rank_init(&rank, &pick->tree->profile->symbols);
    for (uint32_t i = 1; i < pick->count; i++)
        rank_use(&rank, tree_symbol(pick, i));
    *w = (struct svg_tree){pick, xcalloc(pick->count, sizeof(*w->links)), rank_sort(&rank, sorted)};
    link_nodes(w, &rank);
    write_symbols(w, &rank, out, order);
    rank_release(&rank);
}

void svg_tree_close(struct svg_tree *w)
{
    free(w->links);
    w->links = NULL;
}

/* ---- walking it ---------------------------------------------------------------------------- */

/* A frame in the order of the file. */
struct walk {
    const struct svg_tree *of;
    uint32_t at;    /* index in the pick, or its caller's if the frame has what was left out */
    uint32_t depth; /* of the frame; the root has 0 */
    bool rest;      /* the frame has what was left out below `at` */
};

static bool has_rest(const struct svg_pick *p, uint32_t at)
{
    return p->frames && !p->lead && (p->left_out[at] || (p->left_before && p->left_before[at]));
}

/*
 * Steps to the next frame, depth first. What was left out below a node comes after its
 * children; in a chart, that is part of the node's self weight already. Returns false at the
 * end.
 */
static bool next_frame(struct walk *w)
{
    const struct svg_pick *p = w->of->pick;
    const struct svg_tree_link *links = w->of->links;

    if (!w->rest && links[w->at].first) {
        w->at = links[w->at].first;
        w->depth++;
        return true;
    }
    for (;;) {
        if (!w->rest && has_rest(p, w->at)) {
            w->rest = true;
            w->depth++;
            return true;
        }
        w->depth -= w->rest;
        w->rest = false;
        if (!w->at)
            return false;
        if (links[w->at].next) {
            w->at = links[w->at].next;
            return true;
        }
        w->at = p->parent[w->at];
        w->depth--;
    }
}

/* ---- stacks -------------------------------------------------------------------------------- */

/* The columns of the stacks, as described in the header. */
struct columns {
    bool differential;
    struct buf drops, adds, weights, before, leads;
    uint32_t stacks;
    uint32_t depth; /* of the frame written last */
    uint32_t open;  /* frames of the present stack */
};

/* Adds the weights of the root, or those that end the present stack. */
static void add_weights(struct columns *c, uint64_t self, const uint64_t *before, uint32_t at)
{
    svg_tree_number(&c->weights, self);
    if (c->differential)
        svg_tree_number(&c->before, before ? before[at] : 0);
    if (c->open) {
        svg_tree_number(&c->adds, c->open);
        c->open = 0;
        c->stacks++;
    }
}

static void add_frame(struct columns *c, const struct walk *w)
{
    const struct svg_pick *p = w->of->pick;

    if (!c->open)
        svg_tree_number(&c->drops, c->depth + 1 - w->depth);
    c->open++;
    c->depth = w->depth;
    if (w->rest) {
        add_weights(c, p->left_out[w->at], p->left_before, w->at);
        return;
    }
    if (p->lead)
        svg_tree_number(&c->leads, p->lead[w->at]);
    if (p->self[w->at] || (p->before && p->before[w->at]))
        add_weights(c, p->self[w->at], p->before, w->at);
}

void svg_tree_stacks(const struct svg_tree *tree, struct buf *out)
{
    const struct svg_pick *p = tree->pick;
    struct columns c = {.differential = p->tree->base != NULL};
    struct buf *const columns[] = {&c.drops, &c.adds, &c.weights, &c.before, &c.leads};
    struct walk w = {.of = tree};

    add_weights(&c, p->self[0], p->before, 0);
    while (next_frame(&w))
        add_frame(&c, &w);
    svg_tree_number(out, c.stacks);
    for (size_t i = 0; i < sizeof(columns) / sizeof(columns[0]); i++) {
        buf_add_slice(out, buf_slice(columns[i]));
        buf_release(columns[i]);
    }
}

/* ---- calls --------------------------------------------------------------------------------- */

/* Calls at the start of a list that are compared before the index is asked. */
enum { NEAR = 12 };

/* A call in the list of a caller that is in the index. */
struct call {
    uint32_t callee;
    uint32_t pair; /* index in `pairs` */
};

/*
 * A caller fits into a line of the processor's cache, with the first callees of its list. Most have
 * fewer than NEAR; the lists of others are complete in `list`, and in the index.
 */
struct caller {
    uint32_t near[NEAR]; /* callees + 1; 0 after the last */
    uint32_t count, cap;
    struct call *list;
};

/* What the index knows of a call. */
struct pair {
    uint32_t caller, callee;
    uint32_t place; /* in the caller's list */
};

struct calls {
    struct map index;
    VEC(struct pair) pairs;
    struct caller *callers; /* by symbol number */
    struct buf *out;
};

static bool same_pair(const void *context, uint32_t id, const void *key)
{
    const struct pair *pair = &((const struct calls *)context)->pairs.items[id];
    const struct pair *other = key;

    return pair->caller == other->caller && pair->callee == other->callee;
}

/* A bit for each of NEAR numbers that is `number`, without a branch that cannot be predicted. */
static uint32_t equal_bits(const uint32_t *near, uint32_t number)
{
#ifdef __SSE2__
    const __m128i wanted = _mm_set1_epi32((int)number), *at = (const void *)near;
    __m128i first = _mm_cmpeq_epi32(_mm_loadu_si128(at), wanted);
    __m128i second = _mm_cmpeq_epi32(_mm_loadu_si128(at + 1), wanted);
    __m128i third = _mm_cmpeq_epi32(_mm_loadu_si128(at + 2), wanted);
    __m128i all = _mm_packs_epi16(_mm_packs_epi32(first, second),
                                  _mm_packs_epi32(third, _mm_setzero_si128()));

    return (uint32_t)_mm_movemask_epi8(all);
#else
    uint32_t bits = 0;

    for (uint32_t i = 0; i < NEAR; i++)
        bits |= (uint32_t)(near[i] == number) << i;
    return bits;
#endif
}

/* Returns the place of a callee among the first ones, or a number not below NEAR. */
static uint32_t find_near(const struct caller *by, uint32_t callee)
{
    uint32_t found = equal_bits(by->near, callee + 1);

    return found ? (uint32_t)__builtin_ctz(found) : NEAR;
}

/* Returns the place of a call in the list, or the number of calls there if it is new. */
static uint32_t find_call(const struct calls *c, uint32_t caller, uint32_t callee)
{
    const struct caller *by = &c->callers[caller];
    uint32_t near = find_near(by, callee), id;
    struct pair key = {caller, callee, 0};

    if (near < NEAR)
        return near;
    if (by->count <= NEAR)
        return by->count;
    id = map_find(&c->index, map_hash_pair(&c->index, callee, caller), same_pair, c, &key);
    return id == MAP_NONE ? by->count : c->pairs.items[id].place;
}

/* Adds a call to the list and the index. */
static void index_call(struct calls *c, uint32_t caller, uint32_t callee, uint32_t place)
{
    struct caller *by = &c->callers[caller];
    uint32_t pair = (uint32_t)c->pairs.count;

    if (place == by->cap) {
        by->cap = by->cap ? 2 * by->cap : 2 * NEAR;
        by->list = xreallocarray(by->list, by->cap, sizeof(*by->list));
    }
    by->list[place] = (struct call){callee, pair};
    map_add(&c->index, map_hash_pair(&c->index, callee, caller), pair);
    *vec_add(&c->pairs) = (struct pair){caller, callee, place};
}

static void add_new_call(struct calls *c, uint32_t caller, uint32_t callee)
{
    struct caller *by = &c->callers[caller];

    if (by->count < NEAR)
        by->near[by->count] = callee + 1;
    for (uint32_t i = 0; i < NEAR && by->count == NEAR; i++)
        index_call(c, caller, by->near[i] - 1, i);
    if (by->count >= NEAR)
        index_call(c, caller, callee, by->count);
    by->count++;
    svg_tree_number(c->out, 0);
    svg_tree_number(c->out, callee);
}

/* Swaps a call of a complete list with the one before it. */
static void move_listed(struct calls *c, struct caller *by, uint32_t place)
{
    struct call *call = &by->list[place], before = call[-1];

    call[-1] = *call;
    *call = before;
    c->pairs.items[call[-1].pair].place--;
    c->pairs.items[call[0].pair].place++;
    if (place == NEAR)
        by->near[place - 1] = call[-1].callee + 1;
}

/*
 * Swaps a call with the one before it, if there is one. The first takes the same steps, since
 * which call is the first cannot be predicted.
 */
static void move_forward(struct calls *c, struct caller *by, uint32_t place)
{
    uint32_t before = place - (place > 0), number;

    if (by->count > NEAR && place > 0)
        move_listed(c, by, place);
    if (place >= NEAR)
        return;
    number = by->near[place];
    by->near[place] = by->near[before];
    by->near[before] = number;
}

static void add_call(struct calls *c, uint32_t caller, uint32_t callee)
{
    uint32_t place = find_call(c, caller, callee);

    if (place == c->callers[caller].count) {
        add_new_call(c, caller, callee);
        return;
    }
    svg_tree_number(c->out, place + 1);
    move_forward(c, &c->callers[caller], place);
}

/* Returns the number of a symbol, from 1. As a caller, 0 is the root. */
static uint32_t symbol_number(const struct svg_tree *tree, uint32_t at)
{
    return at ? tree->links[at].symbol + 1 : 0;
}

void svg_tree_calls(const struct svg_tree *tree, struct buf *out)
{
    struct calls c = {.out = out};
    struct walk w = {.of = tree};

    c.callers = xcalloc((size_t)tree->symbols + 1, sizeof(*c.callers));
    while (next_frame(&w)) {
        if (w.rest)
            add_call(&c, symbol_number(tree, w.at), 0);
        else
            add_call(&c, symbol_number(tree, tree->pick->parent[w.at]), symbol_number(tree, w.at));
    }
    for (uint32_t i = 0; i <= tree->symbols; i++)
        free(c.callers[i].list);
    free(c.callers);
    vec_release(&c.pairs);
    map_release(&c.index);
}

void svg_tree_write(const struct svg_pick *pick, struct buf *symbols, struct buf *numbers,
                    struct svg_tree_order *order)
{
    struct svg_tree w;

    svg_tree_open(&w, pick, NULL, symbols, order);
    svg_tree_stacks(&w, numbers);
    svg_tree_calls(&w, numbers);
    svg_tree_close(&w);
}
