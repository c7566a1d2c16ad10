/*
 * Colours: contrast, dark variants, and blending text into a fill.
 *
 * A colour is 0xRRGGBB in sRGB (IEC 61966-2-1), without alpha.
 */
#ifndef RASTER_COLOR_H
#define RASTER_COLOR_H

#include <stdint.h>

/* The least contrast of small text: WCAG 2.1, success criterion 1.4.3. */
#define COLOR_MIN_CONTRAST 4.5

/* Returns the relative luminance of WCAG 2.1, 0 (black) to 1 (white). */
double color_luminance(uint32_t rgb);

/* Returns the contrast ratio of WCAG 2.1, 1 to 21; the order of the colours does not matter. */
double color_contrast(uint32_t a, uint32_t b);

/*
 * Returns the colour of text on `fill`: black if its contrast is at least
 * COLOR_MIN_CONTRAST, else white, which then always has that contrast.
 */
uint32_t color_text(uint32_t fill);

/*
 * Returns a colour of the same hue for dark backgrounds: lighter than the
 * background, and dark enough for white text at COLOR_MIN_CONTRAST. Brighter
 * colours stay brighter. Pale and grey colours, which are inconspicuous on a
 * light background, become darker than saturated ones.
 */
uint32_t color_dark(uint32_t light);

/*
 * Returns the colour of a pixel of `fill` that `text` covers at `level` (0 .. 7
 * of raster/pixmap.h): `fill` at 0, `text` at 7. Only this function decides how
 * bold text looks.
 */
uint32_t color_blend(uint32_t fill, uint32_t text, unsigned level);

#endif
