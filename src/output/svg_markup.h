/*
 * What the elements of an SVG are written with.
 *
 * Attributes are appended with the blank in front of them.
 */
#ifndef OUTPUT_SVG_MARKUP_H
#define OUTPUT_SVG_MARKUP_H

#include "base/buf.h"
#include "layout/palette.h"
#include "output/picture.h"

void svg_markup_number(struct buf *out, const char *attribute, int64_t value);
void svg_markup_color(struct buf *out, const char *attribute, palette_color color);

/* The colour of an attribute: that for dark ground only where the ground is always dark. */
palette_color svg_markup_on_ground(const struct picture *p, palette_color light,
                                   palette_color dark);

/* The colours of something for light and for dark ground; a fixed ground has but one. */
void svg_markup_colors(const struct picture *p, struct buf *out, const char *attribute,
                       palette_color light, palette_color dark);

/*
 * The rest of a <text>, with the width that it was fitted to, so that a reader
 * without the font sees it squeezed and not cut.
 */
void svg_markup_text(const struct picture *p, struct buf *out, struct picture_text text);

/* A hatched <rect>, in the colour of the text on `ground`; nothing where `hatch` is 0. */
void svg_markup_hatch(struct buf *out, const char *class, struct rect r, int hatch,
                      palette_color ground);

#endif
