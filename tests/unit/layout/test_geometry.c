#include "layout/geometry.h"

#include "unit/support/graph.h"
#include "unit/support/test.h"

static const struct geometry_options classic = {.width = 1200, .frame_height = 16, .font_size = 12};

static struct layout flat(uint64_t total, uint32_t rows)
{
    return (struct layout){.total = total, .rows = rows};
}

Test(layout_geometry, size_and_rows)
{
    struct layout l = flat(100, 3);
    struct geometry_options options = classic;
    struct box root = {.weight = 100}, leaf = {.depth = 2, .start = 50, .weight = 25};
    struct geometry g;
    struct rect r;

    geometry_init(&g, &l, &options);
    cr_expect_eq(g.height, g.pad_top + 3 * 16 + 34);
    r = geometry_box(&g, &root);
    cr_expect(r.x == 10 && r.width == 1180 && r.height == 15);
    cr_expect_eq(r.y, (int32_t)g.pad_top + 32, "the root is at the bottom");
    r = geometry_box(&g, &leaf);
    cr_expect(r.x == 10 + 590 && r.width == 295 && r.y == (int32_t)g.pad_top);

    options.inverted = true;
    options.subtitle = true;
    options.footer = 20;
    geometry_init(&g, &l, &options);
    cr_expect_eq(g.height, g.pad_top + 3 * 16 + 54);
    cr_expect(g.pad_top > 4 * 12, "the subtitle has room above an icicle's root");
    cr_expect_eq(geometry_box(&g, &root).y, (int32_t)g.pad_top);
}

/* Boxes that share an edge get the same pixel for it, however large the weights are. */
Test(layout_geometry, edges_are_shared_and_exact)
{
    static const uint64_t totals[] = {
        7, 1000, 1u << 30, UINT64_C(1) << 52, UINT64_C(1) << 63, UINT64_MAX};

    for (size_t i = 0; i < sizeof(totals) / sizeof(totals[0]); i++) {
        struct layout l = flat(totals[i], 1);
        struct geometry g;
        int32_t right = 10;

        geometry_init(&g, &l, &classic);
        for (uint64_t part = 0; part < 7; part++) {
            uint64_t start = totals[i] / 7 * part;
            uint64_t end = part == 6 ? totals[i] : totals[i] / 7 * (part + 1);
            struct box box = {.start = start, .weight = end - start};
            struct rect r = geometry_box(&g, &box);
            long double exact = 1180 * ((long double)start / (long double)totals[i]);

            cr_expect_eq(r.x, right, "total %zu part %d: %d is not %d", i, (int)part, r.x, right);
            cr_expect((long double)(r.x - 10) - exact <= 0.5001L &&
                          exact - (long double)(r.x - 10) <= 0.5001L,
                      "total %zu part %d", i, (int)part);
            right = r.x + r.width;
        }
        cr_expect_eq(right, 1190);
    }
}

Test(layout_geometry, rounds_half_up)
{
    struct layout l = flat(2360, 1); /* two units to the pixel */
    struct box box = {.start = 1, .weight = 2};
    struct geometry g;
    struct rect r;

    geometry_init(&g, &l, &classic);
    r = geometry_box(&g, &box);
    cr_expect_eq(r.x, 11);
    cr_expect_eq(r.width, 1);
}
