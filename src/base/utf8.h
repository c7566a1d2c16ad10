/*
 * Decodes, encodes, repairs and escapes UTF-8; converts UTF-16 to UTF-8.
 *
 * Text in profiles can contain any bytes. A name is made valid once, when it
 * enters the program: each maximal ill-formed part becomes one U+FFFD (Unicode
 * 15, section 3.9, "substitution of maximal subparts"). All later code relies on
 * valid UTF-8.
 */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/slice.h"

enum { UTF8_REPLACEMENT = 0xfffd };

/*
 * Decodes the first character of a non-empty slice into `*c`. Returns its
 * length in bytes. If the slice begins with an ill-formed part, returns the
 * length of that part and sets `*c` to UTF8_REPLACEMENT.
 */
size_t utf8_decode(struct slice s, uint32_t *c);

/* Appends `c`. Surrogates and values above U+10FFFF become U+FFFD. */
void utf8_encode(struct buf *out, uint32_t c);

bool utf8_valid(struct slice s);

/* Appends `s`; each ill-formed part becomes U+FFFD. */
void utf8_add_clean(struct buf *out, struct slice s);

/* Appends UTF-16 text as UTF-8. Lone surrogates and an odd last byte become U+FFFD. */
void utf8_add_utf16(struct buf *out, struct slice s, bool big_endian);

/*
 * True for characters that change how others are shown: control characters,
 * line and paragraph separators, marks, embeddings, isolates and overrides of
 * text direction, and the byte order mark. All are below U+10000.
 */
bool utf8_is_unsafe(uint32_t c);

/* True for all characters in the Unicode blocks of right-to-left scripts. */
bool utf8_is_rtl(uint32_t c);
bool utf8_has_rtl(struct slice s);

/*
 * U+2068 and U+2069. They enclose a right-to-left text in a sentence, so that it does not change
 * the direction of the text around it.
 */
#define UTF8_FIRST_STRONG_ISOLATE "\xe2\x81\xa8"
#define UTF8_POP_ISOLATE "\xe2\x81\xa9"

/* Appends `s`, enclosed in isolates if it has right-to-left characters. */
void utf8_add_isolated(struct buf *out, struct slice s);

/*
 * Appends `s` for a terminal or a log line: unsafe characters (utf8_is_unsafe())
 * and ill-formed bytes become \xNN or \u{NNNN}, so that data cannot control the
 * terminal.
 */
void utf8_add_escaped(struct buf *out, struct slice s);

#endif
