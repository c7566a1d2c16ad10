#include "tree/sandwich.h"

#include <stdlib.h>

#include "base/budget.h"

/* The `place` of nodes outside all calls of the function. */
#define OUTSIDE UINT32_MAX

/* An outermost call and the end of its callers. */
struct call {
    uint32_t node, place;
};

/* Both sides while they are built in one pass over the whole tree. */
struct sides {
    const struct tree *whole;
    uint32_t symbol;
    struct stacks callees, callers;
    uint32_t *place; /* by node: its node among the callees, or OUTSIDE */
    VEC(struct call) calls;
};

/* Returns, by symbol, the weight of the outermost calls of each marked symbol; to be freed. */
static uint64_t *weigh(const struct tree *t, const bool *marked)
{
    uint64_t *weights = xcalloc(symbols_count(&t->profile->symbols), sizeof(*weights));
    uint32_t *above = xmalloc(t->count * sizeof(*above)); /* the nearest marked symbol */

    above[TREE_ROOT] = SYMBOL_NONE;
    for (uint32_t i = 1; i < t->count; i++) {
        uint32_t symbol = t->symbol[i];

        above[i] = above[t->parent[i]];
        if (!marked[symbol] || above[i] == symbol)
            continue;
        above[i] = symbol;
        weights[symbol] += t->total[i] + (t->base ? t->base[i] : 0);
    }
    free(above);
    return weights;
}

/* True if symbol `a` is meant rather than `b`: functions before processes, then the heavier one. */
static bool is_better(const struct symbols *symbols, const uint64_t *weights, uint32_t a,
                      uint32_t b)
{
    bool a_owns = symbol_class_is_owner(symbol_class(symbols, a));
    bool b_owns = symbol_class_is_owner(symbol_class(symbols, b));

    return a_owns == b_owns ? weights[a] > weights[b] : b_owns;
}

uint32_t sandwich_find(const struct tree *t, struct slice name)
{
    const struct symbols *symbols = &t->profile->symbols;
    uint32_t count = symbols_count(symbols), found = SYMBOL_NONE;
    bool *marked = xcalloc(count, sizeof(*marked));
    uint64_t *weights;

    for (uint32_t i = 0; i < count; i++) {
        struct slice own = symbol_name(symbols, i),
                     suffix = symbol_suffix(symbol_class(symbols, i));

        marked[i] = slice_equal(own, name) || (suffix.len && name.len == own.len + suffix.len &&
                                               slice_starts(name, own) && slice_ends(name, suffix));
    }
    weights = weigh(t, marked);
    for (uint32_t i = 0; i < count; i++)
        if (marked[i] && weights[i] &&
            (found == SYMBOL_NONE || is_better(symbols, weights, i, found)))
            found = i;
    free(weights);
    free(marked);
    return found;
}

static bool has_weight(const struct tree *t, uint32_t node)
{
    return t->total[node] || (t->base && t->base[node]);
}

static void add_call(struct sides *s, uint32_t node)
{
    const struct tree *t = s->whole;
    uint32_t place = TREE_ROOT;

    for (uint32_t caller = t->parent[node]; caller != TREE_ROOT; caller = t->parent[caller])
        place = stacks_push(&s->callers, place, t->symbol[caller]);
    *vec_add(&s->calls) = (struct call){node, place};
    s->place[node] = TREE_ROOT;
}

static void find_sides(struct sides *s)
{
    const struct tree *t = s->whole;

    s->place[TREE_ROOT] = OUTSIDE;
    for (uint32_t i = 1; i < t->count; i++) {
        uint32_t above = s->place[t->parent[i]];

        s->place[i] = OUTSIDE;
        if (!has_weight(t, i) || budget_is_over())
            continue;
        if (above != OUTSIDE)
            s->place[i] = stacks_push(&s->callees, above, t->symbol[i]);
        else if (t->symbol[i] == s->symbol)
            add_call(s, i);
    }
}

/* Returns the totals of both sides, callees first, from totals of the whole tree. */
static uint64_t *sum_sides(const struct sides *s, const uint64_t *whole)
{
    uint32_t callees = s->callees.count, callers = s->callers.count;
    uint64_t *total = xcalloc((size_t)callees + callers, sizeof(*total)), *behind = total + callees;

    for (uint32_t i = 1; i < s->whole->count; i++)
        if (s->place[i] != OUTSIDE)
            total[s->place[i]] += whole[i];
    for (size_t i = 0; i < s->calls.count; i++)
        behind[s->calls.items[i].place] += whole[s->calls.items[i].node];
    for (uint32_t i = callers; i-- > 1;)
        behind[s->callers.parent[i]] += behind[i];
    memmove(behind, behind + 1,
            (callers - 1) * sizeof(*behind)); /* the callees already have the root */
    return total;
}

/* Joins both sides in one tree: the callees, then the callers without their root. */
static void join_sides(struct tree *t, const struct sides *s)
{
    uint32_t callees = s->callees.count, shift = callees - 1;

    t->callers = callees;
    t->count = shift + s->callers.count;
    t->own_parent = xreallocarray(NULL, t->count, sizeof(*t->own_parent));
    t->own_symbol = xreallocarray(NULL, t->count, sizeof(*t->own_symbol));
    memcpy(t->own_parent, s->callees.parent, callees * sizeof(*t->own_parent));
    memcpy(t->own_symbol, s->callees.symbol, callees * sizeof(*t->own_symbol));
    for (uint32_t i = 1; i < s->callers.count; i++) {
        uint32_t parent = s->callers.parent[i];

        t->own_parent[shift + i] = parent == TREE_ROOT ? TREE_ROOT : shift + parent;
        t->own_symbol[shift + i] = s->callers.symbol[i];
    }
    t->parent = t->own_parent;
    t->symbol = t->own_symbol;
}

void sandwich_init(struct tree *t, const struct tree *whole, uint32_t symbol)
{
    struct sides s = {.whole = whole, .symbol = symbol};

    *t = (struct tree){
        .profile = whole->profile, .series = whole->series, .whole = whole, .around = symbol};
    stacks_init(&s.callees);
    stacks_init(&s.callers);
    s.place = xmalloc(whole->count * sizeof(*s.place));
    find_sides(&s);
    join_sides(t, &s);
    t->total = sum_sides(&s, whole->total);
    if (whole->base)
        t->base = sum_sides(&s, whole->base);
    stacks_release(&s.callees);
    stacks_release(&s.callers);
    vec_release(&s.calls);
    free(s.place);
}
