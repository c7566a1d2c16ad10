/*
 * Colours of changes: white for no change, one hue for growth, another for
 * shrinkage; the larger the change, and the better samples support it
 * (tree/evidence.h), the stronger the colour.
 *
 * Each hue runs from a pale colour, for the smallest changes, to a full one.
 * Red and blue follow the formula published with flamegraph.pl; orange and
 * purple can be distinguished by colour-blind readers.
 */
#ifndef LAYOUT_DIVERGE_H
#define LAYOUT_DIVERGE_H

#include <stdbool.h>
#include <stdint.h>

#include "layout/hue.h"

enum diverge_pair {
    DIVERGE_RED_BLUE,
    DIVERGE_SAFE, /* orange and purple */
    DIVERGE_PAIRS,
};

/* How a graph shows its changes. */
struct diverge_look {
    enum diverge_pair pair;
    bool hatch; /* also hatch the frames, rising or falling, for print without colours */
};

struct diverge_hue {
    palette_color pale, full;
};

struct diverge {
    struct diverge_hue more, less;
};

extern const struct diverge diverge_pairs[DIVERGE_PAIRS];

/*
 * Returns the colour of a change. `max` is the largest absolute change in the graph; `support` is
 * from 0, for the palest colour of its direction, to 1.
 */
palette_color diverge_pick(enum diverge_pair pair, int64_t change, int64_t max, double support);

#endif
