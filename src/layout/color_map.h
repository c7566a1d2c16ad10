/*
 * Colour map: colours of function names, kept in a file from run to run
 * (flamegraph.pl's palette map).
 *
 * A line is "name->rgb(205,92,0)"; the name ends in the suffix of its class, if
 * the class has one. If a name has several lines, the last one counts, as in
 * flamegraph.pl. Adding a name never changes a colour that the map has already.
 */
#ifndef LAYOUT_COLOR_MAP_H
#define LAYOUT_COLOR_MAP_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/diag.h"
#include "base/intern.h"
#include "base/slice.h"
#include "base/vec.h"
#include "layout/hue.h"
#include "profile/symbol.h"

struct color_map {
    struct intern names;
    VEC(palette_color) colors; /* by id of the name */
    struct buf kept;           /* lines of the file that are no colours, as they were */
};

void color_map_release(struct color_map *m);

/*
 * Reads the lines of a file. A line that is no colour of a name is reported as a
 * warning and kept for color_map_write(). Returns false after reporting an error
 * if most lines are no colours: the file is something else.
 */
bool color_map_read(struct color_map *m, struct slice text, struct diag *diag);

/* Appends the lines in the order of names, after the lines that were not understood. */
void color_map_write(const struct color_map *m, struct buf *out);

/* Finds the colour of a symbol. Returns false if the map has none. */
bool color_map_find(const struct color_map *m, struct slice name, enum symbol_class class,
                    palette_color *color);

/* Adds the colour of a symbol, unless the map has one. */
void color_map_add(struct color_map *m, struct slice name, enum symbol_class class,
                   palette_color color);

/* Adds the colours of all names in `from` that `m` does not have. */
void color_map_merge(struct color_map *m, const struct color_map *from);

#endif
