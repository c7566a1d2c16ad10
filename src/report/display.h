/*
 * Makes text from inputs safe and readable for people.
 */
#ifndef REPORT_DISPLAY_H
#define REPORT_DISPLAY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/slice.h"

/* The most characters of a name in a table. A longer name is cut and ends in its length. */
enum { DISPLAY_NAME = 400 };

/*
 * Returns a copy of `text` without invisible or active characters: control
 * characters, line ends and direction overrides become \x0a and \u{202e},
 * ill-formed bytes \xff, noncharacters \u{fdd0}. A text of more than `limit`
 * characters is cut and ends in "... (100,000 characters)".
 */
struct slice display_text(struct arena *memory, struct slice text, size_t limit);

/* True for U+FDD0..U+FDEF and the last two code points of each plane. HTML forbids them. */
bool display_is_noncharacter(uint32_t c);

#endif
