/*
 * Backgrounds: the gradient drawn behind the frames.
 *
 * A named background is a vertical gradient between two colours, as published
 * with flamegraph.pl, and has a dark variant. By custom its colour says what was
 * measured: yellow for time on the CPU, blue for waiting, green for memory. A
 * background given as "#rrggbb" is one colour, the same in light and dark.
 */
#ifndef LAYOUT_BACKGROUND_H
#define LAYOUT_BACKGROUND_H

#include <stdbool.h>
#include <stdint.h>

#include "base/slice.h"
#include "layout/hue.h"

enum { BACKGROUND_TOP, BACKGROUND_BOTTOM, BACKGROUND_ENDS };

struct background {
    const char *name; /* NULL if the user gave a colour */
    palette_color light[BACKGROUND_ENDS], dark[BACKGROUND_ENDS];
};

/* All named backgrounds; a row without a name ends the table. The first row is plain. */
extern const struct background backgrounds[];

/* Where the gradient begins and ends, in hundredths of the picture's height. */
enum { BACKGROUND_FROM = 5, BACKGROUND_TO = 95 };

/* Fills `b` from a background's name or "#rrggbb". Returns false if `text` is neither. */
bool background_parse(struct slice text, struct background *b);

/* True if both ends of the gradient have the same colour. */
bool background_is_flat(const struct background *b, bool dark);

#endif
