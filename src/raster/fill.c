#include "raster/fill.h"

#include <string.h>

#include "base/die.h"

/* Rows up to this wide are set without a call: most boxes of a picture are. */
enum { SHORT_ROW = 16 };

void fill_rect(struct pixmap *p, struct clip area, unsigned fill)
{
    struct clip c = pixmap_intersect(area, pixmap_bounds(p));
    uint8_t value = (uint8_t)(fill * PIXMAP_LEVELS);

    BUG_ON(fill >= PIXMAP_FILLS);
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

/* a + step without leaving 32 bits. */
static int32_t moved(int32_t a, int32_t step)
{
    int32_t sum;

    return __builtin_add_overflow(a, step, &sum) ? a : sum;
}

void fill_frame(struct pixmap *p, struct clip area, unsigned fill)
{
    if (pixmap_empty(area))
        return;
    fill_rect(p, (struct clip){area.left, area.top, area.right, moved(area.top, 1)}, fill);
    fill_rect(p, (struct clip){area.left, moved(area.bottom, -1), area.right, area.bottom}, fill);
    fill_rect(p, (struct clip){area.left, area.top, moved(area.left, 1), area.bottom}, fill);
    fill_rect(p, (struct clip){moved(area.right, -1), area.top, area.right, area.bottom}, fill);
}
