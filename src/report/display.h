/*
 * Text from inputs, made fit for people to read.
 */
#ifndef REPORT_DISPLAY_H
#define REPORT_DISPLAY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/slice.h"

/* Characters of a name that a table shows; longer ones end in their length. */
enum { DISPLAY_NAME = 400 };

/*
 * A copy of `text` in which nothing hides and nothing acts: control
 * characters, line ends and direction overrides are written as \x0a and
 * \u{202e}, ill-formed bytes as \xff, noncharacters as \u{fdd0}. Beyond
 * `limit` characters it is cut and says so: "... (100,000 characters)".
 */
struct slice display_text(struct arena *memory, struct slice text, size_t limit);

/* U+FDD0..U+FDEF and the last two of each plane: never text, and not allowed in HTML. */
bool display_is_noncharacter(uint32_t c);

#endif
