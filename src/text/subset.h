/*
 * A part of a font as a font of its own: hb-subset.
 */
#ifndef TEXT_SUBSET_H
#define TEXT_SUBSET_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/slice.h"
#include "text/fonts.h"

/*
 * Appends a font file with the glyphs of `chars`, kerned and joined as in the
 * font that `bytes` hold; `index` is as shape_font_new() has it. A part with
 * Latin letters has no optional ligatures, for shape() does not use them there.
 * The same part is the same bytes. False, with nothing appended, where the font
 * cannot be divided, forbids that it is embedded, or is an instance of a
 * variable one.
 */
bool subset_write(struct slice bytes, unsigned index, const struct fonts_chars *chars,
                  struct buf *out);

#endif
