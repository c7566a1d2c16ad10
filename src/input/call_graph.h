/*
 * A call graph: for each function what it cost itself, and for each pair of
 * caller and callee what the calls cost with all below, of several events.
 *
 * Costs may be negative: memory that is given back.
 */
#ifndef INPUT_CALL_GRAPH_H
#define INPUT_CALL_GRAPH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/map.h"
#include "base/vec.h"

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
    struct map edge_index;
    VEC(struct call_costs) events;
};

void call_graph_init(struct call_graph *g);
void call_graph_release(struct call_graph *g);

uint32_t call_graph_add_function(struct call_graph *g, uint32_t frame);
/* The edge for calls of `to` by `from`, made when it is first asked for. */
uint32_t call_graph_edge(struct call_graph *g, uint32_t from, uint32_t to);

/* Add what an event (counted from 0) cost. False where a sum would leave 64 bits. */
bool call_graph_add_self(struct call_graph *g, uint32_t event, uint32_t function, int64_t cost);
bool call_graph_add_calls(struct call_graph *g, uint32_t event, uint32_t edge, int64_t cost);

#endif
