/*
 * Patterns in the names of functions and files, for the rules of palettes.
 */
#ifndef LAYOUT_PALETTE_NAME_H
#define LAYOUT_PALETTE_NAME_H

#include <stdbool.h>

#include "base/slice.h"

/* True if `text` contains `part`. */
bool palette_name_has(struct slice text, const char *part);

/* True if `text` begins, or ends, with one of `words`, which are separated by blanks. */
bool palette_name_begins(struct slice text, const char *words);
bool palette_name_ends(struct slice text, const char *words);

#endif
