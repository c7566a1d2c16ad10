#include "raster/fill.h"

#include "unit/support/test.h"

/* Rectangles inside, across each edge, outside, empty, inverted and at the ends of int32_t. */
static const struct clip areas[] = {
    {2, 1, 5, 3},
    {-4, -4, 3, 2},
    {25, 6, 99, 99},
    {0, 0, 30, 8},
    {INT32_MIN, INT32_MIN, INT32_MAX, INT32_MAX},
    {INT32_MIN, 2, INT32_MAX, 3},
    {40, 2, 50, 4},
    {-9, 2, 0, 4},
    {5, 5, 5, 7},
    {9, 5, 3, 7},
    {3, 3, 4, 4},
    {INT32_MAX - 1, 0, INT32_MAX, 4},
};

enum { AREAS = sizeof(areas) / sizeof(areas[0]), WIDTH = 30, HEIGHT = 8 };

static bool covers(struct clip c, int32_t x, int32_t y)
{
    return x >= c.left && x < c.right && y >= c.top && y < c.bottom;
}

Test(raster_fill, rect_sets_each_pixel_of_the_area_and_no_other)
{
    for (size_t i = 0; i < AREAS; i++) {
        struct pixmap p;
        unsigned wrong = 0;

        pixmap_init(&p, WIDTH, HEIGHT);
        memset(p.pixels, 8 * 3 + 5, WIDTH * HEIGHT);
        fill_rect(&p, areas[i], 31);
        for (int32_t y = 0; y < HEIGHT; y++) {
            for (int32_t x = 0; x < WIDTH; x++)
                wrong += pixmap_row(&p, (uint32_t)y)[x] !=
                         (covers(areas[i], x, y) ? 31 * PIXMAP_LEVELS : 8 * 3 + 5);
        }
        cr_expect_eq(wrong, 0, "area %zu: %u pixels", i, wrong);
        pixmap_release(&p);
    }
}

Test(raster_fill, hatches_rise_or_fall_from_edge_to_edge)
{
    for (size_t i = 0; i < AREAS; i++) {
        for (unsigned ratio = 1; ratio <= 2; ratio++) {
            uint32_t step = FILL_HATCH_STEP * ratio;
            struct pixmap rising, falling;

            pixmap_init(&rising, WIDTH, HEIGHT);
            pixmap_init(&falling, WIDTH, HEIGHT);
            fill_hatch(&rising, areas[i], FILL_RISING, ratio);
            fill_hatch(&falling, areas[i], FILL_FALLING, ratio);
            for (int32_t y = 0; y < HEIGHT; y++) {
                for (int32_t x = 0; x < WIDTH; x++) {
                    bool up = (uint32_t)(x + y) % step < ratio;
                    bool down = (uint32_t)(x - y + 60 * (int32_t)step) % step < ratio;
                    bool in = covers(areas[i], x, y);

                    cr_expect_eq(pixmap_row(&rising, (uint32_t)y)[x],
                                 in && up ? FILL_HATCH_LEVEL : 0);
                    cr_expect_eq(pixmap_row(&falling, (uint32_t)y)[x],
                                 in && down ? FILL_HATCH_LEVEL : 0);
                }
            }
            pixmap_release(&rising);
            pixmap_release(&falling);
        }
    }
}
