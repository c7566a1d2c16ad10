/*
 * The fonts of a graph in its SVG, so that labels look the same on any machine.
 *
 * A <metadata class="flame-font"> element for each font that the graph's texts
 * need, in the order of a font list: its text is, in base64, a zlib stream of a
 * font file that has the characters of these texts. The script loads them; where
 * no script runs, the labels' textLength keeps other fonts to their widths.
 */
#ifndef OUTPUT_SVG_FONT_H
#define OUTPUT_SVG_FONT_H

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "output/picture.h"

/* Bytes of the elements in all: fonts that would take more stay out, as do their rarer letters. */
enum { SVG_FONT_MOST = 100 * 1000 };

/* Appends the elements for the picture's own texts and the names of these symbols. */
void svg_font_write(const struct picture *p, const uint32_t *symbols, size_t count,
                    struct buf *out);

#endif
