#include "layout/diverge.h"

#include "unit/support/test.h"

Test(layout_diverge, red_and_blue_are_by_the_published_formula)
{
    cr_expect_eq(diverge_pick(DIVERGE_RED_BLUE, 0, 10, 1), 0xffffff);
    cr_expect_eq(diverge_pick(DIVERGE_RED_BLUE, 10, 10, 1), 0xff0000);
    cr_expect_eq(diverge_pick(DIVERGE_RED_BLUE, -10, 10, 1), 0x0000ff);
    cr_expect_eq(diverge_pick(DIVERGE_RED_BLUE, INT64_MIN, INT64_MAX, 1), 0x0000ff);
    for (int max = 1; max <= 200; max++) {
        for (int d = 1; d <= max; d++) {
            uint32_t c = (uint32_t)(210 * (1 - (double)d / max));

            cr_expect_eq(diverge_pick(DIVERGE_RED_BLUE, d, max, 1), 0xff0000 | c << 8 | c);
            cr_expect_eq(diverge_pick(DIVERGE_RED_BLUE, -d, max, 1), 0x0000ff | c << 16 | c << 8);
        }
    }
}

Test(layout_diverge, the_ends_of_the_safe_pair)
{
    cr_expect_eq(diverge_pick(DIVERGE_SAFE, 0, 10, 1), 0xffffff);
    cr_expect_eq(diverge_pick(DIVERGE_SAFE, 10, 10, 1), 0xe66100);
    cr_expect_eq(diverge_pick(DIVERGE_SAFE, -10, 10, 1), 0x5d3a9b);
    cr_expect_eq(diverge_pick(DIVERGE_SAFE, 1, INT64_MAX, 1), 0xfee8cc);
    cr_expect_eq(diverge_pick(DIVERGE_SAFE, -1, INT64_MAX, 1), 0xe0dbed);
}

Test(layout_diverge, what_is_beyond_the_scale_has_its_end)
{
    cr_expect_eq(diverge_pick(DIVERGE_RED_BLUE, 50, 10, 1), 0xff0000);
    cr_expect_eq(diverge_pick(DIVERGE_RED_BLUE, -1, 0, 1), 0x0000ff);
}

Test(layout_diverge, a_change_without_support_is_palest)
{
    cr_expect_eq(diverge_pick(DIVERGE_RED_BLUE, 10, 10, 0), 0xffd2d2);
    cr_expect_eq(diverge_pick(DIVERGE_RED_BLUE, -10, 10, 0), 0xd2d2ff);
    cr_expect_eq(diverge_pick(DIVERGE_RED_BLUE, 10, 10, 0.5), 0xff6969);
    cr_expect_eq(diverge_pick(DIVERGE_SAFE, -10, 10, 0), 0xe0dbed);
}
