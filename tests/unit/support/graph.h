/*
 * Makes a graph from a few lines of folded stacks, for tests of the steps after
 * reading: lines "a;b;c 3", or lines "a;b;c 2 3" (base, new). Weights are whole
 * numbers; "_[k]" and so on give the class, "_[o]" the class of processes and
 * threads.
 */
#ifndef SUPPORT_GRAPH_H
#define SUPPORT_GRAPH_H

#include <stdbool.h>

#include "base/slice.h"
#include "profile/profile.h"
#include "tree/tree.h"

struct graph {
    struct profile profile;
    struct tree tree;
};

void graph_init(struct graph *g, struct slice folded);
void graph_release(struct graph *g);

/*
 * Appends `stacks` pseudo-random folded stacks, up to `depth` deep, with `names`
 * names. Equal seeds give equal stacks.
 */
void graph_random(struct buf *folded, uint64_t seed, unsigned stacks, unsigned depth,
                  unsigned names);

/* Fills `p` with a series of `stacks` stacks: a binary tree of the frames "even" and "odd". */
void graph_large(struct profile *p, uint32_t stacks);

#endif
