/*
 * Converts weights to pixels, for all outputs.
 *
 * All lengths are CSS pixels (pixel ratio 1). The left and the right edge of a
 * box are each rounded from their exact positions, so neighbours share an edge,
 * boxes never overlap, and the PNG and the SVG agree.
 */
#ifndef LAYOUT_GEOMETRY_H
#define LAYOUT_GEOMETRY_H

#include <stdbool.h>
#include <stdint.h>

#include "layout/layout.h"

struct rect {
    int32_t x, y, width, height;
};

struct geometry_options {
    uint32_t width;        /* of the whole picture */
    uint32_t frame_height; /* of one row, its 1-pixel gap included */
    double font_size;
    bool inverted;   /* root at the top */
    bool subtitle;   /* room for a second title line */
    uint32_t header; /* extra room above the frames, for notes */
    uint32_t footer; /* extra room below the frames, for a legend */
};

struct geometry {
    struct geometry_options options;
    uint64_t total;         /* weight units across the drawable width */
    uint32_t rows, below;   /* below: rows of callers, on the other side of the root */
    uint32_t pad_x;         /* left and right of the drawable width */
    uint32_t pad_top;       /* above the topmost row */
    uint32_t width, height; /* of the whole picture */
};

void geometry_init(struct geometry *g, const struct layout *l,
                   const struct geometry_options *options);

/* Returns the width of the root's box in a picture that is `width` wide. */
uint32_t geometry_drawable_width(uint32_t width);

/* Returns the rectangle of a box. Its width may be 0 if the box is thinner than half a pixel. */
struct rect geometry_box(const struct geometry *g, const struct box *box);

#endif
