/*
 * Pixmap: a picture of one byte per pixel.
 *
 * A byte is `fill * PIXMAP_LEVELS + level`: the number of the pixel's fill, and
 * how much of the pixel text covers, from 0 (none) to 7 (all). Colours are
 * chosen when the palette of the PNG is written: each fill has a background and
 * a text colour, and color_blend() mixes them for the levels in between.
 *
 * Rows are `stride` bytes apart, the top row first. The pixmap owns PIXMAP_SLACK
 * bytes after the last row, so that rows may be written eight pixels at a time.
 */
#ifndef RASTER_PIXMAP_H
#define RASTER_PIXMAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    PIXMAP_FILLS = 32,
    PIXMAP_LEVELS = 8,
    PIXMAP_SLACK = 8,
    PIXMAP_MAX_SIDE = 1 << 17,  /* pixels in width or height */
    PIXMAP_MAX_BYTES = 1 << 30, /* pixels in all */
};

struct pixmap {
    uint32_t width, height;
    size_t stride; /* bytes from one row to the next */
    uint8_t *pixels;
};

/*
 * A rectangle of pixels that excludes column `right` and row `bottom`. It is
 * empty if right <= left or bottom <= top, and may extend beyond the pixmap.
 */
struct clip {
    int32_t left, top, right, bottom;
};

/*
 * Allocates a pixmap of fill 0. Returns false, allocating nothing, if a side is
 * 0 or a limit above is exceeded.
 */
bool pixmap_init(struct pixmap *p, uint32_t width, uint32_t height);
void pixmap_release(struct pixmap *p);

static inline uint8_t *pixmap_row(const struct pixmap *p, uint32_t y)
{
    return p->pixels + (size_t)y * p->stride;
}

/* Returns the rectangle of the whole pixmap. */
struct clip pixmap_bounds(const struct pixmap *p);

/* Returns the intersection of two rectangles, which is empty if they do not meet. */
struct clip pixmap_intersect(struct clip a, struct clip b);

static inline bool pixmap_empty(struct clip c)
{
    return c.right <= c.left || c.bottom <= c.top;
}

#endif
