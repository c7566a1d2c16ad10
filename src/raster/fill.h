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

#endif
