#include "raster/color.h"

#include <math.h>

#include "base/die.h"
#include "raster/linear.h"
#include "raster/pixmap.h"

static double channel(uint32_t rgb, unsigned shift)
{
    return (double)(rgb >> shift & 0xff) / 255;
}

/* Returns the linear light of a channel. */
static double linear(uint32_t rgb, unsigned shift)
{
    return linear_light[rgb >> shift & 0xff];
}

double color_luminance(uint32_t rgb)
{
    return 0.2126 * linear(rgb, 16) + 0.7152 * linear(rgb, 8) + 0.0722 * linear(rgb, 0);
}

double color_contrast(uint32_t a, uint32_t b)
{
    double la = color_luminance(a);
    double lb = color_luminance(b);

    return la > lb ? (la + 0.05) / (lb + 0.05) : (lb + 0.05) / (la + 0.05);
}

uint32_t color_text(uint32_t fill)
{
    return color_contrast(fill, 0x000000) >= COLOR_MIN_CONTRAST ? 0x000000 : 0xffffff;
}

/* Returns how saturated a colour is, 0 to 1: the channels' spread, of which 0.4 counts as 1. */
static double strength(uint32_t rgb)
{
    unsigned low = 255, high = 0;

    for (unsigned shift = 0; shift < 24; shift += 8) {
        unsigned c = rgb >> shift & 0xff;

        low = c < low ? c : low;
        high = c > high ? c : high;
    }
    return high - low < 102 ? (double)(high - low) / 102 : 1;
}

/* templates/flame_label.js repeats every operation, for equal results. */
uint32_t color_dark(uint32_t light)
{
    double from = color_luminance(light);
    /* At most 0.165, on which white has a contrast of 4.9. */
    double to = 0.045 + (0.015 + 0.105 * strength(light)) * from;
    uint32_t rgb = 0;

    for (unsigned shift = 0; shift < 24; shift += 8) {
        double c = from > 0 ? linear(light, shift) * to / from : to;

        rgb |= (uint32_t)linear_value(c) << shift;
    }
    return rgb;
}

/*
 * Coverage blended directly into sRGB values makes dark text look thin and
 * light text look fat. Skia's correction (src/core/SkMaskGamma.cpp) with
 * Chromium's constants for Linux gives labels the weight that browsers give
 * them: it adds contrast in proportion to the background's brightness, then
 * blends linear light (gamma 1.2). The background is assumed to be the opposite of the
 * text colour.
 */
static const double text_gamma = 1.2;
static const double text_contrast = 0.2;

static double corrected(double coverage, double text)
{
    double background = 1 - text;
    double light_text = pow(text, text_gamma);
    double light_ground = pow(background, text_gamma);
    double alpha = coverage + (1 - coverage) * text_contrast * light_ground * coverage;

    if (fabs(text - background) < 1.0 / 256)
        return alpha;
    double out = pow(light_text * alpha + light_ground * (1 - alpha), 1 / text_gamma);

    return (out - background) / (text - background);
}

uint32_t color_blend(uint32_t fill, uint32_t text, unsigned level)
{
    double luma =
        0.2126 * channel(text, 16) + 0.7152 * channel(text, 8) + 0.0722 * channel(text, 0);
    double alpha = corrected((double)level / (PIXMAP_LEVELS - 1), luma);
    uint32_t rgb = 0;

    BUG_ON(level >= PIXMAP_LEVELS);
    for (unsigned shift = 0; shift < 24; shift += 8) {
        double from = channel(fill, shift);
        double mixed = from + (channel(text, shift) - from) * alpha;

        rgb |= (uint32_t)lround(mixed * 255) << shift;
    }
    return rgb;
}
