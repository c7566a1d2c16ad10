/*
 * Plain rectangles.
 *
 * Edges are whole pixels. What lies outside the pixmap is left out, whatever
 * the coordinates; an empty rectangle draws nothing. A fill takes the text
 * that was there with it.
 */
#ifndef RASTER_FILL_H
#define RASTER_FILL_H

#include "raster/pixmap.h"

/* Fills `area` with `fill` (below PIXMAP_FILLS). */
void fill_rect(struct pixmap *p, struct clip area, unsigned fill);

enum fill_slope { FILL_RISING, FILL_FALLING };

enum {
    FILL_HATCH_STEP = 6,  /* from one line of a hatching to the next, at pixel ratio 1 */
    FILL_HATCH_LEVEL = 3, /* of the text's colour in them, of PIXMAP_LEVELS - 1 */
};

/*
 * Draws diagonal lines over what has one fill and no text, each `ratio` pixels wide. They go on
 * from one area to the next.
 */
void fill_hatch(struct pixmap *p, struct clip area, enum fill_slope slope, unsigned ratio);

#endif
