/*
 * A picture in pixels.
 *
 * Painting gives a pixmap of fills and text levels and the colours behind
 * them: every byte of the pixmap is an index into a palette of
 * `fills * PIXMAP_LEVELS` colours. At pixel ratio 2 every edge lies at twice
 * its place, while text is drawn at the full resolution.
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
    uint32_t ground[PIXMAP_FILLS];        /* each fill's colour, 0xRRGGBB */
    uint32_t ink[PIXMAP_FILLS];           /* and that of the text on it */
    uint32_t gradient[2 * PIXMAP_LEVELS]; /* steps of the ground, whose fills carry no text */
};

/* Paints at `ratio` pixels per CSS pixel; false where the picture is too large for a pixmap. */
bool paint_init(struct paint *paint, const struct picture *p, unsigned ratio);
void paint_release(struct paint *paint);

/* The colour of a byte of the pixmap. */
uint32_t paint_color(const struct paint *paint, uint8_t byte);

#endif
