#include "input/formats/callgrind/call_graph.h"

#include <stdlib.h>

#include "base/hash.h"

void call_graph_init(struct call_graph *g)
{
    *g = (struct call_graph){0};
}

void call_graph_release(struct call_graph *g)
{
    vec_each (struct call_costs, c, &g->events) {
        vec_release(&c->self);
        vec_release(&c->inclusive);
    }
    vec_release(&g->events);
    vec_release(&g->functions);
    vec_release(&g->edges);
    free(g->slots);
}

uint32_t call_graph_add_function(struct call_graph *g, uint32_t frame)
{
    *vec_add(&g->functions) = (struct call_function){frame, CALL_GRAPH_NONE, CALL_GRAPH_NONE};
    return (uint32_t)(g->functions.count - 1);
}

static uint32_t place(const struct call_graph *g, uint32_t from, uint32_t to)
{
    return (uint32_t)(hash_mix(from, to) >> 32) & g->mask;
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

    *vec_add(&g->edges) = (struct call_edge){.from = from,
                                             .to = to,
                                             .next_caller = g->functions.items[to].callers,
                                             .next_callee = g->functions.items[from].callees};
    g->functions.items[to].callers = id;
    g->functions.items[from].callees = id;
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
    while (c->inclusive.count <= edge)
        *vec_add(&c->inclusive) = 0;
}
