#include "raster/mask.h"

#include <string.h>

#include "base/die.h"

#define EACH_BYTE(value) (0x0101010101010101u * (uint64_t)(value))

void mask_quantize(const uint8_t *coverage, size_t pitch, uint32_t width, uint32_t height,
                   uint8_t *levels)
{
    uint32_t stride = mask_stride(width);

    for (uint32_t y = 0; y < height; y++) {
        for (uint32_t x = 0; x < width; x++)
            levels[x] = (uint8_t)((coverage[x] * (PIXMAP_LEVELS - 1) + 127) / 255);
        memset(levels + width, 0, stride - width);
        coverage += pitch;
        levels += stride;
    }
}

/*
 * Raises eight pixels at a time to the higher level. A byte's low three bits
 * hold the level. Subtracting the new level from the old level plus eight
 * leaves bit 3 set if the old level is higher or equal, and no byte borrows
 * from its neighbour.
 */
static inline void raise_eight(uint8_t *pixels, const uint8_t *levels)
{
    uint64_t there, new;

    memcpy(&new, levels, sizeof(new));
    if (new == 0)
        return;
    memcpy(&there, pixels, sizeof(there));
    uint64_t old = there & EACH_BYTE(7);
    uint64_t keep = (((old | EACH_BYTE(8)) - new) >> 3 & EACH_BYTE(1)) * 7;

    there = (there & ~EACH_BYTE(7)) | (old & keep) | (new & ~keep);
    memcpy(pixels, &there, sizeof(there));
}

/* Draws a mask that is completely inside the clip; may write into the slack, never beyond. */
static void draw_whole(struct pixmap *p, uint32_t x, uint32_t y, const struct mask *m)
{
    uint8_t *row = pixmap_row(p, y) + x;
    const uint8_t *levels = m->levels;

    for (uint32_t i = 0; i < m->height; i++) {
        for (uint32_t j = 0; j < m->stride; j += MASK_STEP)
            raise_eight(row + j, levels + j);
        row += p->stride;
        levels += m->stride;
    }
}

void mask_draw(struct pixmap *p, int32_t x, int32_t y, const struct mask *m, struct clip clip)
{
    struct clip c = pixmap_intersect(clip, pixmap_bounds(p));
    int64_t right = (int64_t)x + m->width;
    int64_t bottom = (int64_t)y + m->height;

    if (pixmap_empty(c) || x >= c.right || y >= c.bottom || right <= c.left || bottom <= c.top)
        return;
    if (x >= c.left && y >= c.top && right <= c.right && bottom <= c.bottom) {
        draw_whole(p, (uint32_t)x, (uint32_t)y, m);
        return;
    }
    if (right < c.right)
        c.right = (int32_t)right;
    if (bottom < c.bottom)
        c.bottom = (int32_t)bottom;
    if (x > c.left)
        c.left = x;
    for (int32_t i = y > c.top ? y : c.top; i < c.bottom; i++) {
        uint8_t *row = pixmap_row(p, (uint32_t)i);
        const uint8_t *levels = m->levels + (size_t)(i - (int64_t)y) * m->stride;

        for (int32_t j = c.left; j < c.right; j++) {
            uint8_t level = levels[j - (int64_t)x];

            if ((row[j] & 7) < level)
                row[j] = (uint8_t)((row[j] & ~7) | level);
        }
    }
}
