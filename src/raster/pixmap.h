/*
 * The picture: one byte to a pixel.
 *
 * A byte is `fill * PIXMAP_LEVELS + level`: which of 32 fills covers the
 * pixel, and how much of it is covered by text, from 0 (none) to 7 (all).
 * Colours come later, when the palette of the PNG is written: each fill has a
 * background and a text colour, and raster/color.h blends the levels between.
 *
 * Rows are `stride` bytes apart, the top one first. PIXMAP_SLACK bytes behind
 * the last row belong to the pixmap, so that a row may be written eight
 * pixels at a time.
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
 * A rectangle of pixels, its right column and its bottom row not included.
 * Empty where right <= left or bottom <= top. It may reach beyond the pixmap.
 */
struct clip {
    int32_t left, top, right, bottom;
};

/*
 * Allocates the picture, filled with fill 0. Returns false, allocating
 * nothing, where a side is 0 or larger than the limits above.
 */
bool pixmap_init(struct pixmap *p, uint32_t width, uint32_t height);
void pixmap_release(struct pixmap *p);

static inline uint8_t *pixmap_row(const struct pixmap *p, uint32_t y)
{
    return p->pixels + (size_t)y * p->stride;
}

/* The whole picture. */
struct clip pixmap_bounds(const struct pixmap *p);

/* What both rectangles cover; empty where they do not meet. */
struct clip pixmap_intersect(struct clip a, struct clip b);

static inline bool pixmap_empty(struct clip c)
{
    return c.right <= c.left || c.bottom <= c.top;
}

#endif
