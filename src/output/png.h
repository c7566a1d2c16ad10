/*
 * Writes a picture as PNG: 8 bits per pixel with a palette.
 *
 * The palette has 32 fills with eight levels of text each. Boxes have more
 * colours, so each gets the nearest fill (output/quantize.h, where
 * QUANTIZE_BOUND says how far a colour may move). The coverage of a glyph is
 * rounded to the nearest of eight levels and moves by 1/14 at most. The file has
 * its physical resolution (96 dpi times the pixel ratio), the sRGB chunk, the
 * text chunks Title, Source, Digest and Software if the picture has them, and
 * its profile or the reason why not (output/embed.h).
 *
 * libpng writes the chunks; the compressed rows are ours (output/rows.h). Only
 * png.c uses libpng, and no longjmp leaves it.
 */
#ifndef OUTPUT_PNG_H
#define OUTPUT_PNG_H

#include <stdbool.h>

#include "base/buf.h"
#include "output/picture.h"

/*
 * Appends the PNG at `ratio` pixels per CSS pixel (1 or more). If the picture is
 * too large for a pixmap, returns false with the reason in `why` and leaves
 * `out` unchanged.
 */
bool png_write(const struct picture *p, unsigned ratio, struct buf *out, struct buf *why);

#endif
