/*
 * Patterns of paths in options and settings, as fnmatch() reads them.
 */
#ifndef OPTIONS_GLOB_H
#define OPTIONS_GLOB_H

#include <stdbool.h>

#include "base/buf.h"

/*
 * Returns true if the pattern can match a path; else `why` says what is wrong.
 * fnmatch() itself reports nothing and takes a bracket without end as text.
 */
bool options_check_glob(const char *glob, struct buf *why);

#endif
