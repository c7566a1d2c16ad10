/*
 * Colours of changes: white for none, one hue for more and one for less, the
 * stronger the larger the change.
 *
 * Each hue runs from a pale colour, which stands for hardly anything, to a
 * full one. Red and blue are by the formula published with flamegraph.pl; the
 * other pair can be told apart by people who do not see some colours.
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
    bool hatch; /* lines that rise or fall as well, for print without colours */
};

struct diverge_hue {
    palette_color pale, full;
};

struct diverge {
    struct diverge_hue more, less;
};

extern const struct diverge diverge_pairs[DIVERGE_PAIRS];

/* The colour of a change of which none is larger than `max`. */
palette_color diverge_pick(enum diverge_pair pair, int64_t change, int64_t max);

#endif
