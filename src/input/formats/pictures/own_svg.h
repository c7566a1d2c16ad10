/*
 * The graphs in SVGs of flamepress, which may be alone or in a page.
 */
#ifndef INPUT_FORMATS_PICTURES_OWN_SVG_H
#define INPUT_FORMATS_PICTURES_OWN_SVG_H

#include "input/build/builder.h"

/*
 * Reads the graphs of an SVG into series called `title`, or by their own names if it is empty.
 * Of a column of base, new and difference, only the difference is read, which has both. Returns
 * false after reporting an error.
 */
bool own_svg_read(struct builder *b, struct slice svg, struct slice title);

#endif
