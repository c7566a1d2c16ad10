/*
 * The fonts of labels, with the caches of shaped text and drawn glyphs.
 *
 * The font of a character is the first that has it, in this order:
 *   1. the font the user named with --font;
 *   2. the fonts embedded in the program, in the order of fonts/manifest;
 *   3. the fonts of the user's fonts directory, by file name;
 *   4. the fonts of the system, as fontconfig prefers them.
 * Fonts of 3 and 4 are opened only when no font before them has a character. A
 * character that no font has is drawn as the first font's box for missing
 * glyphs, and recorded for fonts_missing().
 *
 * All threads may share one `struct fonts`. Shaped text and rasterized glyphs
 * are cached, within bounds; the caches never change a pixel.
 */
#ifndef TEXT_FONTS_H
#define TEXT_FONTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/slice.h"
#include "base/vec.h"

struct fonts;

struct fonts_options {
    const char *font;      /* a family or a font file to prefer; NULL for none */
    const char *directory; /* a directory of fonts for more characters; NULL for none */
    bool system;           /* look among the system's fonts too */
};

struct fonts_chars VEC_OF(uint32_t);

/*
 * Opens the fonts. Returns NULL after reporting an error in `d` if the font or
 * the directory of the options cannot be found or read. If `options` is NULL,
 * uses the embedded fonts, then the system's.
 */
struct fonts *fonts_new(const struct fonts_options *options, struct diag *d);
void fonts_free(struct fonts *f);

/* Returns the family name of the first font, for the SVG's font-family. `f` owns the text. */
struct slice fonts_family(const struct fonts *f);

/* True if no text so far needed another font than the embedded ones. No thread may be drawing. */
bool fonts_are_embedded(const struct fonts *f);

/*
 * Appends to `missing`, ascending, the characters that were drawn as boxes
 * because no font has them. The result does not depend on the number of threads.
 * Requires that no thread is drawing.
 */
void fonts_missing(struct fonts *f, struct fonts_chars *missing);

/*
 * Adds what another run noted: fonts_are_embedded() at its end, and its missing characters.
 * Requires that no thread is drawing.
 */
void fonts_restore(struct fonts *f, bool embedded, const uint32_t *missing, size_t count);

#endif
