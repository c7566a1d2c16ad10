#include "profile/stack.h"

#include <stdlib.h>
#include <string.h>

#include "base/budget.h"
#include "base/die.h"
#include "base/hash.h"

/* AHEAD: how many slots are prefetched in advance. */
enum { STACKS_FIRST = 256, AHEAD = 32 };

void stacks_init(struct stacks *s)
{
    *s = (struct stacks){.key = hash_key()};
    stacks_reserve(s, STACKS_FIRST);
    s->parent[STACK_ROOT] = STACK_ROOT;
    s->symbol[STACK_ROOT] = SYMBOL_NONE;
    s->count = s->indexed = 1;
}

void stacks_release(struct stacks *s)
{
    xfree(s->parent);
    xfree(s->symbol);
    xfree(s->slots);
    *s = (struct stacks){0};
}

void stacks_forget_index(struct stacks *s)
{
    xfree(s->slots);
    s->slots = NULL;
    s->mask = 0;
    s->indexed = 1;
}

void stacks_reserve(struct stacks *s, uint32_t count)
{
    if (count <= s->cap)
        return;
    s->parent = xreallocarray(s->parent, count, sizeof(*s->parent));
    s->symbol = xreallocarray(s->symbol, count, sizeof(*s->symbol));
    s->cap = count;
}

void stacks_grow(struct stacks *s)
{
    const size_t node = sizeof(*s->parent) + sizeof(*s->symbol);
    size_t cap;

    BUG_ON(s->count >= STACKS_MOST);
    cap = budget_growth(s->cap * node, ((size_t)s->cap + 1) * node) / node;
    stacks_reserve(s, cap < STACKS_MOST ? (uint32_t)cap : STACKS_MOST);
}

static uint32_t place(const struct stacks *s, uint32_t parent, uint32_t symbol)
{
    return (uint32_t)(hash_keyed(s->key, parent, symbol) >> 32) & s->mask;
}

/* A node right after its parent needs no slot: it is compared before the index is searched. */
static void index_node(struct stacks *s, uint32_t id)
{
    uint32_t at;

    if (s->parent[id] + 1 == id)
        return;
    at = place(s, s->parent[id], s->symbol[id]);
    while (s->slots[at])
        at = (at + 1) & s->mask;
    s->slots[at] = id;
}

/* Adds new nodes to the index, which has at least twice as many slots as nodes. */
static void update_index(struct stacks *s)
{
    if (map_grow_slots(&s->slots, &s->mask, s->count))
        s->indexed = 1;
    for (; s->indexed < s->count; s->indexed++) {
        uint32_t later = s->indexed + AHEAD;

        if (later < s->count && s->parent[later] + 1 != later)
            __builtin_prefetch(&s->slots[place(s, s->parent[later], s->symbol[later])]);
        index_node(s, s->indexed);
    }
}

uint32_t stacks_find_or_add(struct stacks *s, uint32_t parent, uint32_t symbol)
{
    uint32_t at, id;

    BUG_ON(parent >= s->count);
    if (parent + 1 == s->count)
        return stacks_append(s, parent, symbol);
    if (s->symbol[parent + 1] == symbol && s->parent[parent + 1] == parent)
        return parent + 1;
    if (s->indexed < s->count)
        update_index(s);
    for (at = place(s, parent, symbol); (id = s->slots[at]); at = (at + 1) & s->mask)
        if (s->symbol[id] == symbol && s->parent[id] == parent)
            return id;
    return stacks_append(s, parent, symbol);
}

/* ---- many at once --------------------------------------------------------------------------- */

/* The progress of a path's lookup. */
struct probe {
    const struct stack_path *path;
    uint32_t stack, frames; /* the node reached, and the number of frames on the way */
    uint32_t slot, found;
};

/* Follows nodes that directly follow their parents, then prefetches the slot of the next frame. */
static bool probe_next(const struct stacks *s, struct probe *p)
{
    const struct stack_path *path = p->path;

    while (p->frames < path->count) {
        uint32_t next = p->stack + 1;
        uint32_t symbol = path->symbols[p->frames];

        if (next == s->count || s->parent[next] != p->stack || s->symbol[next] != symbol) {
            p->slot = place(s, p->stack, symbol);
            __builtin_prefetch(&s->slots[p->slot]);
            return true;
        }
        p->stack = next;
        p->frames++;
    }
    return false;
}

/* Compares the node in the slot with the next frame. Returns false if the path ends here. */
static bool probe_step(const struct stacks *s, struct probe *p)
{
    if (!p->found)
        return false;
    if (s->parent[p->found] != p->stack || s->symbol[p->found] != p->path->symbols[p->frames]) {
        p->slot = (p->slot + 1) & s->mask;
        __builtin_prefetch(&s->slots[p->slot]);
        return true;
    }
    p->stack = p->found;
    p->frames++;
    return probe_next(s, p);
}

/* Follows all paths as far as their nodes exist. */
static void probe_all(const struct stacks *s, struct probe *probes, uint32_t count)
{
    struct probe *active[STACK_PATHS_MOST];
    uint32_t left = 0;

    for (uint32_t i = 0; i < count; i++)
        if (probe_next(s, &probes[i]))
            active[left++] = &probes[i];
    while (left > 0) {
        uint32_t going = 0;

        for (uint32_t i = 0; i < left; i++) {
            active[i]->found = s->slots[active[i]->slot];
            __builtin_prefetch(&s->parent[active[i]->found]);
            __builtin_prefetch(&s->symbol[active[i]->found]);
        }
        for (uint32_t i = 0; i < left; i++)
            if (probe_step(s, active[i]))
                active[going++] = active[i];
        left = going;
    }
}

/*
 * Whether an earlier path lacks the same node. If not, the nodes that this path
 * lacks are new, although the index does not have the nodes of the others yet.
 */
static bool lacks_the_same(const struct probe *probes, uint32_t i)
{
    const struct probe *p = &probes[i];

    for (uint32_t k = 0; k < i; k++)
        if (probes[k].stack == p->stack && probes[k].frames < probes[k].path->count &&
            probes[k].path->symbols[probes[k].frames] == p->path->symbols[p->frames])
            return true;
    return false;
}

/* Adds the nodes that path `i` lacks and returns its stack. */
static uint32_t finish_path(struct stacks *s, const struct probe *probes, uint32_t i)
{
    const struct probe *p = &probes[i];
    uint32_t stack = p->stack;

    if (p->frames == p->path->count)
        return stack;
    if (lacks_the_same(probes, i)) {
        for (uint32_t f = p->frames; f < p->path->count; f++)
            stack = stacks_push(s, stack, p->path->symbols[f]);
    } else {
        for (uint32_t f = p->frames; f < p->path->count; f++)
            stack = stacks_append(s, stack, p->path->symbols[f]);
    }
    return stack;
}

void stacks_push_paths(struct stacks *s, struct stack_path *paths, uint32_t count)
{
    struct probe probes[STACK_PATHS_MOST];

    BUG_ON(count > STACK_PATHS_MOST);
    if (!s->slots || s->indexed < s->count)
        update_index(s);
    for (uint32_t i = 0; i < count; i++)
        probes[i] = (struct probe){.path = &paths[i], .stack = paths[i].stack};
    probe_all(s, probes, count);
    for (uint32_t i = 0; i < count; i++)
        paths[i].stack = finish_path(s, probes, i);
}

uint32_t stacks_depth(const struct stacks *s, uint32_t id)
{
    uint32_t depth = 0;

    BUG_ON(id >= s->count);
    for (; id != STACK_ROOT; id = s->parent[id])
        depth++;
    return depth;
}

void stacks_frames(const struct stacks *s, uint32_t id, uint32_t *symbols, uint32_t depth)
{
    BUG_ON(id >= s->count);
    while (depth > 0) {
        BUG_ON(id == STACK_ROOT);
        symbols[--depth] = s->symbol[id];
        id = s->parent[id];
    }
    BUG_ON(id != STACK_ROOT);
}
