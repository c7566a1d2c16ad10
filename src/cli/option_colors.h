/*
 * Checks the values of the colour options.
 */
#ifndef CLI_OPTION_COLORS_H
#define CLI_OPTION_COLORS_H

#include <stdbool.h>

#include "base/buf.h"

/* Returns true for the name of a palette; else `why` lists the palettes. */
bool option_colors_palette(const char *value, struct buf *why);
/* Returns true for the name of a background or #rrggbb; else `why` lists the backgrounds. */
bool option_colors_ground(const char *value, struct buf *why);

#endif
