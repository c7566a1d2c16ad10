/*
 * Stacks as a prefix trie.
 *
 * A stack is the id of a node; the path from the root to the node has its
 * frames. STACK_ROOT is the empty stack. Every node comes after its parent
 * (parent[id] < id): a forward pass visits parents first, a backward pass
 * children first, and no code recurses over depth.
 *
 * A node costs two 32-bit ids. The hash index that finds a child is built on
 * first use: a reader that knows a node to be new (sorted folded stacks) calls
 * stacks_append() and needs no index.
 */
#ifndef PROFILE_STACK_H
#define PROFILE_STACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/symbol.h"

enum { STACK_ROOT = 0 };

/*
 * The maximum number of nodes. Exceeding it is a bug (BUG_ON), so a reader
 * compares `count` with its own limit before it pushes frames.
 */
#define STACKS_MOST 0x80000000u

struct stacks {
    uint32_t *parent; /* parent[id] < id; parent[0] is 0 */
    uint32_t *symbol; /* the last frame; SYMBOL_NONE at the root */
    uint32_t count;   /* nodes, the root included */
    uint32_t cap;
    uint32_t *slots; /* hash index over nodes below `indexed` that are not right behind their
                        parents; 0 is a free slot */
    uint32_t mask;
    uint64_t key; /* of the hashes in `slots` */
    uint32_t indexed;
};

void stacks_init(struct stacks *s);
void stacks_release(struct stacks *s);
/*
 * Frees the index, which can be as large as the arrays. Call it when no more stacks are expected:
 * the next lookup builds the index again.
 */
void stacks_forget_index(struct stacks *s);
/* Makes room for `count` nodes in total, so that adding them does not move the arrays. */
void stacks_reserve(struct stacks *s, uint32_t count);

/* Returns the stack of `parent` and the frame `symbol` called from it; adds it if it is new. */
uint32_t stacks_find_or_add(struct stacks *s, uint32_t parent, uint32_t symbol);

/* As stacks_find_or_add(); faster if the child is the node that was added right after `parent`. */
static inline uint32_t stacks_push(struct stacks *s, uint32_t parent, uint32_t symbol)
{
    uint32_t next = parent + 1;

    if (next < s->count && s->parent[next] == parent && s->symbol[next] == symbol)
        return next;
    return stacks_find_or_add(s, parent, symbol);
}

/* Frames to push onto a stack, in the order of calls. */
struct stack_path {
    const uint32_t *symbols;
    uint32_t count;
    uint32_t stack; /* in: the stack to start from; out: the stack with all frames */
};

enum { STACK_PATHS_MOST = 32 };

/*
 * Pushes up to STACK_PATHS_MOST paths. The resulting ids are those that
 * stacks_push() gives frame by frame and path by path. The lookups are
 * interleaved so that their cache misses overlap.
 */
void stacks_push_paths(struct stacks *s, struct stack_path *paths, uint32_t count);

/* Makes room for at least one more node. */
void stacks_grow(struct stacks *s);

/* Adds a child. The caller knows that `parent` has no child `symbol` yet. */
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

/* Returns the number of frames of a stack. O(depth). */
uint32_t stacks_depth(const struct stacks *s, uint32_t id);
/* Fills `symbols` with the `depth` frames of a stack, root first. O(depth). */
void stacks_frames(const struct stacks *s, uint32_t id, uint32_t *symbols, uint32_t depth);

#endif
