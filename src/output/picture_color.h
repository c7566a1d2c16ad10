/*
 * The colours of a picture's boxes: by symbol, by frame, or by change.
 */
#ifndef OUTPUT_PICTURE_COLOR_H
#define OUTPUT_PICTURE_COLOR_H

#include "layout/color_map.h"
#include "output/picture.h"

#define PICTURE_UNMAPPED UINT32_MAX

/* What follows a symbol alone; else the script computes colours as this does. */
enum picture_fills {
    PICTURE_FILLS_SYMBOLS, /* each symbol has one colour */
    PICTURE_FILLS_SELF,    /* each frame has one, of the part that is its own */
    PICTURE_FILLS_CHANGES, /* each frame has one, of its change */
};

/* Finds out what colours need: classes of symbols, weights of frames. */
void picture_color_init(struct picture *p);
void picture_color_release(struct picture *p);

enum picture_fills picture_color_fills(const struct picture *p);

/* The colour that every box of a symbol has, where colours follow symbols. */
palette_color picture_color_symbol(const struct picture *p, uint32_t symbol);

/* Adds the colours of the symbols that the picture stands for, where colours follow symbols. */
void picture_color_collect(const struct picture *p, struct color_map *map);

/* The colour of a box, drawn or not. */
palette_color picture_color(const struct picture *p, const struct box *box);

#endif
