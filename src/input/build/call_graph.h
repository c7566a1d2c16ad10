/*
 * A call graph, and the stacks estimated from it.
 *
 * The graph has, for each event, the self cost of each function and the
 * inclusive cost of the calls of each pair of caller and callee. Costs may be
 * negative: released memory.
 *
 * The estimate expands the graph from the functions without callers. The share
 * of a function is divided among its callees in proportion to the cost of the
 * calls. A function that is in the stack already is not entered again. Shares
 * below a smallest one are not followed; it is made smaller as long as the tree
 * has fewer than CALL_ESTIMATE_ENOUGH places, because what is not followed is
 * missing in the inclusive costs of the callers. Without cycles the inclusive
 * costs of a tree that is followed to its ends are those of the file, but for
 * rounding.
 *
 * Then the self cost of each function is distributed to its places in the tree
 * in proportion to their shares, in integers by largest remainders. So the self
 * cost of each function, and the total, are exact. A function without a place
 * is placed below its most expensive caller. Negative costs count as 0 in
 * proportions and are distributed with their sign.
 *
 * The total of a function is stated (profile/reported.h) to the series: as the file
 * gives it, else its self cost and the cost of its calls to other functions. No
 * total is stated for functions that share a symbol, because one may call another.
 */
#ifndef INPUT_BUILD_CALL_GRAPH_H
#define INPUT_BUILD_CALL_GRAPH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/map.h"
#include "base/vec.h"
#include "input/build/builder.h"

#define CALL_GRAPH_NONE UINT32_MAX

struct call_function {
    uint32_t frame;   /* the builder's entry */
    uint32_t callers; /* the first edge of its list, or CALL_GRAPH_NONE */
};

struct call_edge {
    uint32_t from, to;
    uint32_t next_caller; /* next edge in the list of `to` */
};

/* The costs of an event; costs beyond the end of an array are 0. */
struct call_costs {
    VEC(int64_t) self;      /* by function */
    VEC(int64_t) inclusive; /* by edge */
    VEC(int64_t) total;     /* by function, if the file has it; else 0 */
};

struct call_graph {
    VEC(struct call_function) functions;
    VEC(struct call_edge) edges;
    uint32_t *slots; /* hash index from both ends to the edge + 1; 0 is a free slot */
    uint32_t mask;
    uint64_t key; /* of the hashes in `slots` */
    VEC(struct call_costs) events;
};

void call_graph_init(struct call_graph *g);
void call_graph_release(struct call_graph *g);

uint32_t call_graph_add_function(struct call_graph *g, uint32_t frame);
/* Returns the edge for calls of `to` by `from`, after adding it if it is new. */
uint32_t call_graph_edge(struct call_graph *g, uint32_t from, uint32_t to);

/* Makes room for the costs of a function and an edge in an event. */
void call_graph_grow(struct call_graph *g, uint32_t event, uint32_t function, uint32_t edge);

/* Add a cost of an event, counted from 0. Return false if a sum exceeds 63 bits. */
static inline bool call_graph_add_self(struct call_graph *g, uint32_t event, uint32_t function,
                                       int64_t cost)
{
    int64_t *sum;

    if (event >= g->events.count || function >= g->events.items[event].self.count)
        call_graph_grow(g, event, function, 0);
    sum = &g->events.items[event].self.items[function];
    return !__builtin_add_overflow(*sum, cost, sum);
}

static inline bool call_graph_add_calls(struct call_graph *g, uint32_t event, uint32_t edge,
                                        int64_t cost)
{
    int64_t *sum;

    if (event >= g->events.count || edge >= g->events.items[event].inclusive.count)
        call_graph_grow(g, event, 0, edge);
    sum = &g->events.items[event].inclusive.items[edge];
    return !__builtin_add_overflow(*sum, cost, sum);
}

/* Sets the total of a function, for files that have it. */
static inline void call_graph_set_total(struct call_graph *g, uint32_t event, uint32_t function,
                                        int64_t total)
{
    call_graph_grow(g, event, function, 0);
    g->events.items[event].total.items[function] = total;
}

enum {
    CALL_ESTIMATE_PARTS = 10000,    /* at first, shares below 1 / 10000 are left out */
    CALL_ESTIMATE_ENOUGH = 1 << 13, /* places, if a smaller share leads to more */
    CALL_ESTIMATE_PLACES = 1 << 20, /* most places; then no more callees are entered */
};

/* Adds the fact "estimated", by which pictures, pages and tables say that stacks are estimates. */
void call_graph_tell(struct profile *p);

/*
 * Adds the estimated stacks of an event to a series, all of them called from
 * the stack `root`, and the totals of the functions. Returns false after
 * reporting an error.
 */
bool call_graph_add_stacks(const struct call_graph *g, uint32_t event, struct builder *b,
                           uint32_t series, uint32_t root);

#endif
