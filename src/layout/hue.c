#include "layout/hue.h"

const struct hue hue_hot = {"hot", 0.25, {205, 50, 2}, {0, 230, 0}, {0, 55, 1}};
const struct hue hue_mem = {"mem", 0, {0, 0, 0}, {190, 50, 1}, {0, 210, 0}};
const struct hue hue_io = {"io", 0.45, {80, 60, 0}, {80, 60, 0}, {190, 55, 1}};
const struct hue hue_self = {"self", 0, {230, 20, 0}, {90, 150, 0}, {20, 205, 0}};
const struct hue hue_red = {"red", 0.25, {200, 55, 0}, {50, 80, 0}, {50, 80, 0}};
const struct hue hue_green = {"green", 0, {50, 60, 0}, {200, 55, 0}, {50, 60, 0}};
const struct hue hue_blue = {"blue", 0.4, {80, 60, 0}, {80, 60, 0}, {205, 50, 0}};
const struct hue hue_aqua = {"aqua", 0, {50, 60, 0}, {165, 55, 0}, {165, 55, 0}};
const struct hue hue_yellow = {"yellow", 0, {175, 55, 0}, {175, 55, 0}, {50, 20, 0}};
const struct hue hue_purple = {"purple", 0, {190, 65, 0}, {80, 60, 0}, {190, 65, 0}};
const struct hue hue_orange = {"orange", 0, {190, 65, 0}, {90, 65, 0}, {0, 0, 0}};
const struct hue hue_grey = {"grey", 0, {195, 15, 0}, {199, 15, 0}, {204, 15, 0}};

static uint32_t channel(const struct hue *h, struct hue_channel c, const double v[3])
{
    return (uint32_t)(c.base + c.span * (h->low + (1 - h->low) * v[c.v]));
}

palette_color hue_color(const struct hue *h, const double v[3])
{
    return channel(h, h->red, v) << 16 | channel(h, h->green, v) << 8 | channel(h, h->blue, v);
}
