/*
 * The heaviest graphs of an input that has more than are drawn (--max-graphs).
 *
 * Weights of different events have different units, so a graph counts by its share of all graphs
 * of its event.
 */
#ifndef BATCH_HEAVIEST_H
#define BATCH_HEAVIEST_H

#include <stddef.h>
#include <stdint.h>

#include "base/slice.h"

struct heaviest {
    struct slice event;
    uint64_t weight;
    double share; /* filled by heaviest_choose() */
    size_t index; /* of the graph in the input */
};

/*
 * Puts the `most` heaviest first; these and the others are each in the order of their index. Of
 * equal ones, the first are chosen.
 */
void heaviest_choose(struct heaviest *items, size_t count, size_t most);

#endif
