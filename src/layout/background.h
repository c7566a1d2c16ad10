/*
 * Backgrounds: what lies behind the frames.
 *
 * A named one runs from one colour near the top to another near the bottom, by
 * the gradients published with flamegraph.pl, and has a dark variant. By custom
 * it tells what was measured: yellow for time on the CPU, blue for waiting,
 * green for memory. One that a user makes of a colour is the same in light and
 * dark.
 */
#ifndef LAYOUT_BACKGROUND_H
#define LAYOUT_BACKGROUND_H

#include <stdbool.h>
#include <stdint.h>

#include "base/slice.h"
#include "layout/hue.h"

enum { BACKGROUND_TOP, BACKGROUND_BOTTOM, BACKGROUND_ENDS };

struct background {
    const char *name; /* NULL for one of a user's */
    palette_color light[BACKGROUND_ENDS], dark[BACKGROUND_ENDS];
};

/* The named ones, ended by one without a name; the first is plain. */
extern const struct background backgrounds[];

/* Where the gradient begins and ends, in hundredths of the picture's height. */
enum { BACKGROUND_FROM = 5, BACKGROUND_TO = 95 };

/* That of a name, or of "#rrggbb"; false for anything else. */
bool background_parse(struct slice text, struct background *b);

/* True where both ends are the same colour. */
bool background_is_flat(const struct background *b, bool dark);

#endif
