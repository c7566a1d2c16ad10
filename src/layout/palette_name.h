/*
 * Patterns in the names of functions and files, for the rules of palettes.
 */
#ifndef LAYOUT_PALETTE_NAME_H
#define LAYOUT_PALETTE_NAME_H

#include <stdbool.h>

#include "base/slice.h"

bool palette_name_has(struct slice text, const char *part);

/* True where `text` begins, or ends, with one of a list of words separated by blanks. */
bool palette_name_begins(struct slice text, const char *words);
bool palette_name_ends(struct slice text, const char *words);

#endif
