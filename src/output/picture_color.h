/*
 * The colours of a picture's boxes: by symbol, by frame, or by change.
 */
#ifndef OUTPUT_PICTURE_COLOR_H
#define OUTPUT_PICTURE_COLOR_H

#include "layout/color_map.h"
#include "output/picture.h"

#define PICTURE_UNMAPPED UINT32_MAX

/* What a box's colour depends on. The script has the formulas of the last two. */
enum picture_fills {
    PICTURE_FILLS_SYMBOLS, /* its symbol */
    PICTURE_FILLS_SELF,    /* its self value as a share of its total */
    PICTURE_FILLS_CHANGES, /* its change or ratio */
};

/* Computes what colours depend on: classes of symbols, self values of frames. */
void picture_color_init(struct picture *p);
void picture_color_release(struct picture *p);

enum picture_fills picture_color_fills(const struct picture *p);

/*
 * True if colours mean nothing and only distinguish frames: the palette has a single class. The
 * colours of a user's colour map may mean something.
 */
bool picture_color_is_plain(const struct picture *p);

/* Returns the colour of a symbol. Requires PICTURE_FILLS_SYMBOLS. */
palette_color picture_color_symbol(const struct picture *p, uint32_t symbol);

/* Returns the colour that a module would have as a symbol of that name. Requires the same. */
palette_color picture_color_module(const struct picture *p, struct slice name,
                                   enum symbol_class class);

/* Adds the colours of the picture's symbols to `map`; nothing unless PICTURE_FILLS_SYMBOLS. */
void picture_color_collect(const struct picture *p, struct color_map *map);

/* Returns the colour of a box, whether or not it is drawn. */
palette_color picture_color(const struct picture *p, const struct box *box);

#endif
