#include "raster/fill.h"

#include <string.h>

#include "base/die.h"

/* Rows of at most this many pixels, as most boxes have, are filled without calling memset(). */
enum { SHORT_ROW = 16 };

static void fill_value(struct pixmap *p, struct clip area, uint8_t value)
{
    struct clip c = pixmap_intersect(area, pixmap_bounds(p));

    if (pixmap_empty(c))
        return;
    size_t width = (size_t)(c.right - c.left);
    uint8_t *row = pixmap_row(p, (uint32_t)c.top) + c.left;

    for (int32_t y = c.top; y < c.bottom; y++, row += p->stride) {
        if (width > SHORT_ROW) {
            memset(row, value, width);
            continue;
        }
        for (size_t x = 0; x < width; x++)
            row[x] = value;
    }
}

void fill_rect(struct pixmap *p, struct clip area, unsigned fill)
{
    BUG_ON(fill >= PIXMAP_FILLS);
    fill_value(p, area, (uint8_t)(fill * PIXMAP_LEVELS));
}

void fill_ink(struct pixmap *p, struct clip area, unsigned fill)
{
    BUG_ON(fill >= PIXMAP_FILLS);
    fill_value(p, area, (uint8_t)(fill * PIXMAP_LEVELS + PIXMAP_LEVELS - 1));
}

void fill_hatch(struct pixmap *p, struct clip area, enum fill_slope slope, unsigned ratio)
{
    struct clip c = pixmap_intersect(area, pixmap_bounds(p));
    uint32_t step = FILL_HATCH_STEP * ratio;

    for (int32_t y = c.top; y < c.bottom; y++) {
        uint8_t *row = pixmap_row(p, (uint32_t)y);
        uint32_t shift = (uint32_t)y % step;

        for (int32_t x = c.left; x < c.right; x++) {
            uint32_t at = (uint32_t)x + (slope == FILL_RISING ? shift : step - shift);

            if (at % step < ratio)
                row[x] = (uint8_t)(row[x] | FILL_HATCH_LEVEL);
        }
    }
}
