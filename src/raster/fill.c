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
