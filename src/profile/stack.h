/*
 * Stacks as a prefix trie.
 *
 * A stack is one id: a node whose path from the root gives the frames, root
 * first. STACK_ROOT is the empty stack. Every node comes after its parent
 * (parent[id] < id), so one pass forward visits parents first and one pass
 * backward children first, and nothing ever recurses over depth. A million
 * frames deep is a million nodes, no more.
 *
 * Two arrays of 32-bit ids are all that is kept per node. The hash index that
 * finds a child is built lazily: a reader that knows a node to be new (sorted
 * folded stacks) appends and never pays for it.
 */
#ifndef PROFILE_STACK_H
#define PROFILE_STACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/symbol.h"

enum { STACK_ROOT = 0 };

/*
 * The most nodes there may be. Input can ask for more: a reader compares
 * `count` with its limit before it pushes, for pushing beyond is a bug.
 */
#define STACKS_MOST 0x80000000u

struct stacks {
    uint32_t *parent; /* parent[id] < id; parent[0] is 0 */
    uint32_t *symbol; /* the last frame; SYMBOL_NONE at the root */
    uint32_t count;   /* nodes, the root included */
    uint32_t cap;
    uint32_t *slots; /* hash index over the nodes below `indexed`; 0 is a free slot */
    uint32_t mask;
    uint64_t key; /* of the hashes in `slots` */
    uint32_t indexed;
};

void stacks_init(struct stacks *s);
void stacks_release(struct stacks *s);
/*
 * Gives back the index, which can be as large as the arrays. It comes again with the first
 * lookup, so this is for when no more stacks are expected.
 */
void stacks_forget_index(struct stacks *s);
/* Makes room for `count` nodes in all, so that adding them does not move the arrays. */
void stacks_reserve(struct stacks *s, uint32_t count);

/* The stack `parent` with `symbol` called from it, added if it is new. */
uint32_t stacks_find_or_add(struct stacks *s, uint32_t parent, uint32_t symbol);

/* The same where the stack is mostly the one that was first added behind its parent. */
static inline uint32_t stacks_push(struct stacks *s, uint32_t parent, uint32_t symbol)
{
    uint32_t next = parent + 1;

    if (next < s->count && s->parent[next] == parent && s->symbol[next] == symbol)
        return next;
    return stacks_find_or_add(s, parent, symbol);
}

/* Frames to be called from a stack. */
struct stack_path {
    const uint32_t *symbols;
    uint32_t count;
    uint32_t stack; /* the stack to start from; then the one that all frames make */
};

enum { STACK_PATHS_MOST = 32 };

/*
 * As stacks_push() frame by frame and path by path, with the same ids. Up to
 * STACK_PATHS_MOST paths in no order are looked up side by side, so that they
 * wait for memory together.
 */
void stacks_push_paths(struct stacks *s, struct stack_path *paths, uint32_t count);

/* Makes room for one more node at least. */
void stacks_grow(struct stacks *s);

/* As stacks_push(), where the caller knows that `parent` has no such child yet. */
static inline uint32_t stacks_append(struct stacks *s, uint32_t parent, uint32_t symbol)
{
    uint32_t id = s->count;

    if (id == s->cap)
        stacks_grow(s);
    s->parent[id] = parent;
    s->symbol[id] = symbol;
    s->count = id + 1;
    return id;
}

/* Frames of a stack; `symbols` (root first) needs room for that many. O(depth). */
uint32_t stacks_depth(const struct stacks *s, uint32_t id);
void stacks_frames(const struct stacks *s, uint32_t id, uint32_t *symbols, uint32_t depth);

#endif
