#include "raster/pixmap.h"

#include "unit/support/test.h"

Test(raster_pixmap, begins_as_fill_0_without_text)
{
    struct pixmap p;

    cr_assert(pixmap_init(&p, 7, 5));
    for (uint32_t y = 0; y < 5; y++) {
        for (uint32_t x = 0; x < 7; x++)
            cr_expect_eq(pixmap_row(&p, y)[x], 0);
    }
    pixmap_release(&p);
    cr_expect_null(p.pixels);
}

Test(raster_pixmap, refuses_impossible_sizes)
{
    static const struct {
        uint32_t width, height;
        bool good;
    } sizes[] = {
        {1, 1, true},
        {0, 10, false},
        {10, 0, false},
        {PIXMAP_MAX_SIDE, 2, true},
        {PIXMAP_MAX_SIDE + 1, 1, false},
        {1, PIXMAP_MAX_SIDE + 1, false},
        {UINT32_MAX, UINT32_MAX, false},
        {PIXMAP_MAX_SIDE, PIXMAP_MAX_BYTES / PIXMAP_MAX_SIDE + 1, false},
    };

    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        struct pixmap p;

        cr_expect_eq(pixmap_init(&p, sizes[i].width, sizes[i].height), sizes[i].good, "%u x %u",
                     sizes[i].width, sizes[i].height);
        cr_expect_eq(p.pixels != NULL, sizes[i].good);
        pixmap_release(&p);
    }
}

Test(raster_pixmap, intersects)
{
    struct clip a = {0, 0, 10, 10};
    struct clip b = {5, -3, 20, 4};
    struct clip c = pixmap_intersect(a, b);

    cr_expect(c.left == 5 && c.top == 0 && c.right == 10 && c.bottom == 4);
    cr_expect_not(pixmap_empty(c));
    cr_expect(pixmap_empty(pixmap_intersect(a, (struct clip){10, 0, 12, 10})));
    cr_expect(pixmap_empty((struct clip){3, 3, 3, 9}));
    cr_expect(pixmap_empty((struct clip){9, 3, 3, 9}));
}
