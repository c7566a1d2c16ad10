/*
 * The fonts that labels are drawn with, and all that is remembered of them.
 *
 * A list of fonts is asked for each character in this order:
 *   1. the font the user named with --font;
 *   2. the fonts embedded in the program, in the order of fonts/manifest;
 *   3. the fonts of the user's fonts directory, by file name;
 *   4. the fonts of the system, as fontconfig prefers them.
 * Fonts behind the embedded ones are opened only when a character is not in
 * those before them. A character that no font has is drawn as the first
 * font's box for missing glyphs, and remembered for the report.
 *
 * One `struct fonts` serves all threads at the same time. What labels cost to
 * shape and to rasterize is paid once and kept, within bounds; what is kept
 * never changes a pixel.
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
 * Opens the fonts. Returns NULL, having told `d`, where the font that the
 * options name cannot be found or read, or the directory cannot. `options` may
 * be NULL: the embedded fonts, then the system's.
 */
struct fonts *fonts_new(const struct fonts_options *options, struct diag *d);
void fonts_free(struct fonts *f);

/* The family name of the first font, for the SVG's font-family. */
struct slice fonts_family(const struct fonts *f);

/*
 * Adds the characters that were drawn as boxes, because no font has them, to
 * `missing`, ascending. The set does not depend on the number of threads. To
 * be called when no thread draws any more.
 */
void fonts_missing(struct fonts *f, struct fonts_chars *missing);

#endif
