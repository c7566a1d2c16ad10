/*
 * The options about colours: what their values may be.
 */
#ifndef CLI_OPTION_COLORS_H
#define CLI_OPTION_COLORS_H

#include <stdbool.h>

#include "base/buf.h"

/* True for the name of a palette, and of a background; else `why` gets the names there are. */
bool option_colors_palette(const char *value, struct buf *why);
bool option_colors_ground(const char *value, struct buf *why);

#endif
