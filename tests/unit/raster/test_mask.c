#include "raster/mask.h"

#include "base/die.h"
#include "unit/support/test.h"

Test(raster_mask, coverage_becomes_the_nearest_of_eight_levels)
{
    uint8_t levels[MASK_STEP];

    for (unsigned c = 0; c < 256; c++) {
        uint8_t coverage = (uint8_t)c;

        mask_quantize(&coverage, 1, 1, 1, levels);
        cr_expect_leq(abs((int)levels[0] * 255 - (int)c * 7), 128, "coverage %u gives %u", c,
                      levels[0]);
        for (unsigned i = 1; i < MASK_STEP; i++)
            cr_expect_eq(levels[i], 0);
    }
}

/* Draws the expected result of mask_draw() pixel by pixel. */
static void draw_slowly(struct pixmap *p, int32_t x, int32_t y, const struct mask *m,
                        struct clip clip)
{
    for (int32_t j = 0; j < (int32_t)p->height; j++) {
        for (int32_t i = 0; i < (int32_t)p->width; i++) {
            int64_t column = (int64_t)i - x;
            int64_t row = (int64_t)j - y;
            uint8_t *pixel = pixmap_row(p, (uint32_t)j) + i;

            if (i < clip.left || i >= clip.right || j < clip.top || j >= clip.bottom ||
                column < 0 || row < 0 || column >= m->width || row >= m->height)
                continue;
            uint8_t level = m->levels[(size_t)row * m->stride + (size_t)column];

            if (*pixel % PIXMAP_LEVELS < level)
                *pixel = (uint8_t)(*pixel / PIXMAP_LEVELS * PIXMAP_LEVELS + level);
        }
    }
}

static uint32_t next_random(uint32_t *state)
{
    return *state = *state * 1664525 + 1013904223;
}

static int32_t between(uint32_t *state, int32_t low, int32_t high)
{
    return low + (int32_t)((next_random(state) >> 8) % (uint32_t)(high - low + 1));
}

enum { WIDTH = 37, HEIGHT = 19, SIDE = 21 };

Test(raster_mask, draws_like_a_loop_over_pixels)
{
    uint32_t seed = 7;

    for (int round = 0; round < 9000; round++) {
        uint8_t levels[SIDE * (SIDE + MASK_STEP)] = {0};
        int32_t side = round % 3 ? 4 : SIDE;
        uint32_t width = (uint32_t)between(&seed, 0, side);
        struct mask m = {width, (uint32_t)between(&seed, 0, side), mask_stride(width), levels};
        int32_t x = between(&seed, -SIDE - 2, WIDTH + 2);
        int32_t y = between(&seed, -SIDE - 2, HEIGHT + 2);
        struct clip clip = {between(&seed, -5, WIDTH), between(&seed, -5, HEIGHT),
                            between(&seed, 0, WIDTH + 5), between(&seed, 0, HEIGHT + 5)};
        struct pixmap fast, slow;

        for (uint32_t j = 0; j < m.height; j++) {
            for (uint32_t i = 0; i < width; i++)
                levels[j * m.stride + i] = (uint8_t)(next_random(&seed) >> 29);
        }
        pixmap_init(&fast, WIDTH, HEIGHT);
        pixmap_init(&slow, WIDTH, HEIGHT);
        for (size_t i = 0; i < WIDTH * HEIGHT; i++)
            fast.pixels[i] = slow.pixels[i] = (uint8_t)(next_random(&seed) >> 24);
        mask_draw(&fast, x, y, &m, clip);
        draw_slowly(&slow, x, y, &m, clip);
        cr_assert(memcmp(fast.pixels, slow.pixels, WIDTH * HEIGHT) == 0,
                  "round %d: %u x %u at %d, %d", round, m.width, m.height, x, y);
        pixmap_release(&fast);
        pixmap_release(&slow);
    }
}

Test(raster_mask, far_away_draws_nothing)
{
    static const int32_t places[] = {INT32_MIN, INT32_MIN + 1, -1000,
                                     1000,      INT32_MAX - 1, INT32_MAX};
    uint8_t levels[MASK_STEP] = {7, 7, 7};
    struct mask m = {3, 1, MASK_STEP, levels};
    struct pixmap p;

    pixmap_init(&p, 4, 4);
    for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
        mask_draw(&p, places[i], 1, &m, pixmap_bounds(&p));
        mask_draw(&p, 1, places[i], &m, pixmap_bounds(&p));
    }
    for (size_t i = 0; i < 16; i++)
        cr_expect_eq(p.pixels[i], 0);
    pixmap_release(&p);
}
