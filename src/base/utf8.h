/*
 * UTF-8 in and out, and the two UTF-16 byte orders in.
 *
 * Text from profiles may hold anything. It is made valid once, where a name
 * enters the program: each maximal ill-formed part becomes one U+FFFD
 * (Unicode 15, section 3.9, "substitution of maximal subparts"), and from then
 * on everyone may rely on valid UTF-8.
 */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/slice.h"

enum { UTF8_REPLACEMENT = 0xfffd };

/*
 * Decodes the first character of a non-empty slice. Returns the number of
 * bytes it takes; for an ill-formed start that is the length of the ill-formed
 * part and `*c` is UTF8_REPLACEMENT.
 */
size_t utf8_decode(struct slice s, uint32_t *c);

/* Appends `c`; surrogates and values beyond U+10FFFF become U+FFFD. */
void utf8_encode(struct buf *out, uint32_t c);

bool utf8_valid(struct slice s);
bool utf8_is_ascii(struct slice s);

/* Appends `s` with ill-formed parts replaced. */
void utf8_add_clean(struct buf *out, struct slice s);

/* Appends UTF-16 text as UTF-8; lone surrogates and a last odd byte become U+FFFD. */
void utf8_add_utf16(struct buf *out, struct slice s, bool big_endian);

/*
 * Characters that change how others are shown: controls, the ends of lines and
 * paragraphs, those that mark, embed, isolate or override the direction of
 * text, and the byte order mark. All are below U+10000.
 */
bool utf8_is_unsafe(uint32_t c);

/* True for letters of scripts that run from right to left, and what else stands in their blocks. */
bool utf8_is_rtl(uint32_t c);
bool utf8_has_rtl(struct slice s);

/*
 * What stands around a text that runs from right to left in a sentence, so that the direction of
 * the rest stays as it is: U+2068 and U+2069.
 */
#define UTF8_FIRST_STRONG_ISOLATE "\xe2\x81\xa8"
#define UTF8_POP_ISOLATE "\xe2\x81\xa9"

/* Appends `s`, between these where it has such letters. */
void utf8_add_isolated(struct buf *out, struct slice s);

/*
 * Appends `s` for a terminal or a log line: control characters, bidirectional
 * overrides and ill-formed bytes appear as \xNN or \u{NNNN}, so that data
 * cannot drive the terminal.
 */
void utf8_add_escaped(struct buf *out, struct slice s);

#endif
