/*
 * Patterns of paths in options and settings, which match as those of fnmatch() do: '*' also
 * matches '/'.
 *
 * The patterns of a settings file that was found beside profiles are hostile. fnmatch() takes
 * time that doubles with each '*'; here a match takes at most as many steps as the product of both
 * lengths.
 */
#ifndef BASE_GLOB_H
#define BASE_GLOB_H

#include <stdbool.h>

#include "base/buf.h"

enum { GLOB_LONGEST = 1000 }; /* bytes of a pattern */

/*
 * Returns true if the pattern can match a path; else `why` says what is wrong.
 * fnmatch() itself reports nothing and takes a bracket without end as text.
 */
bool glob_check(const char *glob, struct buf *why);

/*
 * Returns the steps that a match takes at most for each byte of a path: the length of the longest
 * part between two '*'.
 */
size_t glob_cost(const char *glob);

/* Whether a pattern matches a path. One that is too long matches nothing. */
bool glob_matches(const char *glob, const char *path);

#endif
