/*
 * Massif's heap snapshots, of which the most relevant one becomes stacks.
 *
 * massif.out and the text of ms_print hold the same snapshots. A reader fills `current`,
 * calls massif_heap_close() where the next snapshot begins, and massif_heap_end() at the end.
 * The peak snapshot is kept; without a peak, the snapshot with a tree that has the largest
 * heap. The root of a tree is the allocating function and children are callers.
 */
#ifndef INPUT_FORMATS_MEMORY_MASSIF_HEAP_H
#define INPUT_FORMATS_MEMORY_MASSIF_HEAP_H

#include "input/build/builder.h"

enum massif_tree { MASSIF_EMPTY, MASSIF_DETAILED, MASSIF_PEAK };

struct massif_node {
    uint32_t depth;
    uint64_t line, bytes;
    size_t text, len; /* range of the frame in massif_snapshot.texts */
};

struct massif_snapshot {
    uint64_t number, time, heap, extra, stacks;
    enum massif_tree tree;
    uint64_t expected; /* number of nodes that the nodes state */
    VEC(struct massif_node) nodes;
    struct buf texts;
};

struct massif_heap {
    struct builder b;
    struct massif_snapshot current, best;
    uint64_t snapshots, highest; /* number of snapshots; largest heap of them */
};

bool massif_heap_begin(struct text *t, void *state);
void massif_heap_release(void *state);

/*
 * Adds a node to the tree of the current snapshot. Returns false if it has no parent there.
 * `children` is how many the node states.
 */
bool massif_heap_add(struct massif_heap *m, struct massif_node node, struct slice frame,
                     uint64_t children);

/* Keeps the better of the current and the best snapshot and clears the current one. */
void massif_heap_close(struct massif_heap *m);

/* Adds the stacks of the best snapshot. Returns false after reporting an error. */
bool massif_heap_end(struct text *t, void *state);

#endif
