/*
 * When it was measured: weights by seconds, and by the offset within the second.
 *
 * What a second does again and again, and what happens in one of them alone, are patterns that
 * no sum over all of the time shows. Seconds count from the first sample of the input; a column is
 * a second, or, where there are more than fit, several of them added up. Row 0 is the first part
 * of each second. After Brendan Gregg's subsecond-offset heat maps (FlameScope).
 */
#ifndef LAYOUT_HEAT_H
#define LAYOUT_HEAT_H

#include <stdbool.h>
#include <stdint.h>

#include "layout/layout.h"
#include "profile/profile.h"

enum {
    HEAT_ROWS = 50,                       /* of 20 milliseconds */
    HEAT_ROW_NS = 1000000000 / HEAT_ROWS, /* that in nanoseconds */
    HEAT_ROWS_TO_A_FRAME = 2,             /* drawn in the height of a frame */
};

struct heat {
    uint64_t first;  /* the second that the first column begins with */
    uint64_t stride; /* seconds of a column */
    uint32_t columns;
    uint64_t *weight; /* of column and row: [column * HEAT_ROWS + row] */
    uint64_t most;    /* the largest of them */
};

/*
 * Adds up a series whose moments are sorted, in at most that many columns. False, and nothing to
 * release, where its samples have no times or no weight.
 */
bool heat_init(struct heat *h, const struct profile *p, uint32_t series, uint32_t most_columns);
void heat_release(struct heat *h);

/* The layout around a heat map: no boxes, and rows for it and `extra` below it. */
void heat_lay_out(struct layout *l, const struct tree *t, uint32_t extra);

#endif
