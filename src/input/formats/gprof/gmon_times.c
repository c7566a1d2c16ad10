#include "input/formats/gprof/gmon_times.h"

#include "base/buf.h"

typedef unsigned __int128 u128;

#define NONE UINT32_MAX

/* A function during the search for cycles. */
struct node {
    uint32_t first, end; /* its calls, in `order` */
    uint32_t next;       /* call to follow next */
    uint32_t seen, low;  /* numbers of the visit; 0 if there was none */
    uint32_t cycle;      /* number of its component */
    uint64_t inside;     /* ns of its callees */
};

struct cycle {
    uint32_t first, count; /* of `members` */
    u128 calls;            /* from outside */
    u128 given;            /* calls by callers that got their part already */
    uint64_t ns, part;     /* of its members and their callees; given to callers */
};

struct times {
    struct call_graph *graph;
    const struct gmon_calls *calls;
    struct node *nodes;
    uint32_t *order; /* calls by caller */
    VEC(uint32_t) open, way;
    VEC(uint32_t) members;
    VEC(struct cycle) cycles; /* callees before callers */
    uint32_t visits;
};

static const struct gmon_call *call_at(const struct times *t, uint32_t i)
{
    return &t->calls->items[t->order[i]];
}

static void init(struct times *t, struct call_graph *g, const struct gmon_calls *calls)
{
    uint32_t functions = (uint32_t)g->functions.count, sum = 0;

    *t = (struct times){.graph = g, .calls = calls};
    t->nodes = xcalloc((size_t)functions + 1, sizeof(*t->nodes));
    t->order = xcalloc(calls->count + 1, sizeof(*t->order));
    vec_each (const struct gmon_call, c, calls)
        t->nodes[c->caller].end++;
    for (uint32_t f = 0; f < functions; f++) {
        t->nodes[f].first = t->nodes[f].next = sum;
        sum += t->nodes[f].end;
        t->nodes[f].end = t->nodes[f].first;
    }
    for (uint32_t i = 0; i < calls->count; i++)
        t->order[t->nodes[calls->items[i].caller].end++] = i;
}

static void release(struct times *t)
{
    xfree(t->nodes);
    xfree(t->order);
    release_all(t, vec, open, way, members, cycles);
}

/* ---- cycles -------------------------------------------------------------------------------- */

static void visit(struct times *t, uint32_t function)
{
    t->nodes[function].seen = t->nodes[function].low = ++t->visits;
    t->nodes[function].cycle = NONE;
    *vec_add(&t->open) = function;
    *vec_add(&t->way) = function;
}

/* Closes the component of which `function` was visited first. */
static void close_cycle(struct times *t, uint32_t function)
{
    struct cycle c = {.first = (uint32_t)t->members.count};
    uint32_t member;

    do {
        member = t->open.items[--t->open.count];
        t->nodes[member].cycle = (uint32_t)t->cycles.count;
        *vec_add(&t->members) = member;
        c.count++;
    } while (member != function);
    *vec_add(&t->cycles) = c;
}

/* Finds the components that are reachable from a function, without recursion. */
static void find_cycles(struct times *t, uint32_t function)
{
    visit(t, function);
    while (t->way.count) {
        uint32_t from = t->way.items[t->way.count - 1];
        struct node *n = &t->nodes[from];
        const struct node *to;

        if (n->next < n->end) {
            uint32_t callee = call_at(t, n->next++)->callee;

            to = &t->nodes[callee];
            if (!to->seen)
                visit(t, callee);
            else if (to->cycle == NONE && to->seen < n->low)
                n->low = to->seen;
            continue;
        }
        t->way.count--;
        if (n->low == n->seen)
            close_cycle(t, from);
        else if (t->nodes[t->way.items[t->way.count - 1]].low > n->low)
            t->nodes[t->way.items[t->way.count - 1]].low = n->low;
    }
}

/* ---- times --------------------------------------------------------------------------------- */

static bool is_within(const struct times *t, const struct gmon_call *c)
{
    return t->nodes[c->caller].cycle == t->nodes[c->callee].cycle;
}

/* Gives the time of the callees of a function to its calls. Returns false if a sum overflows. */
static bool take_parts(struct times *t, uint32_t function)
{
    struct node *n = &t->nodes[function];
    bool ok = true;

    for (uint32_t i = n->first; ok && i < n->end; i++) {
        const struct gmon_call *call = call_at(t, i);
        struct cycle *c = &t->cycles.items[t->nodes[call->callee].cycle];
        uint64_t part = 0;

        if (!is_within(t, call)) {
            c->given += call->count;
            part = c->calls ? (uint64_t)((u128)c->ns * c->given / c->calls) - c->part : 0;
            c->part += part;
            n->inside += part;
        }
        ok = call_graph_add_calls(
            t->graph, 0, call_graph_edge(t->graph, call->caller, call->callee), (int64_t)part);
    }
    return ok;
}

/* Adds the calls of the members of a cycle, and states their totals. */
static bool close_times(struct times *t, struct cycle *c)
{
    bool ok = true;

    for (uint32_t i = 0; ok && i < c->count; i++) {
        uint32_t member = t->members.items[c->first + i];
        uint64_t total;

        ok = take_parts(t, member);
        call_graph_grow(t->graph, 0, member, 0);
        total = (uint64_t)t->graph->events.items[0].self.items[member] + t->nodes[member].inside;
        call_graph_set_total(t->graph, 0, member, (int64_t)total);
        c->ns += total;
    }
    return ok;
}

bool gmon_times_add(struct call_graph *g, const struct gmon_calls *calls)
{
    struct times t;
    bool ok = true;

    init(&t, g, calls);
    for (uint32_t f = 0; f < g->functions.count; f++)
        if (!t.nodes[f].seen)
            find_cycles(&t, f);
    vec_each (const struct gmon_call, c, calls)
        if (!is_within(&t, c))
            t.cycles.items[t.nodes[c->callee].cycle].calls += c->count;
    vec_each (struct cycle, c, &t.cycles)
        ok = ok && close_times(&t, c);
    release(&t);
    return ok;
}
