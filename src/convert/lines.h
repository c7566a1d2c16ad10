/*
 * The stacks that a conversion writes: for each node of the trie its weights, and which nodes are
 * on the way to one that has a weight. Memory grows with the nodes and with the weights, so that a
 * profile of thousands of threads costs no more than its stacks do.
 */
#ifndef CONVERT_LINES_H
#define CONVERT_LINES_H

#include <stdbool.h>
#include <stdint.h>

#include "convert/writer.h"

/* The weight of a node itself in a series. */
struct line {
    uint32_t series; /* place in the conversion */
    uint64_t weight;
};

struct lines {
    const struct conversion *conversion;
    struct line *items;     /* by node, then in the order of the series */
    uint32_t *end;          /* by node: the end of its items, which begin at the node's before */
    uint32_t *first, *next; /* children in use, in the order of the trie; 0 at the end */
    bool *named;            /* by symbol: a stack has it */
};

/* Frees with lines_release(). The conversion must outlive it. */
void lines_init(struct lines *l, const struct conversion *c);
void lines_release(struct lines *l);

/* Returns the weights of a node itself, and sets `*end`. */
static inline const struct line *lines_of(const struct lines *l, uint32_t node,
                                          const struct line **end)
{
    *end = l->items + l->end[node];
    return l->items + (node ? l->end[node - 1] : 0);
}

/* Returns whether a node has a weight of its own in a series, which may be 0. */
static inline bool lines_has(const struct lines *l, uint32_t node)
{
    return l->end[node] > (node ? l->end[node - 1] : 0);
}

/* Returns whether the node is part of a stack that is written; the root always is. */
static inline bool lines_use(const struct lines *l, uint32_t node)
{
    return node == STACK_ROOT || l->first[node] || lines_has(l, node);
}

#endif
