/*
 * The colours around the boxes of a picture: ground and text, light or dark.
 */
#ifndef OUTPUT_THEME_H
#define OUTPUT_THEME_H

#include <stdbool.h>

#include "layout/background.h"

struct theme {
    bool dark;
    bool fixed;                            /* the same for readers of light and of dark */
    palette_color ground[BACKGROUND_ENDS]; /* near the top, near the bottom */
    palette_color ink, muted;              /* muted: all lines but the title */
};

/* A background of a user's own decides by itself whether it is dark. */
void theme_init(struct theme *t, bool dark, const struct background *background);

/* True where the ground runs from one colour to another. */
static inline bool theme_has_gradient(const struct theme *t)
{
    return t->ground[BACKGROUND_TOP] != t->ground[BACKGROUND_BOTTOM];
}

/* The ground between its ends, the first of `steps` at the top. */
palette_color theme_ground(const struct theme *t, unsigned step, unsigned steps);

/* Colours for dark ground, each computed once as long as few are in use. */
struct theme_darkener {
    palette_color from[256], to[256];
};

void theme_darkener_init(struct theme_darkener *d);
palette_color theme_darken(struct theme_darkener *d, palette_color color);

#endif
