/*
 * ECMAScript's regular expressions in PCRE2's language.
 *
 * The browser runs a search with the flag `u`, the report with PCRE2, and both
 * must give the same number. Their languages look alike and differ: \s, \v,
 * the dot, [], braces, possessive repeats, verbs. So a pattern is parsed by
 * the grammar of ECMA-262 (2023, section 22.2.1, with the parameters of `u`)
 * and written anew in constructs of PCRE2 that mean the same; what the grammar
 * does not know is an error, here as in the browser.
 *
 * What cannot be written so is an error too, though the browser knows it: a
 * lookbehind that is not of fixed length, a count that is too big or 0, and a
 * reference whose group a repeat may have left out (the browser forgets what
 * was captured with each round, PCRE2 does not).
 * Characters newer than PCRE2's tables have no properties here.
 */
#ifndef MATCH_PATTERN_H
#define MATCH_PATTERN_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/slice.h"
#include "base/vec.h"

/* Where a piece of the translation comes from. */
struct pattern_origin {
    size_t to, from;
};

struct pattern {
    struct buf text; /* for pcre2_compile() with PCRE2_UTF */
    VEC(struct pattern_origin) origins;
};

void pattern_init(struct pattern *p);
void pattern_release(struct pattern *p);

/*
 * Translates valid UTF-8. Returns false and appends to `why` what is wrong and
 * the byte offset at which ("nothing to repeat at offset 3").
 */
bool pattern_translate(struct pattern *p, struct slice source, bool ignore_case, struct buf *why);

/* The offset in the source that an offset in the translation stands for. */
size_t pattern_origin(const struct pattern *p, size_t offset);

/*
 * Appends the PCRE2 form of \p{NAME}, or \P where `negated`; false where
 * ECMA-262 (tables 67 to 70) knows no such property. For pattern.c.
 */
bool pattern_property(struct buf *out, struct slice name, bool negated);

#endif
