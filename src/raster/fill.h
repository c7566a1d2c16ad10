/*
 * Fills and hatches rectangles.
 *
 * Edges are whole pixels. Rectangles are clipped to the pixmap, whatever their
 * coordinates; an empty rectangle draws nothing. A fill erases text below it.
 */
#ifndef RASTER_FILL_H
#define RASTER_FILL_H

#include "raster/pixmap.h"

/* Fills `area` with `fill` (below PIXMAP_FILLS). */
void fill_rect(struct pixmap *p, struct clip area, unsigned fill);

/* Fills `area` with the colour that text has on `fill`. */
void fill_ink(struct pixmap *p, struct clip area, unsigned fill);

enum fill_slope { FILL_RISING, FILL_FALLING };

enum {
    FILL_HATCH_STEP = 6,  /* pixels from one line to the next, at pixel ratio 1 */
    FILL_HATCH_LEVEL = 3, /* text level of the lines, below PIXMAP_LEVELS */
};

/*
 * Draws diagonal lines, each `ratio` pixels wide, over an area of one fill without text. Lines of
 * adjacent areas are aligned.
 */
void fill_hatch(struct pixmap *p, struct clip area, enum fill_slope slope, unsigned ratio);

#endif
