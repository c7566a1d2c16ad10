/*
 * The stacks that a conversion writes: for each node of the trie its weights, and which nodes are
 * on the way to one that has a weight.
 */
#ifndef CONVERT_LINES_H
#define CONVERT_LINES_H

#include <stdbool.h>
#include <stdint.h>

#include "convert/writer.h"

struct lines {
    const struct conversion *conversion;
    uint32_t **entry; /* by series of the conversion and node: place in its weights + 1, or 0 */
    uint32_t *first, *next; /* children in use, in the order of the trie; 0 at the end */
    bool *named;            /* by symbol: a stack has it */
};

/* Frees with lines_release(). The conversion must outlive it. */
void lines_init(struct lines *l, const struct conversion *c);
void lines_release(struct lines *l);

/* Returns the weight of a node itself in a series of the conversion, or 0. */
static inline uint64_t lines_weight(const struct lines *l, size_t series, uint32_t node)
{
    const struct conversion *c = l->conversion;
    uint32_t entry = l->entry[series][node];

    return entry ? c->profile->series.items[c->series[series]].weight[entry - 1] : 0;
}

/* Returns whether a node has an entry of its own in a series. */
static inline bool lines_has(const struct lines *l, uint32_t node)
{
    for (size_t i = 0; i < l->conversion->count; i++)
        if (l->entry[i][node])
            return true;
    return false;
}

/* Returns whether the node is part of a stack that is written; the root always is. */
static inline bool lines_use(const struct lines *l, uint32_t node)
{
    return node == STACK_ROOT || l->first[node] || lines_has(l, node);
}

#endif
