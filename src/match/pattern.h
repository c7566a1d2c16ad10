/*
 * Translates ECMAScript regular expressions into PCRE2's language.
 *
 * The browser runs a search with the flag `u`, the report runs it with PCRE2,
 * and both must find the same. The two languages look alike but differ in \s,
 * \v, the dot, [], braces, possessive repeats and verbs. So a pattern is parsed
 * by the grammar of ECMA-262 (2023, section 22.2.1, with the parameter
 * UnicodeMode) and written again in constructs that mean the same in PCRE2.
 * What the grammar does not allow is an error here as in the browser, except for
 * a backslash before punctuation that needs none, which both ignore (match/literal.h).
 *
 * Some constructs that the browser allows are errors here, because no search
 * for function names needs them and PCRE2 treats them differently:
 *  - a lookbehind of variable length (PCRE2 reports that itself);
 *  - a reference to a group that may not have been passed: \N must follow
 *    group N in the same alternative, and the group must not be repeated;
 *  - groups with names;
 *  - a repeat with a count of 0 or above 65535;
 *  - surrogates, \cX, \0, [] and [^];
 *  - \p{...} except for general categories by their short names and the binary
 *    properties Any, ASCII, Alphabetic, Lowercase and Uppercase; if case is
 *    ignored, every \p{...}.
 * Characters newer than PCRE2's tables have no properties here.
 */
#ifndef MATCH_PATTERN_H
#define MATCH_PATTERN_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/slice.h"
#include "base/vec.h"

/* The translation from byte `to` on comes from byte `from` of the source. */
struct pattern_origin {
    size_t to, from;
};

struct pattern {
    struct buf text; /* for pcre2_compile() with PCRE2_UTF */
    VEC(struct pattern_origin) origins;
};

void pattern_release(struct pattern *p);

/*
 * Translates `source`, which must be valid UTF-8. On an error, appends its
 * reason and byte offset to `why` ("nothing to repeat at offset 3") and returns
 * false.
 */
bool pattern_translate(struct pattern *p, struct slice source, bool ignore_case, struct buf *why);

/* The offset in the source that corresponds to an offset in the translation. */
size_t pattern_origin(const struct pattern *p, size_t offset);

#endif
