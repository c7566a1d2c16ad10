#include "input/build/call_graph.h"

#include <stdlib.h>

#include "base/hash.h"

void call_graph_init(struct call_graph *g)
{
    *g = (struct call_graph){.key = hash_key()};
}

void call_graph_release(struct call_graph *g)
{
    vec_each (struct call_costs, c, &g->events) {
        release_all(c, vec, self, inclusive, total);
    }
    release_all(g, vec, events, functions, edges);
    xfree(g->slots);
}

uint32_t call_graph_add_function(struct call_graph *g, uint32_t frame)
{
    *vec_add(&g->functions) = (struct call_function){frame, CALL_GRAPH_NONE};
    return (uint32_t)(g->functions.count - 1);
}

static uint32_t place(const struct call_graph *g, uint32_t from, uint32_t to)
{
    return (uint32_t)(hash_keyed(g->key, from, to) >> 32) & g->mask;
}

static void index_edge(struct call_graph *g, uint32_t id)
{
    uint32_t at = place(g, g->edges.items[id].from, g->edges.items[id].to);

    while (g->slots[at])
        at = (at + 1) & g->mask;
    g->slots[at] = id + 1;
}

static uint32_t add_edge(struct call_graph *g, uint32_t from, uint32_t to)
{
    uint32_t id = (uint32_t)g->edges.count;

    *vec_add(&g->edges) =
        (struct call_edge){.from = from, .to = to, .next_caller = g->functions.items[to].callers};
    g->functions.items[to].callers = id;
    if (map_grow_slots(&g->slots, &g->mask, g->edges.count))
        for (uint32_t i = 0; i < id; i++)
            index_edge(g, i);
    index_edge(g, id);
    return id;
}

uint32_t call_graph_edge(struct call_graph *g, uint32_t from, uint32_t to)
{
    uint32_t found;

    if (!g->slots)
        return add_edge(g, from, to);
    for (uint32_t at = place(g, from, to); (found = g->slots[at]); at = (at + 1) & g->mask) {
        const struct call_edge *e = &g->edges.items[found - 1];

        if (e->from == from && e->to == to)
            return found - 1;
    }
    return add_edge(g, from, to);
}

void call_graph_grow(struct call_graph *g, uint32_t event, uint32_t function, uint32_t edge)
{
    struct call_costs *c;

    while (g->events.count <= event)
        *vec_add(&g->events) = (struct call_costs){0};
    c = &g->events.items[event];
    while (c->self.count <= function)
        *vec_add(&c->self) = 0;
    while (c->total.count < c->self.count)
        *vec_add(&c->total) = 0;
    while (c->inclusive.count <= edge)
        *vec_add(&c->inclusive) = 0;
}

typedef unsigned __int128 u128;

/* The share of the whole tree. Rounding errors are far below the smallest share followed. */
static const uint64_t WHOLE = (uint64_t)1 << 60;

/* A place in the tree. */
struct place {
    uint32_t function, parent; /* CALL_GRAPH_NONE for a root */
    uint32_t next;             /* next place of the same function */
    uint64_t share;
    uint64_t cost; /* its part of the function's self cost */
    bool wanted;   /* this place or a descendant has a cost */
};

/* State of a function during an estimate. */
struct standing {
    u128 total;            /* self cost plus the cost of calls to other functions */
    uint32_t first, last;  /* list of its places */
    uint32_t callees, end; /* its range of `order` */
    bool open;             /* in the current stack */
    bool reached;          /* reachable from a root */
};

/* An open place, and the next callee to enter from it. */
struct step {
    uint32_t place, next;
};

struct estimate {
    const struct call_graph *graph;
    const struct call_costs *costs;
    struct standing *standings; /* by function */
    uint32_t *order;            /* edges, by caller, most expensive first */
    uint64_t least;             /* shares below are not followed */
    size_t most;                /* places */
    bool cut;                   /* a share was not followed */
    VEC(struct place) places;
    VEC(struct step) way; /* the current stack */
    VEC(uint32_t) chain;  /* functions to visit */
};

static int64_t self_of(const struct estimate *e, uint32_t function)
{
    return function < e->costs->self.count ? e->costs->self.items[function] : 0;
}

/* Returns the cost of an edge's calls for proportions: 0 if negative. */
static uint64_t calls_of(const struct estimate *e, uint32_t edge)
{
    int64_t cost = edge < e->costs->inclusive.count ? e->costs->inclusive.items[edge] : 0;

    return cost > 0 ? (uint64_t)cost : 0;
}

/* ---- proportions --------------------------------------------------------------------------- */

/* Edges of one caller. */
static int compare_edges(const void *a, const void *b, void *context)
{
    const struct estimate *e = context;
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    uint64_t cost = calls_of(e, x), more = calls_of(e, y);

    if (cost != more)
        return cost > more ? -1 : 1;
    return x < y ? -1 : x > y;
}

/*
 * Sorts the edges of a caller, which are in their order: few ones by insertion, which keeps this
 * order where costs are equal.
 */
static void sort_edges(struct estimate *e, uint32_t *edges, uint32_t count)
{
    enum { FEW = 32 };

    if (count > FEW) {
        qsort_r(edges, count, sizeof(*edges), compare_edges, e);
        return;
    }
    for (uint32_t i = 1; i < count; i++) {
        uint32_t edge = edges[i], at = i;
        uint64_t cost = calls_of(e, edge);

        for (; at && calls_of(e, edges[at - 1]) < cost; at--)
            edges[at] = edges[at - 1];
        edges[at] = edge;
    }
}

/* Puts each edge into the range of its caller, and sorts the ranges. */
static void order_edges(struct estimate *e)
{
    const struct call_graph *g = e->graph;
    uint32_t start = 0;

    vec_each (const struct call_edge, edge, &g->edges)
        e->standings[edge->from].end++;
    for (uint32_t f = 0; f < g->functions.count; f++) {
        struct standing *s = &e->standings[f];
        uint32_t count = s->end;

        s->callees = s->end = start;
        start += count;
    }
    for (uint32_t i = 0; i < g->edges.count; i++)
        e->order[e->standings[g->edges.items[i].from].end++] = i;
    for (uint32_t f = 0; f < g->functions.count; f++) {
        const struct standing *s = &e->standings[f];

        sort_edges(e, &e->order[s->callees], s->end - s->callees);
    }
}

static void init_estimate(struct estimate *e, const struct call_graph *g, uint32_t event)
{
    size_t functions = g->functions.count;

    *e = (struct estimate){.graph = g, .costs = &g->events.items[event]};
    e->standings = xcalloc(functions + 1, sizeof(*e->standings));
    e->order = xcalloc(g->edges.count + 1, sizeof(*e->order));
    for (uint32_t f = 0; f < functions; f++) {
        int64_t self = self_of(e, f);

        e->standings[f].total = self > 0 ? (uint64_t)self : 0;
    }
    for (uint32_t i = 0; i < g->edges.count; i++) {
        const struct call_edge *edge = &g->edges.items[i];

        if (edge->from != edge->to)
            e->standings[edge->from].total += calls_of(e, i);
    }
    for (uint32_t f = 0; f < functions && f < e->costs->total.count; f++)
        if (e->costs->total.items[f] > 0)
            e->standings[f].total = (uint64_t)e->costs->total.items[f];
    order_edges(e);
}

static void release_estimate(struct estimate *e)
{
    xfree(e->standings);
    xfree(e->order);
    release_all(e, vec, places, way, chain);
}

static uint32_t add_place(struct estimate *e, uint32_t function, uint32_t parent, uint64_t share)
{
    struct standing *s = &e->standings[function];
    uint32_t id = (uint32_t)e->places.count;

    *vec_add(&e->places) = (struct place){function, parent, CALL_GRAPH_NONE, share, 0, false};
    if (s->first == CALL_GRAPH_NONE)
        s->first = id;
    else
        e->places.items[s->last].next = id;
    s->last = id;
    return id;
}

static void open_place(struct estimate *e, uint32_t place)
{
    struct standing *s = &e->standings[e->places.items[place].function];

    s->open = true;
    *vec_add(&e->way) = (struct step){place, s->callees};
}

/*
 * Returns the share of an edge's callee below a place: at most the place's own, though a file may
 * state a total that is less than the cost of the calls.
 */
static uint64_t share_along(const struct estimate *e, uint32_t edge, uint32_t place)
{
    const struct place *p = &e->places.items[place];
    u128 total = e->standings[p->function].total;
    uint64_t calls = calls_of(e, edge);

    if (calls >= total)
        return total ? p->share : 0;
    return (uint64_t)((u128)p->share * calls / total);
}

/* Makes the places below a root, depth first. */
static void expand(struct estimate *e, uint32_t root)
{
    open_place(e, root);
    while (e->way.count) {
        struct step *step = &e->way.items[e->way.count - 1];
        uint32_t place = step->place;
        struct standing *s = &e->standings[e->places.items[place].function];
        uint32_t edge = step->next < s->end ? e->order[step->next] : CALL_GRAPH_NONE;
        uint64_t share = edge == CALL_GRAPH_NONE ? 0 : share_along(e, edge, place);
        uint32_t to;

        if (share < e->least || e->places.count >= e->most) {
            e->cut |= share > 0;
            s->open = false;
            e->way.count--;
            continue;
        }
        step->next++;
        to = e->graph->edges.items[edge].to;
        if (!e->standings[to].open)
            open_place(e, add_place(e, to, place, share));
    }
}

/* ---- roots --------------------------------------------------------------------------------- */

/* Marks all functions that are reachable from `function`. */
static void reach(struct estimate *e, uint32_t function)
{
    const struct call_graph *g = e->graph;

    e->standings[function].reached = true;
    *vec_add(&e->chain) = function;
    while (e->chain.count) {
        uint32_t from = e->chain.items[--e->chain.count];
        const struct standing *s = &e->standings[from];

        for (uint32_t i = s->callees; i < s->end; i++) {
            uint32_t to = g->edges.items[e->order[i]].to;

            if (e->standings[to].reached)
                continue;
            e->standings[to].reached = true;
            *vec_add(&e->chain) = to;
        }
    }
}

static bool is_called(const struct call_graph *g, uint32_t function)
{
    uint32_t edge = g->functions.items[function].callers;

    while (edge != CALL_GRAPH_NONE && g->edges.items[edge].from == function)
        edge = g->edges.items[edge].next_caller;
    return edge != CALL_GRAPH_NONE;
}

static int compare_totals(const void *a, const void *b, void *context)
{
    const struct estimate *e = context;
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    u128 total = e->standings[x].total, more = e->standings[y].total;

    if (total != more)
        return total > more ? -1 : 1;
    return x < y ? -1 : x > y;
}

struct ids VEC_OF(uint32_t);

static void add_root(struct estimate *e, struct ids *roots, uint32_t function)
{
    *vec_add(roots) = function;
    reach(e, function);
}

/* Removes the functions that were reached. Returns whether any are left. */
static bool drop_reached(const struct estimate *e, struct ids *ids)
{
    size_t kept = 0;

    vec_each (uint32_t, f, ids)
        if (!e->standings[*f].reached)
            ids->items[kept++] = *f;
    ids->count = kept;
    return kept > 0;
}

/*
 * Finds the roots: functions that no other function calls and, in a cycle not
 * reachable from these, the most expensive function.
 */
static void find_roots(struct estimate *e, struct ids *roots)
{
    struct ids rest = {0};
    uint32_t functions = (uint32_t)e->graph->functions.count;

    for (uint32_t f = 0; f < functions; f++)
        if (!is_called(e->graph, f))
            add_root(e, roots, f);
    for (uint32_t f = 0; f < functions; f++)
        *vec_add(&rest) = f;
    /* Often the most expensive function reaches all others, and nothing is left to sort. */
    if (drop_reached(e, &rest)) {
        const uint32_t *best = rest.items;

        vec_each (const uint32_t, f, &rest)
            if (compare_totals(f, best, e) < 0)
                best = f;
        add_root(e, roots, *best);
    }
    if (drop_reached(e, &rest))
        qsort_r(rest.items, rest.count, sizeof(*rest.items), compare_totals, e);
    vec_each (uint32_t, f, &rest)
        if (!e->standings[*f].reached)
            add_root(e, roots, *f);
    vec_release(&rest);
}

/*
 * Expands all roots from the start, down to shares of WHOLE / parts and up to `most` places; the
 * share of a root is its part of the sum of all roots.
 */
static void expand_roots(struct estimate *e, const struct ids *roots, uint64_t parts, size_t most)
{
    u128 sum = 0;
    unsigned shift = 0;

    for (size_t i = 0; i < e->graph->functions.count; i++)
        e->standings[i].first = e->standings[i].last = CALL_GRAPH_NONE;
    vec_clear(&e->places);
    e->least = WHOLE / parts;
    e->most = most;
    e->cut = false;
    vec_each (uint32_t, f, roots)
        sum += e->standings[*f].total;
    while (sum >> shift >= WHOLE)
        shift++;
    vec_each (uint32_t, f, roots) {
        u128 total = e->standings[*f].total >> shift;
        uint64_t share = sum >> shift ? (uint64_t)(total * WHOLE / (sum >> shift)) : 0;

        if (share)
            expand(e, add_place(e, *f, CALL_GRAPH_NONE, share));
    }
}

/* Makes the places, with the smallest shares that do not lead to too many. */
static void make_places(struct estimate *e)
{
    const uint64_t most_parts = (uint64_t)1 << 40, finer = 10;
    struct ids roots = {0};
    uint64_t parts = CALL_ESTIMATE_PARTS;

    find_roots(e, &roots);
    expand_roots(e, &roots, parts, CALL_ESTIMATE_PLACES);
    while (e->cut && parts < most_parts && e->places.count < CALL_ESTIMATE_ENOUGH) {
        expand_roots(e, &roots, parts * finer, CALL_ESTIMATE_ENOUGH);
        if (e->places.count >= CALL_ESTIMATE_ENOUGH) {
            expand_roots(e, &roots, parts, CALL_ESTIMATE_PLACES);
            break;
        }
        parts *= finer;
    }
    vec_release(&roots);
}

/* ---- functions without a place ------------------------------------------------------------- */

/* Returns the caller with the most expensive calls that is not open, or CALL_GRAPH_NONE. */
static uint32_t best_caller(const struct estimate *e, uint32_t function)
{
    const struct call_graph *g = e->graph;
    uint32_t best = CALL_GRAPH_NONE;

    for (uint32_t i = g->functions.items[function].callers; i != CALL_GRAPH_NONE;
         i = g->edges.items[i].next_caller) {
        if (e->standings[g->edges.items[i].from].open)
            continue;
        if (best == CALL_GRAPH_NONE || calls_of(e, i) >= calls_of(e, best))
            best = i;
    }
    return best == CALL_GRAPH_NONE ? best : g->edges.items[best].from;
}

/* Returns a function's place with the largest share, or CALL_GRAPH_NONE. */
static uint32_t best_place(const struct estimate *e, uint32_t function)
{
    uint32_t best = e->standings[function].first;

    for (uint32_t i = best; i != CALL_GRAPH_NONE; i = e->places.items[i].next)
        if (e->places.items[i].share > e->places.items[best].share)
            best = i;
    return best;
}

/* Places a function below its most expensive callers, up to one that has a place. */
static void place_below_callers(struct estimate *e, uint32_t function)
{
    uint32_t parent = CALL_GRAPH_NONE;

    while (function != CALL_GRAPH_NONE) {
        parent = best_place(e, function);
        if (parent != CALL_GRAPH_NONE)
            break;
        *vec_add(&e->chain) = function;
        e->standings[function].open = true;
        function = best_caller(e, function);
    }
    while (e->chain.count) {
        function = e->chain.items[--e->chain.count];
        e->standings[function].open = false;
        parent = add_place(e, function, parent, 1);
    }
}

/* ---- costs --------------------------------------------------------------------------------- */

struct remainder {
    u128 part;
    uint32_t place;
};

static int compare_remainders(const void *a, const void *b)
{
    const struct remainder *x = a, *y = b;

    if (x->part != y->part)
        return x->part > y->part ? -1 : 1;
    return x->place < y->place ? -1 : x->place > y->place;
}

/* Distributes a function's self cost to its places in proportion to their shares. */
static void deal(struct estimate *e, uint32_t function, uint64_t cost)
{
    VEC(struct remainder) remainders = {0};
    u128 shares = 0;
    uint64_t left = cost;
    uint32_t first = e->standings[function].first;

    if (e->places.items[first].next == CALL_GRAPH_NONE) {
        e->places.items[first].cost = cost;
        return;
    }
    for (uint32_t i = first; i != CALL_GRAPH_NONE; i = e->places.items[i].next)
        shares += e->places.items[i].share;
    for (uint32_t i = first; i != CALL_GRAPH_NONE; i = e->places.items[i].next) {
        u128 part = (u128)cost * e->places.items[i].share;

        e->places.items[i].cost = (uint64_t)(part / shares);
        left -= e->places.items[i].cost;
        *vec_add(&remainders) = (struct remainder){part % shares, i};
    }
    if (left) {
        BUG_ON(left >= remainders.count);
        qsort(remainders.items, remainders.count, sizeof(*remainders.items), compare_remainders);
        for (size_t i = 0; i < left; i++)
            e->places.items[remainders.items[i].place].cost++;
    }
    vec_release(&remainders);
}

static void deal_all(struct estimate *e)
{
    for (uint32_t f = 0; f < e->graph->functions.count; f++) {
        int64_t self = self_of(e, f);

        if (!self)
            continue;
        if (e->standings[f].first == CALL_GRAPH_NONE)
            place_below_callers(e, f);
        deal(e, f, self < 0 ? 0 - (uint64_t)self : (uint64_t)self);
    }
}

/* Makes the stacks of all places with costs; a place comes after its parent. */
static bool add_stacks(struct estimate *e, struct builder *b, uint32_t series, uint32_t root)
{
    uint32_t *stacks = xcalloc(e->places.count + 1, sizeof(*stacks));
    bool ok = true;

    for (size_t i = e->places.count; i-- > 0;) {
        struct place *p = &e->places.items[i];

        p->wanted = p->wanted || p->cost;
        if (p->wanted && p->parent != CALL_GRAPH_NONE)
            e->places.items[p->parent].wanted = true;
    }
    for (size_t i = 0; ok && i < e->places.count; i++) {
        const struct place *p = &e->places.items[i];
        uint32_t parent = p->parent == CALL_GRAPH_NONE ? root : stacks[p->parent];
        bool negative = self_of(e, p->function) < 0;

        if (!p->wanted)
            continue;
        ok = builder_child_entry(b, parent, e->graph->functions.items[p->function].frame,
                                 &stacks[i]);
        if (ok && p->cost)
            ok = builder_add_signed_at(b, series, stacks[i],
                                       negative ? (int64_t)(0 - p->cost) : (int64_t)p->cost);
    }
    xfree(stacks);
    return ok;
}

/* ---- totals -------------------------------------------------------------------------------- */

/* Returns the only symbol of a function, or SYMBOL_NONE if it is a chain of inlined ones. */
static uint32_t symbol_of(const struct builder *b, const struct call_function *f)
{
    struct stack_path path = builder_symbols(b, f->frame);

    return path.count == 1 ? path.symbols[0] : SYMBOL_NONE;
}

/*
 * States the totals of the functions of an event whose costs add up to `whole`. A greater total
 * counts calls within a recursion several times.
 */
static void state_totals(const struct estimate *e, const struct builder *b, uint32_t series,
                         uint64_t whole)
{
    struct reported *stated = &b->profile->series.items[series].reported;
    uint32_t functions = (uint32_t)e->graph->functions.count;
    uint32_t *sharing = xcalloc(symbols_count(&b->profile->symbols) + (size_t)1, sizeof(*sharing));

    stated->whole += whole;
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t f = 0; f < functions; f++) {
            uint32_t symbol = symbol_of(b, &e->graph->functions.items[f]);
            u128 total = e->standings[f].total;

            if (symbol == SYMBOL_NONE || !total)
                continue;
            if (!pass)
                sharing[symbol]++;
            else
                reported_add(stated, symbol,
                             sharing[symbol] > 1 || total > whole ? REPORTED_AMBIGUOUS
                                                                  : (uint64_t)total);
        }
    xfree(sharing);
}

void call_graph_tell(struct profile *p)
{
    profile_add_fact(p, SLICE("estimated"),
                     SLICE("The file contains calls, not stacks: the cost of a function with "
                           "several callers is divided among them in proportion to the cost "
                           "of the calls. The totals of functions in tables are the file's."));
}

bool call_graph_add_stacks(const struct call_graph *g, uint32_t event, struct builder *b,
                           uint32_t series, uint32_t root)
{
    struct estimate e;
    uint64_t before;
    bool ok;

    if (event >= g->events.count)
        return true;
    init_estimate(&e, g, event);
    make_places(&e);
    deal_all(&e);
    before = series == BUILDER_LEFT_OUT ? 0 : b->profile->series.items[series].total;
    ok = add_stacks(&e, b, series, root);
    if (ok && series != BUILDER_LEFT_OUT)
        state_totals(&e, b, series, b->profile->series.items[series].total - before);
    release_estimate(&e);
    return ok;
}
