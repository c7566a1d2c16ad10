#include "output/theme.h"

#include <stddef.h>

#include "base/hash.h"
#include "raster/color.h"

/* Returns `ink` if its contrast to `background` is sufficient, else black or white. */
static palette_color readable(palette_color ink, palette_color background)
{
    return color_contrast(ink, background) >= COLOR_MIN_CONTRAST ? ink : color_text(background);
}

/*
 * The grey background is darker than a light page and lighter than a dark one. Its texts have a
 * contrast of at least 4.5:1 to it, so they do not depend on the page.
 */
static const palette_color neutral_background = 0xc3c9d1;

static const struct {
    palette_color ink, muted;
} inks[] = {
    [THEME_LIGHT] = {0x1f2328, 0x59616b},
    [THEME_DARK] = {0xe8eaed, 0x9ba1a9},
    [THEME_AUTO_NEUTRAL] = {0x1f2328, 0x3d444d},
};

void theme_init(struct theme *t, enum theme_page page, const struct background *background)
{
    *t = (struct theme){.dark = page == THEME_DARK, .fixed = !background->name};
    if (t->fixed) {
        t->dark = color_text(background->light[BACKGROUND_TOP]) != 0;
        page = t->dark ? THEME_DARK : THEME_LIGHT;
    }
    for (size_t i = 0; i < BACKGROUND_ENDS; i++)
        t->background[i] = page == THEME_AUTO_NEUTRAL ? neutral_background
                           : t->dark                  ? background->dark[i]
                                                      : background->light[i];
    t->ink = readable(inks[page].ink, t->background[BACKGROUND_TOP]);
    t->muted = readable(inks[page].muted, t->background[BACKGROUND_BOTTOM]);
}

palette_color theme_background(const struct theme *t, unsigned step, unsigned steps)
{
    double part = steps > 1 ? (double)step / (steps - 1) : 0;
    palette_color color = 0;

    for (unsigned shift = 0; shift < 24; shift += 8) {
        double from = t->background[BACKGROUND_TOP] >> shift & 255;
        double to = t->background[BACKGROUND_BOTTOM] >> shift & 255;

        color |= (palette_color)(from + (to - from) * part + 0.5) << shift;
    }
    return color;
}

void theme_darkener_init(struct theme_darkener *d)
{
    for (size_t i = 0; i < 256; i++)
        d->from[i] = UINT32_MAX; /* no colour */
}

palette_color theme_darken(struct theme_darkener *d, palette_color color)
{
    size_t slot = hash_mix(color, 0) % 256;

    if (d->from[slot] != color) {
        d->from[slot] = color;
        d->to[slot] = color_dark(color);
    }
    return d->to[slot];
}
