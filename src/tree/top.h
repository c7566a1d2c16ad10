/*
 * Functions ranked by weight.
 *
 * Self is the weight of samples in which the function was running; total is
 * that of samples in which it was anywhere on the stack, recursion counted
 * once. Rows are per name and class. (pprof calls the two flat and cum.)
 */
#ifndef TREE_TOP_H
#define TREE_TOP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "tree/tree.h"

struct top_row {
    uint32_t symbol;
    uint64_t self, total;
    uint64_t base_self, base_total; /* before, for differential graphs; else 0 */
};

struct top {
    VEC(struct top_row) rows; /* every symbol of the graph, unordered until top_sort() */
};

enum top_order {
    TOP_BY_SELF,
    TOP_BY_TOTAL,
    TOP_BY_SELF_CHANGE, /* by its size, whether more or less */
    TOP_BY_TOTAL_CHANGE,
};

void top_init(struct top *top, const struct tree *t);
void top_release(struct top *top);

/* Heaviest first; ties by the other weight, then by name, then by class. */
void top_sort(struct top *top, const struct symbols *symbols, enum top_order order);

/* Weights now less before; the weights of both fit in 63 bits. */
static inline int64_t top_self_change(const struct top_row *row)
{
    return (int64_t)(row->self - row->base_self);
}

static inline int64_t top_total_change(const struct top_row *row)
{
    return (int64_t)(row->total - row->base_total);
}

/* "new" or "gone" where a function is on one side only; else empty. */
struct slice top_state(const struct top_row *row);

#endif
