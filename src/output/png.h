/*
 * The PNG of a picture: 8 bits to the pixel with a palette.
 *
 * The palette has room for 32 fills with eight levels of text each. Boxes have
 * more colours than that, so each gets the nearest of the fills that
 * output/quantize.h fits to the picture: QUANTIZE_BOUND there says how far a
 * colour may move. The coverage of a glyph is rounded to the nearest of eight
 * levels, so it moves by 1/14 at most. The file carries its physical resolution (96 dpi times the
 * pixel ratio), the sRGB chunk, and the text chunks Title, Source, Digest and
 * Software, where the picture has them.
 *
 * This file is the only one that knows libpng; no longjmp leaves it.
 */
#ifndef OUTPUT_PNG_H
#define OUTPUT_PNG_H

#include <stdbool.h>

#include "base/buf.h"
#include "output/picture.h"

/*
 * Appends the PNG at `ratio` pixels per CSS pixel (1 or more). Returns false,
 * leaving `out` as it was, where the picture would be larger than a pixmap may
 * be; `why` then says so.
 */
bool png_write(const struct picture *p, unsigned ratio, struct buf *out, struct buf *why);

#endif
