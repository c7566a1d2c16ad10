/*
 * The colours of a picture outside its boxes: background and text, light or dark.
 */
#ifndef OUTPUT_THEME_H
#define OUTPUT_THEME_H

#include <stdbool.h>

#include "layout/background.h"

/* What a PNG is drawn for. An SVG follows the reader's setting. */
enum theme_page {
    THEME_LIGHT,
    THEME_DARK,
    THEME_AUTO_NEUTRAL, /* a grey background that suits light and dark pages */
};

struct theme {
    bool dark;
    bool fixed;                                /* does not follow the reader's dark setting */
    palette_color background[BACKGROUND_ENDS]; /* near the top, near the bottom */
    palette_color ink, muted;                  /* muted: all lines but the title */
};

/*
 * Fills `t`. A background that the user chose is the background, and its colour decides whether the
 * theme is dark.
 */
void theme_init(struct theme *t, enum theme_page page, const struct background *background);

/* True if the background is a gradient. */
static inline bool theme_has_gradient(const struct theme *t)
{
    return t->background[BACKGROUND_TOP] != t->background[BACKGROUND_BOTTOM];
}

/* Returns the colour of one of `steps` steps of the background, from the top. */
palette_color theme_background(const struct theme *t, unsigned step, unsigned steps);

/* A cache of colours for dark background. */
struct theme_darkener {
    palette_color from[256], to[256];
};

void theme_darkener_init(struct theme_darkener *d);
palette_color theme_darken(struct theme_darkener *d, palette_color color);

#endif
