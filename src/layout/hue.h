/*
 * Hues: the ranges of colour that palettes are made of.
 *
 * The formulas are those published with flamegraph.pl: each channel is a base
 * plus a span times one of three numbers in [0, 1), truncated to an integer. If
 * black labels on the darkest colours of a hue would lack the contrast that
 * raster/color.h requires, names use only the upper part of the range, from
 * `low` on: labels that alternate between black and white are hard to read.
 */
#ifndef LAYOUT_HUE_H
#define LAYOUT_HUE_H

#include <stdint.h>

#include "base/die.h"

/* 0xRRGGBB */
typedef uint32_t palette_color;

struct hue_channel {
    uint8_t base, span;
    uint8_t v; /* index of the number it uses */
};

struct hue {
    const char *name;
    double low; /* numbers made from names are in [low, 1) */
    struct hue_channel red, green, blue;
};

extern const struct hue hue_hot, hue_mem, hue_io, hue_self;
extern const struct hue hue_red, hue_green, hue_blue, hue_aqua, hue_yellow, hue_purple, hue_orange;
extern const struct hue hue_grey; /* for names of no class */

/* Returns the colour for three numbers in [0, 1), which are first mapped into [low, 1). */
palette_color hue_color(const struct hue *h, const double v[3]);

#endif
