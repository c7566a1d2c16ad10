/*
 * Decides which patterns are literal text, and makes regular expressions of them.
 *
 * People paste names into searches: "operator[]", "std::vector{", "foo(". Such a
 * pattern is searched for as text. A pattern that uses ^ $ | \ (? .* .+ .? or
 * {N} is meant as a regular expression, and what is wrong with it is an error.
 * A backslash before punctuation that needs none ("a\-b", "foo\_bar") is ignored.
 * templates/flame_match.js decides likewise.
 */
#ifndef MATCH_LITERAL_H
#define MATCH_LITERAL_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/slice.h"

/* Returns whether `c` is punctuation or a blank that has no meaning in regular expressions. */
bool literal_is_plain(char c);

/* Returns whether a pattern that does not compile is meant as text. */
bool literal_is_meant(struct slice pattern);

/* Appends a pattern that matches `text` anywhere in a name. */
void literal_quote(struct buf *out, struct slice text);

/* Appends a pattern that matches the text that `pattern` means, without needless backslashes. */
void literal_quote_text(struct buf *out, struct slice pattern);

#endif
