/*
 * Colours, and how text is blended into them.
 *
 * A colour is 0xRRGGBB in sRGB (IEC 61966-2-1), without alpha.
 */
#ifndef RASTER_COLOR_H
#define RASTER_COLOR_H

#include <stdint.h>

/* WCAG 2.1, success criterion 1.4.3: the least contrast of text this small. */
#define COLOR_MIN_CONTRAST 4.5

/* Relative luminance, 0 (black) to 1 (white), as WCAG 2.1 defines it. */
double color_luminance(uint32_t rgb);

/* Contrast ratio, 1 to 21, as WCAG 2.1 defines it; the order does not matter. */
double color_contrast(uint32_t a, uint32_t b);

/*
 * The colour of text on `fill`: black where that reaches COLOR_MIN_CONTRAST,
 * else white, which then always does.
 */
uint32_t color_text(uint32_t fill);

/*
 * The same hue for a dark ground: light enough to stand out from it, dark
 * enough for white text at COLOR_MIN_CONTRAST. The order of brightness stays
 * among colours; what is pale or grey, and stands back on a light ground, becomes
 * darker than they do.
 */
uint32_t color_dark(uint32_t light);

/*
 * The colour of a pixel of `fill` that `text` covers at `level` (0 .. 7 of
 * raster/pixmap.h): `fill` at 0, `text` at 7. This is the one place that
 * decides the weight of text.
 */
uint32_t color_blend(uint32_t fill, uint32_t text, unsigned level);

#endif
