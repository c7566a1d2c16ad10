#include "input/call_graph.h"

#include "base/hash.h"

void call_graph_init(struct call_graph *g)
{
    *g = (struct call_graph){0};
    map_init(&g->edge_index);
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
    map_release(&g->edge_index);
}

uint32_t call_graph_add_function(struct call_graph *g, uint32_t frame)
{
    *vec_add(&g->functions) = (struct call_function){frame, CALL_GRAPH_NONE, CALL_GRAPH_NONE};
    return (uint32_t)(g->functions.count - 1);
}

static bool same_edge(const void *context, uint32_t id, const void *key)
{
    const struct call_graph *g = context;
    const struct call_edge *wanted = key;
    const struct call_edge *e = &g->edges.items[id];

    return e->from == wanted->from && e->to == wanted->to;
}

uint32_t call_graph_edge(struct call_graph *g, uint32_t from, uint32_t to)
{
    struct call_edge e = {.from = from, .to = to};
    uint64_t hash = hash_mix(from, to);
    uint32_t id = map_find(&g->edge_index, hash, same_edge, g, &e);

    if (id != MAP_NONE)
        return id;
    id = (uint32_t)g->edges.count;
    e.next_caller = g->functions.items[to].callers;
    e.next_callee = g->functions.items[from].callees;
    g->functions.items[to].callers = id;
    g->functions.items[from].callees = id;
    *vec_add(&g->edges) = e;
    map_add(&g->edge_index, hash, id);
    return id;
}

static struct call_costs *costs_of(struct call_graph *g, uint32_t event)
{
    while (g->events.count <= event)
        *vec_add(&g->events) = (struct call_costs){0};
    return &g->events.items[event];
}

bool call_graph_add_self(struct call_graph *g, uint32_t event, uint32_t function, int64_t cost)
{
    struct call_costs *c = costs_of(g, event);

    while (c->self.count <= function)
        *vec_add(&c->self) = 0;
    return !__builtin_add_overflow(c->self.items[function], cost, &c->self.items[function]);
}

bool call_graph_add_calls(struct call_graph *g, uint32_t event, uint32_t edge, int64_t cost)
{
    struct call_costs *c = costs_of(g, event);

    while (c->inclusive.count <= edge)
        *vec_add(&c->inclusive) = 0;
    return !__builtin_add_overflow(c->inclusive.items[edge], cost, &c->inclusive.items[edge]);
}
