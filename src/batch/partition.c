#include "batch/partition.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/die.h"

struct item {
    uint64_t weight;
    size_t index;
};

/* Heavier items first; of equal ones the earlier. */
static int compare_items(const void *a, const void *b)
{
    const struct item *x = a, *y = b;

    if (x->weight != y->weight)
        return x->weight > y->weight ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}

/* True if share `a` takes the next item before share `b`. */
static bool is_lighter(const uint64_t *sums, unsigned a, unsigned b)
{
    return sums[a] != sums[b] ? sums[a] < sums[b] : a < b;
}

/* Restores the order of a heap of shares, the lightest at its top, after its top grew. */
static void sink(unsigned *heap, unsigned count, const uint64_t *sums)
{
    for (unsigned at = 0;;) {
        unsigned least = at, child = 2 * at + 1, moved = heap[at];

        for (unsigned i = child; i < count && i < child + 2; i++)
            if (is_lighter(sums, heap[i], heap[least]))
                least = i;
        if (least == at)
            return;
        heap[at] = heap[least];
        heap[least] = moved;
        at = least;
    }
}

void partition_divide(const uint64_t *weights, size_t count, unsigned shares, unsigned *share)
{
    struct item *items = xreallocarray(NULL, count + 1, sizeof(*items));
    unsigned *heap = xreallocarray(NULL, shares, sizeof(*heap));
    uint64_t *sums = xcalloc(shares, sizeof(*sums));

    for (size_t i = 0; i < count; i++)
        items[i] = (struct item){weights[i], i};
    qsort(items, count, sizeof(*items), compare_items);
    for (unsigned i = 0; i < shares; i++)
        heap[i] = i;
    for (size_t i = 0; i < count; i++) {
        uint64_t *sum = &sums[heap[0]];

        share[items[i].index] = heap[0];
        *sum = *sum > UINT64_MAX - items[i].weight ? UINT64_MAX : *sum + items[i].weight;
        sink(heap, shares, sums);
    }
    free(sums);
    free(heap);
    free(items);
}
