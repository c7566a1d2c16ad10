#include "output/rows.h"

#include <string.h>

#include "base/die.h"
#include "compress/packer.h"
#include "output/filter.h"

/* Adds a row that equals the row above: filtered with UP it is zeros. */
static void add_same(struct packer *p, uint32_t width)
{
    *packer_room(p, 1) = FILTER_UP;
    packer_add(p, 1);
    packer_add_run(p, 0, width);
}

static void add_row(struct packer *p, enum filter filter, const uint8_t *row, const uint8_t *above,
                    uint32_t width)
{
    uint8_t *to = packer_room(p, width + (size_t)1);

    to[0] = (uint8_t)filter;
    filter_apply(filter, to + 1, row, above, width);
    packer_add(p, width + (size_t)1);
}

void rows_pack(struct buf *out, const struct pixmap *pixmap)
{
    uint32_t width = pixmap->width;
    const uint8_t *above = NULL;
    struct packer packer;

    packer_open(&packer, out, width + (size_t)1);
    for (uint32_t y = 0; y < pixmap->height; y++) {
        const uint8_t *row = pixmap_row(pixmap, y);

        if (!above)
            add_row(&packer, FILTER_SUB, row, row, width);
        else if (memcmp(row, above, width) == 0)
            add_same(&packer, width);
        else
            add_row(&packer, filter_choose(row, above, width), row, above, width);
        above = row;
    }
    packer_close(&packer);
}
