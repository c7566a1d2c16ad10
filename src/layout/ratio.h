/*
 * Colours by the ratio of two counters: instructions per cycle, or the share of
 * cycles that were stalled.
 *
 * Widths are cycles. White is the ratio of the whole graph, as in the document
 * that defined CPI flame graphs (Gregg, "CPI Flame Graphs", 2014), which scales
 * both counters to equal totals. The frame with the best ratio has the full
 * colour of growth (layout/diverge.h), the frame with the worst ratio the full
 * colour of shrinkage; colours are scaled between white and either. Frames with
 * less than a thousandth of all cycles are white: a ratio of a few samples is
 * chance.
 */
#ifndef LAYOUT_RATIO_H
#define LAYOUT_RATIO_H

#include <stdbool.h>
#include <stdint.h>

#include "profile/pair.h"

struct layout;

/* Instructions or stalled cycles (`part`), and cycles. The ratio is unknown if cycles are 0. */
struct ratio {
    uint64_t part, cycles;
};

struct ratio_range {
    struct ratio stalled, flowing; /* the worst and the best ratio */
    struct ratio average;          /* of the whole graph */
    uint64_t least;                /* cycles that a frame needs to have a colour */
};

/* The largest absolute delta of a box whose colour shows a ratio. */
enum { RATIO_MOST = 1000000 };

/* Returns a number below, equal to or above 0 if `a` is worse than, equal to or better than `b`. */
int ratio_compare(enum pair_kind kind, struct ratio a, struct ratio b);

/* Sets the deltas, from which colours are made, of a two-counter graph's boxes; changes are set. */
void ratio_set_deltas(struct layout *l, enum pair_kind kind, bool negate);

#endif
