/*
 * Makes a subset of a font, as a font file, with hb-subset.
 */
#ifndef TEXT_SUBSET_H
#define TEXT_SUBSET_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/slice.h"
#include "text/fonts.h"

/*
 * Appends a font file with the glyphs of `chars`, kerned and joined as in the
 * font of `bytes`; `index` is as for shape_font_new(). A subset with Latin
 * letters has no optional ligatures, because shape() does not use them there.
 * Equal arguments give equal bytes. Returns false, appending nothing, if the
 * font cannot be subset, forbids embedding, or is an instance of a variable font.
 */
bool subset_write(struct slice bytes, unsigned index, const struct fonts_chars *chars,
                  struct buf *out);

#endif
