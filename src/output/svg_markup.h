/*
 * Writes attributes and recurring elements of SVG.
 *
 * Attributes are appended with a blank before them.
 */
#ifndef OUTPUT_SVG_MARKUP_H
#define OUTPUT_SVG_MARKUP_H

#include "base/buf.h"
#include "layout/palette.h"
#include "output/picture.h"

void svg_markup_number(struct buf *out, const char *attribute, int64_t value);
void svg_markup_color(struct buf *out, const char *attribute, palette_color color);

/* Returns the colour to write: `dark` if the background is always dark, else `light`. */
palette_color svg_markup_on_background(const struct picture *p, palette_color light,
                                       palette_color dark);

/* Appends the colours for light and for dark background; only one if the background is fixed. */
void svg_markup_colors(const struct picture *p, struct buf *out, const char *attribute,
                       palette_color light, palette_color dark);

/*
 * Appends the rest of a <text>, with the width that the text was fitted to: if
 * the reader lacks the font, the text is squeezed and not cut.
 */
void svg_markup_text(const struct picture *p, struct buf *out, struct picture_text text);

/*
 * Appends the rest of a box's <text>. Leaves out the width if the text fits `room` pixels in any
 * common font.
 */
void svg_markup_label(const struct picture *p, struct buf *out, struct picture_text text,
                      int32_t room);

/* Appends a hatched <rect> in the colour of text on `background`; nothing if `hatch` is 0. */
void svg_markup_hatch(struct buf *out, const char *class, struct rect r, int hatch,
                      palette_color background);

#endif
