/*
 * The stacks that can be estimated from a call graph.
 *
 * The graph is expanded from the functions that nobody calls: of what reaches
 * a function, a callee gets the part that its calls have in all that the
 * function costs. A function that is on the way already is not entered again;
 * what carries less than one part in CALL_ESTIMATE_PARTS of the whole is not
 * followed.
 *
 * That gives the proportions only. What a function cost itself is then dealt
 * out, in whole numbers by largest remainders, to the places where it came to
 * stand; so each function's own cost, and the sum of all, are exactly those of
 * the input, whatever was cut. A function that came to stand nowhere (too
 * little reached it) goes below its most expensive caller.
 *
 * Negative costs count as nothing in proportions and are dealt out with their
 * sign.
 */
#ifndef INPUT_FORMATS_CALLGRIND_CALL_GRAPH_H
#define INPUT_FORMATS_CALLGRIND_CALL_GRAPH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/map.h"
#include "base/vec.h"
#include "input/build/builder.h"

/*
 * A call graph: for each function what it cost itself, and for each pair of
 * caller and callee what the calls cost with all below, of several events.
 *
 * Costs may be negative: memory that is given back.
 */

#define CALL_GRAPH_NONE UINT32_MAX

struct call_function {
    uint32_t frame;            /* the builder's entry */
    uint32_t callers, callees; /* first edges of the lists, or CALL_GRAPH_NONE */
};

struct call_edge {
    uint32_t from, to;
    uint32_t next_caller, next_callee; /* in the lists of `to` and of `from` */
};

/* What one event counted; an array may be shorter than there are functions or edges. */
struct call_costs {
    VEC(int64_t) self;      /* by function */
    VEC(int64_t) inclusive; /* by edge */
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
/* The edge for calls of `to` by `from`, made when it is first asked for. */
uint32_t call_graph_edge(struct call_graph *g, uint32_t from, uint32_t to);

/* Makes room for the costs of an event, of a function and an edge. */
void call_graph_grow(struct call_graph *g, uint32_t event, uint32_t function, uint32_t edge);

/* Add what an event (counted from 0) cost. False where a sum would leave 64 bits. */
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

enum {
    CALL_ESTIMATE_PARTS = 10000,
    CALL_ESTIMATE_PLACES = 1 << 20, /* of all functions; with more, callees are not entered */
};

/*
 * Adds the stacks of one event to a series of the builder, all of them below
 * the stack `root`. False where told.
 */
bool call_graph_add_stacks(const struct call_graph *g, uint32_t event, struct builder *b,
                           uint32_t series, uint32_t root);

#endif
