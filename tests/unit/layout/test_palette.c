#include "layout/palette.h"

#include <criterion/criterion.h>

#include "base/buf.h"
#include "raster/color.h"

static palette_color hot(const char *name, bool by_name)
{
    return palette_pick(palette_find(SLICE("hot")), slice_str(name), SYMBOL_USER, by_name);
}

Test(layout_palette, registry)
{
    cr_assert_not_null(palette_find(SLICE("hot")));
    cr_expect_str_eq(palette_find(SLICE("hot"))->name, "hot");
    cr_expect_null(palette_find(SLICE("hott")));
    cr_expect_null(palette_find(SLICE("")));
}

/* The published formula, at the corners and in the middle. */
Test(layout_palette, hot_formula)
{
    static const struct {
        double v[3];
        palette_color want;
    } cases[] = {
        {{0, 0, 0}, 0xcd0000},
        {{0.5, 0.5, 0.5}, 0xe6731b},
        {{0.999, 0.999, 0.999}, 0xfee536},
        {{0.5, 0, 1}, 0xff7300},
    };
    const struct palette *p = palette_find(SLICE("hot"));

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        cr_expect_eq(p->color(SLICE("x"), SYMBOL_USER, cases[i].v), cases[i].want, "case %zu: %06x",
                     i, p->color(SLICE("x"), SYMBOL_USER, cases[i].v));
}

/* Colours are promised to stay: a change of the hash would recolour everyone's graphs. */
Test(layout_palette, a_name_keeps_its_colour)
{
    cr_expect_eq(hot("main", false), 0xf7c22e, "%06x", hot("main", false));
    cr_expect_eq(hot("std::vector<int>::push_back", false), 0xed9624, "%06x",
                 hot("std::vector<int>::push_back", false));
    cr_expect_eq(palette_pick(palette_find(SLICE("hot")), SLICE("main"), SYMBOL_KERNEL, false),
                 hot("main", false), "the class is no part of the name");
}

Test(layout_palette, separators_are_grey)
{
    const struct palette *p = palette_find(SLICE("hot"));

    cr_expect_eq(palette_pick(p, SLICE("-"), SYMBOL_SEPARATOR, false), 0xc8c8c8);
    cr_expect_eq(palette_pick(p, SLICE("--"), SYMBOL_SEPARATOR, true), 0xa0a0a0);
}

static int distance(palette_color a, palette_color b)
{
    int sum = 0;

    for (int shift = 0; shift < 24; shift += 8)
        sum += abs((int)(a >> shift & 255) - (int)(b >> shift & 255));
    return sum;
}

Test(layout_palette, by_name_relates_related_names)
{
    cr_expect(distance(hot("tcp_sendmsg", true), hot("tcp_recvmsg", true)) <
              distance(hot("tcp_sendmsg", true), hot("a_frame", true)));
    cr_expect_eq(hot("libc.so.1`read", true), hot("read", true), "the module does not count");
    cr_expect_eq(hot("read`", true), hot("read`", true));
    cr_expect_eq(hot("", true) >> 24, 0);
}

Test(layout_palette, labels_can_be_read)
{
    for (unsigned i = 0; i < 3000; i++) {
        struct buf name;
        palette_color color;

        buf_init(&name);
        buf_printf(&name, "function_%u", i * 7919);
        color = hot(name.ptr, i % 2);
        cr_expect(color_contrast(color, color_text(color)) >= COLOR_MIN_CONTRAST, "%06x", color);
        buf_release(&name);
    }
}

Test(layout_palette, delta)
{
    cr_expect_eq(palette_delta(0, 10), 0xffffff);
    cr_expect_eq(palette_delta(10, 10), 0xff0000);
    cr_expect_eq(palette_delta(-10, 10), 0x0000ff);
    cr_expect_eq(palette_delta(5, 10), 0xff6969);
    cr_expect_eq(palette_delta(-5, 10), 0x6969ff);
    cr_expect_eq(palette_delta(INT64_MIN, INT64_MAX), 0x0000ff);
}
