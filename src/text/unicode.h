/*
 * Properties of Unicode characters that labels need.
 */
#ifndef TEXT_UNICODE_H
#define TEXT_UNICODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A script is its ISO 15924 code as four bytes, the first one highest. */
#define UNICODE_TAG(a, b, c, d)                                                                    \
    ((uint32_t)(a) << 24 | (uint32_t)(b) << 16 | (uint32_t)(c) << 8 | (uint32_t)(d))
#define UNICODE_COMMON UNICODE_TAG('Z', 'y', 'y', 'y')
#define UNICODE_INHERITED UNICODE_TAG('Z', 'i', 'n', 'h')
#define UNICODE_LATIN UNICODE_TAG('L', 'a', 't', 'n')

uint32_t unicode_script(uint32_t c);

/*
 * True if labels show `c` as U+FFFD: noncharacters, and characters that could
 * make a name look like another one (utf8_is_unsafe(), except the byte order
 * mark).
 */
bool unicode_is_forbidden(uint32_t c);

/* True if `c` draws nothing by itself, so that a font need not have it. */
bool unicode_is_invisible(uint32_t c);

/* True if text that contains `c` may need reordering. */
bool unicode_is_rtl(uint32_t c);

/*
 * Returns the number of characters, at least 1, of the first extended grapheme
 * cluster (UAX #29) of `chars`, which readers see as one character: a letter
 * and its marks, a joined emoji, a flag, a Hangul syllable. Shaping may join
 * more characters (text/shape.h).
 */
size_t unicode_cluster(const uint32_t *chars, size_t count);

/* Returns the character composed of `a` and the mark `b`, or 0. */
uint32_t unicode_compose(uint32_t a, uint32_t b);
/* Decomposes `c`. Returns false if `c` has no decomposition; `*b` is 0 if it is one character. */
bool unicode_decompose(uint32_t c, uint32_t *a, uint32_t *b);

#endif
