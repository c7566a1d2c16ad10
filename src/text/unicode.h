/*
 * What the Unicode database says about a character, as far as labels need it.
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
 * True where `c` has no place in a label as it stands and is shown as U+FFFD:
 * noncharacters, and what utf8_is_unsafe() tells but the byte order mark, which
 * could make a name read as another one.
 */
bool unicode_is_forbidden(uint32_t c);

/* True where `c` draws nothing by itself, so that a font need not have it. */
bool unicode_is_invisible(uint32_t c);

/* True where text with `c` in it may have to be put into another order. */
bool unicode_is_rtl(uint32_t c);

/*
 * The number of characters, at least 1, of the cluster that `chars` begins
 * with: what a reader takes for one character. These are the extended
 * grapheme clusters of UAX #29 (marks, joined emoji, flags, Hangul syllables),
 * to which shaping may add more (text/shape.h).
 */
size_t unicode_cluster(const uint32_t *chars, size_t count);

/* The character that is `a` followed by the mark `b`, or 0. */
uint32_t unicode_compose(uint32_t a, uint32_t b);
/* The opposite: false where `c` is not composed of two (`*b` is 0 for one). */
bool unicode_decompose(uint32_t c, uint32_t *a, uint32_t *b);

#endif
