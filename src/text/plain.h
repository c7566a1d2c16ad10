/*
 * The plain part of a font: what most texts need of it.
 *
 * Plain characters are ASCII and the signs of our own texts. What is known of
 * them is found out once, when the program is built (fonts/plain.c), and
 * embedded as "fonts/plain", so that a text with no others is measured without
 * opening the font.
 *
 * In a font whose layout depends only on pairs of neighbours, a letter and the
 * next one decide the letter's advance. Each pair is shaped alone; the width of
 * a text is then a sum. Tests show for the embedded default font that this
 * equals the result of shape() for whole texts; use no other font.
 */
#ifndef TEXT_PLAIN_H
#define TEXT_PLAIN_H

#include <stdbool.h>
#include <stdint.h>

#include "text/fonts.h"
#include "text/shape.h"

/*
 * Codes of the plain characters: ASCII in order, then the signs of our own texts, the ellipsis
 * first. Behind them is the code of the end of a text.
 */
enum {
    PLAIN_FIRST = 0x20,
    PLAIN_LAST = 0x7e,
    PLAIN_ELLIPSIS = PLAIN_LAST - PLAIN_FIRST + 1,
    PLAIN_SIGNS = 4,
    PLAIN_CODES = PLAIN_ELLIPSIS + PLAIN_SIGNS,
    PLAIN_END = PLAIN_CODES,
};

enum { PLAIN_NOT_SIMPLE = -1, PLAIN_FAMILY = 64 };

struct plain {
    uint32_t upem, glyph_count;
    struct shape_metrics metrics;
    char family[PLAIN_FAMILY];
    uint32_t glyphs[PLAIN_CODES];                   /* 0 for a missing one */
    int16_t advances[PLAIN_CODES][PLAIN_CODES + 1]; /* of the first if the second follows */
};

/* Returns the character of a code, and the code of a character, or -1 if it is not plain. */
uint32_t plain_char(unsigned code);
int plain_code(uint32_t c);

/* Measures a font. Advances are in font units, or PLAIN_NOT_SIMPLE. */
void plain_learn(const struct shape_font *font, struct plain *out);

/* Appends the plain characters that the font has. */
void plain_chars(const struct plain *p, struct fonts_chars *out);

/* True if `c` is a plain character that the font has. */
bool plain_has(const struct plain *p, uint32_t c);

#endif
