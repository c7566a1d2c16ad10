#include "profile/stack.h"

#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "base/hash.h"

enum { STACKS_FIRST = 256, STACKS_FIRST_SLOTS = 1024 };

void stacks_init(struct stacks *s)
{
    *s = (struct stacks){0};
    stacks_reserve(s, STACKS_FIRST);
    s->parent[STACK_ROOT] = STACK_ROOT;
    s->symbol[STACK_ROOT] = SYMBOL_NONE;
    s->count = s->indexed = 1;
}

void stacks_release(struct stacks *s)
{
    free(s->parent);
    free(s->symbol);
    free(s->slots);
    *s = (struct stacks){0};
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
    BUG_ON(s->count >= STACKS_MOST);
    stacks_reserve(s, s->cap < STACKS_MOST / 2 ? s->cap * 2 : STACKS_MOST);
}

static uint32_t place(const struct stacks *s, uint32_t parent, uint32_t symbol)
{
    return (uint32_t)(hash_mix(parent, symbol) >> 32) & s->mask;
}

static void index_node(struct stacks *s, uint32_t id)
{
    uint32_t at = place(s, s->parent[id], s->symbol[id]);

    while (s->slots[at])
        at = (at + 1) & s->mask;
    s->slots[at] = id;
}

/* Brings the index up to all nodes, in twice as many slots as there are nodes or more. */
static void update_index(struct stacks *s)
{
    size_t slots = s->slots ? (size_t)s->mask + 1 : STACKS_FIRST_SLOTS;

    while (slots / 2 < s->count)
        slots *= 2;
    if (!s->slots || slots - 1 > s->mask) {
        free(s->slots);
        s->slots = xcalloc(slots, sizeof(*s->slots));
        s->mask = (uint32_t)(slots - 1);
        s->indexed = 1;
    }
    for (; s->indexed < s->count; s->indexed++)
        index_node(s, s->indexed);
}

uint32_t stacks_push(struct stacks *s, uint32_t parent, uint32_t symbol)
{
    uint32_t next = parent + 1;
    uint32_t at, id;

    BUG_ON(parent >= s->count);
    if (next == s->count)
        return stacks_append(s, parent, symbol);
    if (s->parent[next] == parent && s->symbol[next] == symbol)
        return next;
    if (s->indexed < s->count)
        update_index(s);
    for (at = place(s, parent, symbol); (id = s->slots[at]); at = (at + 1) & s->mask)
        if (s->symbol[id] == symbol && s->parent[id] == parent)
            return id;
    return stacks_append(s, parent, symbol);
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
