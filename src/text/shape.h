/*
 * Shapes text: converts characters to glyphs with HarfBuzz.
 *
 * A shape_font is immutable, so threads may share it. All lengths are in font
 * units, shape_font_upem() per em, and do not depend on the size of a label.
 */
#ifndef TEXT_SHAPE_H
#define TEXT_SHAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/slice.h"
#include "base/vec.h"

struct shape_font;

struct shape_glyph {
    uint32_t glyph;   /* id in the font, 0 for a missing one */
    uint32_t cluster; /* index of the first character of the cluster it belongs to */
    int32_t x_advance, x_offset, y_offset;
};

struct shape_glyphs VEC_OF(struct shape_glyph);

/* Characters of one script, direction and font, within their text. */
struct shape_run {
    const uint32_t *chars; /* the whole text: neighbours decide how letters join */
    size_t char_count;
    size_t start, count; /* the run */
    uint32_t script;     /* as in text/unicode.h */
    bool rtl;
};

/* How far the font reaches from the baseline, all positive. */
struct shape_metrics {
    int32_t ascent, descent, cap_height, x_height;
};

/*
 * Opens a font from the bytes of its file, which must outlive the font. `index`
 * is the font's number in a collection, plus 0x10000 times the number of a
 * variable font's named instance. Returns NULL if the bytes are not a font with
 * outlines and a character map.
 */
struct shape_font *shape_font_new(struct slice bytes, unsigned index);
void shape_font_free(struct shape_font *f);

uint32_t shape_font_upem(const struct shape_font *f);
uint32_t shape_font_glyph_count(const struct shape_font *f);
struct shape_metrics shape_font_metrics(const struct shape_font *f);

/* Appends the family name that includes the width ("DejaVu Sans Condensed"), if there is one. */
void shape_font_family(const struct shape_font *f, struct buf *out);
/* True if `family` is the name with or without the width, ignoring case. */
bool shape_font_is_family(const struct shape_font *f, const char *family);

/* Returns the glyph of a character in the font's character map, or 0. */
uint32_t shape_font_glyph(const struct shape_font *f, uint32_t c);

/*
 * Appends the glyphs of a run in visual order, from left to right. Kerning is
 * on. In Latin and in text without a script, optional ligatures and contextual
 * alternates (liga, clig, calt) are off: `->` in the name of a function is not
 * an arrow. Other scripts use the font's defaults, which some need to be legible.
 */
void shape(const struct shape_font *f, const struct shape_run *run, struct shape_glyphs *out);

#endif
