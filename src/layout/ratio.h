/*
 * Two counters as colours: how many instructions a cycle brought, or how many
 * of the cycles were stalled.
 *
 * The graph is as wide as its cycles. The frame in which instructions flow
 * best has the full colour of more, the one that is stalled most that of less,
 * and between them the colours span the whole range. Frames with less than a
 * thousandth of the cycles have no colour: of few samples a ratio is chance.
 */
#ifndef LAYOUT_RATIO_H
#define LAYOUT_RATIO_H

#include <stdbool.h>
#include <stdint.h>

#include "profile/pair.h"

struct layout;

/* Instructions or stalled cycles, of so many cycles; nothing is known where these are 0. */
struct ratio {
    uint64_t part, cycles;
};

struct ratio_range {
    struct ratio stalled, flowing; /* the ends */
    uint64_t least;                /* cycles of a frame that has a colour */
};

/* The largest delta of a box whose colour is a ratio. */
enum { RATIO_MOST = 1000000 };

/* Below, at or above 0 as a flows less well than b, as well, or better. */
int ratio_compare(enum pair_kind kind, struct ratio a, struct ratio b);

/* Gives the boxes of a graph of two counters, whose changes are known, what their colours show. */
void ratio_set_deltas(struct layout *l, enum pair_kind kind, bool negate);

#endif
