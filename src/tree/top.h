/*
 * Functions ranked by weight.
 *
 * Self is the weight of the samples in which the function is the leaf. Total is
 * the weight of the samples with the function anywhere in the stack, each counted
 * once. (pprof calls self and total flat and cum.) There is a row per symbol. If the
 * stacks are estimates and the input states the total of a function (profile/reported.h),
 * the row has that total.
 *
 * Processes, threads and files are no functions and have no rows. If such a frame
 * is a leaf, the sample is self weight of the function before it: in a wakeup graph
 * the process that is woken follows the function that woke it.
 */
#ifndef TREE_TOP_H
#define TREE_TOP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "tree/evidence.h"
#include "tree/tree.h"

struct top_row {
    uint32_t symbol;
    uint64_t self, total;
    uint64_t base_self, base_total; /* in the base, for differential graphs; else 0 */
};

struct top {
    VEC(struct top_row) rows; /* every function of the graph, unordered until top_sort() */
    struct evidence evidence; /* of changes; unknown for two counters */
};

enum top_order {
    TOP_BY_SELF,
    TOP_BY_TOTAL,
    /* First changes that the samples support in full (tree/evidence.h), then all others; the
       largest absolute value first in each group. */
    TOP_BY_SELF_CHANGE,
    TOP_BY_TOTAL_CHANGE,
};

void top_init(struct top *top, const struct tree *t);
void top_release(struct top *top);

/* Sorts the rows, heaviest first; ties by the other weight, then by name, then by class. */
void top_sort(struct top *top, const struct symbols *symbols, enum top_order order);

/* Return the weight less the base's weight. Both fit in 63 bits (profile/pair.h). */
static inline int64_t top_self_change(const struct top_row *row)
{
    return (int64_t)(row->self - row->base_self);
}

static inline int64_t top_total_change(const struct top_row *row)
{
    return (int64_t)(row->total - row->base_total);
}

/* Returns "new" or "gone" if only one side has the function, else an empty slice. */
struct slice top_state(const struct top_row *row);

#endif
