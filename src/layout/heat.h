/*
 * Heat map: weights by second (column) and by offset within the second (row).
 *
 * It shows periodic and one-off activity, which a flame graph of the whole time hides. Seconds
 * count from the input's first sample. A column is one second, or the sum of several if there are
 * more seconds than columns. Row 0 is the start of each second. After Brendan Gregg's
 * subsecond-offset heat maps (FlameScope).
 */
#ifndef LAYOUT_HEAT_H
#define LAYOUT_HEAT_H

#include <stdbool.h>
#include <stdint.h>

#include "layout/layout.h"
#include "profile/profile.h"

enum {
    HEAT_ROWS = 50,                       /* of 20 milliseconds */
    HEAT_ROW_NS = 1000000000 / HEAT_ROWS, /* nanoseconds of a row */
    HEAT_ROWS_TO_A_FRAME = 2,             /* rows drawn in the height of a frame */
};

struct heat {
    uint64_t first;  /* the first second of column 0 */
    uint64_t stride; /* seconds per column */
    uint32_t columns;
    uint64_t *weight; /* of column and row: [column * HEAT_ROWS + row] */
    uint64_t most;    /* the largest item of `weight` */
};

/*
 * Sums the weights of a series, whose timed samples must be sorted, in at most `most_columns`
 * columns. Returns false, with nothing to release, if the samples have no times or no weight.
 */
bool heat_init(struct heat *h, const struct profile *p, uint32_t series, uint32_t most_columns);
void heat_release(struct heat *h);

/* Fills a layout without boxes, with rows for the heat map and `extra` rows below it. */
void heat_lay_out(struct layout *l, const struct tree *t, uint32_t extra);

#endif
