/*
 * Hues: the ranges of colour that palettes are made of.
 *
 * The formulas are those published with flamegraph.pl: each channel is a base
 * and a span times one of three numbers in [0, 1), cut to an integer. Where the
 * darkest colours of a range would not carry black labels at the contrast of
 * raster/color.h, names use the upper part of the range only, from `low` on:
 * labels that change from black to white from frame to frame are hard to read
 * along.
 */
#ifndef LAYOUT_HUE_H
#define LAYOUT_HUE_H

#include <stdint.h>

#include "base/die.h"

/* 0xRRGGBB */
typedef uint32_t palette_color;

struct hue_channel {
    uint8_t base, span;
    uint8_t v; /* which of the numbers, from 0 */
};

struct hue {
    const char *name;
    double low; /* the numbers of names are in [low, 1) */
    struct hue_channel red, green, blue;
};

extern const struct hue hue_hot, hue_mem, hue_io, hue_self;
extern const struct hue hue_red, hue_green, hue_blue, hue_aqua, hue_yellow, hue_purple, hue_orange;
extern const struct hue hue_grey; /* of what is neither */

/* The colour for three numbers in [0, 1), which are moved into [low, 1). */
palette_color hue_color(const struct hue *h, const double v[3]);

#endif
