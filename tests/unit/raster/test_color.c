#include "raster/color.h"

#include <math.h>

#include "raster/linear.h"
#include "raster/pixmap.h"
#include "unit/support/test.h"

/* Published examples: black on white has 21:1, and #777 on white just fails 4.5:1. */
Test(raster_color, contrast_is_that_of_wcag)
{
    static const struct {
        uint32_t a, b;
        double contrast;
    } cases[] = {
        {0x000000, 0xffffff, 21},    {0xffffff, 0xffffff, 1},      {0x777777, 0xffffff, 4.478},
        {0x767676, 0xffffff, 4.542}, {0xff0000, 0xffffff, 3.998},  {0x0000ff, 0xffffff, 8.592},
        {0x008000, 0xffffff, 5.138}, {0x606060, 0xffffff, 6.2885}, {0x0a0a0a, 0xffffff, 19.798},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        cr_expect_float_eq(color_contrast(cases[i].a, cases[i].b), cases[i].contrast, 0.001,
                           "#%06x on #%06x: %f", cases[i].a, cases[i].b,
                           color_contrast(cases[i].a, cases[i].b));
        cr_expect_float_eq(color_contrast(cases[i].b, cases[i].a), cases[i].contrast, 0.001);
    }
}

Test(raster_color, text_is_legible_on_every_fill)
{
    for (uint32_t r = 0; r < 256; r += 15) {
        for (uint32_t g = 0; g < 256; g += 5) {
            for (uint32_t b = 0; b < 256; b += 15) {
                uint32_t fill = r << 16 | g << 8 | b;

                cr_expect_geq(color_contrast(fill, color_text(fill)), COLOR_MIN_CONTRAST,
                              "#%06x on #%06x", color_text(fill), fill);
            }
        }
    }
    cr_expect_eq(color_text(0xff8800), 0x000000);
    cr_expect_eq(color_text(0x202030), 0xffffff);
}

/* On a dark background white labels are readable on every fill; hue and order of lightness stay. */
Test(raster_color, dark_fills_carry_white_text)
{
    for (uint32_t r = 0; r < 256; r += 15) {
        for (uint32_t g = 0; g < 256; g += 5) {
            for (uint32_t b = 0; b < 256; b += 15) {
                uint32_t fill = r << 16 | g << 8 | b, dark = color_dark(fill);

                cr_expect(color_contrast(dark, 0xffffff) >= COLOR_MIN_CONTRAST, "#%06x", dark);
                cr_expect_eq(color_text(dark), 0xffffff, "#%06x", dark);
                cr_expect((r >= g) == ((dark >> 16) >= (dark >> 8 & 255)) || r == g ||
                              (dark >> 16) == (dark >> 8 & 255),
                          "#%06x of #%06x", dark, fill);
            }
        }
    }
    for (uint32_t grey = 1; grey < 256; grey++)
        cr_expect_geq(color_luminance(color_dark(grey * 0x010101)),
                      color_luminance(color_dark((grey - 1) * 0x010101)));
    cr_expect(color_contrast(color_dark(0xff0000), 0x17191e) > 1.5);
}

/* On a dark background, neutral fills are darker than coloured ones. */
Test(raster_color, what_is_pale_stands_back_on_dark_ground)
{
    static const uint32_t pale[] = {0xffffff, 0xd0d4d9, 0xc8c8c8};
    static const uint32_t colors[] = {0xffd2d2, 0xff7f7f, 0xff0000, 0xffb46e, 0x6ebeff};

    for (size_t i = 0; i < sizeof(pale) / sizeof(pale[0]); i++)
        for (size_t k = 0; k < sizeof(colors) / sizeof(colors[0]); k++)
            cr_expect_lt(color_luminance(color_dark(pale[i])),
                         color_luminance(color_dark(colors[k])), "#%06x #%06x", pale[i], colors[k]);
}

Test(raster_color, blend_goes_from_fill_to_text_in_rising_steps)
{
    static const uint32_t fills[] = {0xffffff, 0xff7700, 0xe6d050, 0x303040, 0x000000, 0xcd1e14};

    for (size_t i = 0; i < sizeof(fills) / sizeof(fills[0]); i++) {
        uint32_t fill = fills[i];
        uint32_t text = color_text(fill);

        cr_expect_eq(color_blend(fill, text, 0), fill, "#%06x", fill);
        cr_expect_eq(color_blend(fill, text, PIXMAP_LEVELS - 1), text, "#%06x", fill);
        for (unsigned level = 1; level < PIXMAP_LEVELS; level++)
            cr_expect_lt(color_contrast(color_blend(fill, text, level), text),
                         color_contrast(color_blend(fill, text, level - 1), text), "#%06x at %u",
                         fill, level);
    }
}

/*
 * Level 4 of 7, computed from the formula by hand. Black on white: coverage 4/7 with added
 * contrast is 0.6204, and 0.3796^(1/1.2) = 0.4463 of the white remains. White on black:
 * (4/7)^(1/1.2) = 0.6273.
 */
Test(raster_color, blend_corrects_weight)
{
    cr_expect_eq(color_blend(0xffffff, 0x000000, 4) & 0xff, 114);
    cr_expect_eq(color_blend(0x000000, 0xffffff, 4) & 0xff, 160);
}

/* To a few units in the last place: C libraries round pow() differently. */
Test(raster_color, linear_light_is_that_of_the_formula)
{
    for (unsigned value = 0; value < 256; value++) {
        double c = value / 255.0;
        double light = c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);

        cr_expect_float_eq(linear_light[value], light, 1e-15, "%u: %a, expected %a", value,
                           linear_light[value], light);
    }
}

static unsigned value_by_formula(double light)
{
    double value = light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055;

    return (unsigned)lround((value < 1 ? value : 1) * 255);
}

Test(raster_color, the_value_of_a_light_is_that_of_the_formula)
{
    enum { STEPS = 1000000 };

    for (unsigned i = 0; i <= STEPS; i++) {
        double light = (double)i / STEPS;

        cr_assert_eq(linear_value(light), value_by_formula(light), "%a", light);
        cr_assert_eq(linear_value(light * light), value_by_formula(light * light), "%a", light);
    }
    cr_expect_eq(linear_value(1.5), 255);
}

/* Near each light at which the value changes, found by bisection. */
Test(raster_color, values_change_where_the_formula_does)
{
    for (unsigned value = 1; value < 256; value++) {
        double low = 0, high = 1, middle;

        while ((middle = low + (high - low) / 2) > low && middle < high) {
            if (value_by_formula(middle) >= value)
                high = middle;
            else
                low = middle;
        }
        cr_expect_eq(linear_value(low - 1e-12), value - 1);
        cr_expect_eq(linear_value(high + 1e-12), value);
    }
}
