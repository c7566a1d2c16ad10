/*
 * Draws a glyph: raises the text level of the pixels that the glyph covers.
 *
 * A mask holds a level from 0 to PIXMAP_LEVELS - 1 for each pixel. Drawing a
 * mask keeps the pixels' fills and the higher of the two levels, so glyphs may
 * overlap and be drawn in any order.
 */
#ifndef RASTER_MASK_H
#define RASTER_MASK_H

#include <stddef.h>
#include <stdint.h>

#include "raster/pixmap.h"

enum { MASK_STEP = 8 }; /* strides are multiples of MASK_STEP */

struct mask {
    uint32_t width, height;
    uint32_t stride;       /* bytes from row to row, a multiple of MASK_STEP; padding is 0 */
    const uint8_t *levels; /* 0 .. PIXMAP_LEVELS - 1, the top row first */
};

/* Returns the stride of a mask that is `width` pixels wide. */
static inline uint32_t mask_stride(uint32_t width)
{
    return (width + MASK_STEP - 1) / MASK_STEP * MASK_STEP;
}

/*
 * Converts coverage (0 .. 255, `pitch` bytes from row to row) to a mask's
 * levels. `levels` has room for mask_stride(width) * height bytes. A level is
 * the coverage rounded to the nearest of eight equal steps; contrast is
 * corrected later, in raster/color.c.
 */
void mask_quantize(const uint8_t *coverage, size_t pitch, uint32_t width, uint32_t height,
                   uint8_t *levels);

/* Draws `m` with its top left pixel at (x, y), inside `clip` and the pixmap. */
void mask_draw(struct pixmap *p, int32_t x, int32_t y, const struct mask *m, struct clip clip);

#endif
