/*
 * Drawing a glyph: raising the text level of the pixels it covers.
 *
 * A mask holds a level from 0 to PIXMAP_LEVELS - 1 for each pixel. Drawing it
 * leaves the pixel's fill alone and keeps the higher of the two levels, so
 * that glyphs may overlap and the order does not matter.
 */
#ifndef RASTER_MASK_H
#define RASTER_MASK_H

#include <stddef.h>
#include <stdint.h>

#include "raster/pixmap.h"

enum { MASK_STEP = 8 }; /* the stride is a multiple of it */

struct mask {
    uint32_t width, height;
    uint32_t stride;       /* bytes from row to row, a multiple of MASK_STEP; padding is 0 */
    const uint8_t *levels; /* 0 .. PIXMAP_LEVELS - 1, the top row first */
};

/* The stride of a mask of that width. */
static inline uint32_t mask_stride(uint32_t width)
{
    return (width + MASK_STEP - 1) / MASK_STEP * MASK_STEP;
}

/*
 * Turns coverage (0 .. 255, `pitch` bytes from row to row) into the levels of
 * a mask at `levels`, which has room for mask_stride(width) * height bytes.
 * A level is the coverage rounded to the nearest of eight equal steps: what
 * contrast does to it is raster/color.c's business alone.
 */
void mask_quantize(const uint8_t *coverage, size_t pitch, uint32_t width, uint32_t height,
                   uint8_t *levels);

/* Draws `m` with its top left pixel at (x, y), inside `clip` and the pixmap. */
void mask_draw(struct pixmap *p, int32_t x, int32_t y, const struct mask *m, struct clip clip);

#endif
