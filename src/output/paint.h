/*
 * Paints a picture into pixels.
 *
 * Every byte of the pixmap is an index into a palette of
 * `fills * PIXMAP_LEVELS` colours: a fill and a level of the text on it. At pixel
 * ratio 2 the coordinates of edges are doubled and text is drawn at full
 * resolution.
 */
#ifndef OUTPUT_PAINT_H
#define OUTPUT_PAINT_H

#include <stdbool.h>
#include <stdint.h>

#include "output/picture.h"
#include "raster/pixmap.h"

struct paint {
    struct pixmap pixmap;
    uint32_t fills;
    uint32_t background[PIXMAP_FILLS];    /* the colour of each fill, 0xRRGGBB */
    uint32_t ink[PIXMAP_FILLS];           /* the colour of text on each fill */
    uint32_t gradient[2 * PIXMAP_LEVELS]; /* steps of the background, on which there is no text */
};

/* Paints at `ratio` pixels per CSS pixel. Returns false if that is too large for a pixmap. */
bool paint_init(struct paint *paint, const struct picture *p, unsigned ratio);
void paint_release(struct paint *paint);

/* Returns the colour of a byte of the pixmap. */
uint32_t paint_color(const struct paint *paint, uint8_t byte);

#endif
