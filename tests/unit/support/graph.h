/*
 * A graph from a few lines of folded stacks, for tests of what comes after
 * reading: "a;b;c 3" per line, or "a;b;c 2 3" (before, now) in all of them.
 * Whole numbers only; "_[k]" and so on give the class, "_[o]" that
 * of a process or thread.
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
 * Pseudo-random folded stacks, the same for the same seed: `stacks` of them,
 * up to `depth` deep, over `names` names. To be released with buf_release().
 */
void graph_random(struct buf *folded, uint64_t seed, unsigned stacks, unsigned depth,
                  unsigned names);

#endif
