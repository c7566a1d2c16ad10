/*
 * Weights to pixels: the one place.
 *
 * All lengths are CSS pixels (pixel ratio 1). Edges are snapped: a box's left
 * and right edge are each the rounded image of its exact place, so neighbours
 * share an edge, nothing overlaps, and the PNG and the SVG agree.
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
    uint32_t footer; /* extra room below the frames, for a legend */
};

struct geometry {
    struct geometry_options options;
    uint64_t total;         /* weight units across the drawable width */
    uint32_t rows, below;   /* below: those of callers, on the other side of the root */
    uint32_t pad_x;         /* left and right of the drawable width */
    uint32_t pad_top;       /* above the topmost row */
    uint32_t width, height; /* of the whole picture */
};

void geometry_init(struct geometry *g, const struct layout *l,
                   const struct geometry_options *options);

/* The pixels that the total takes in a picture of that width. */
uint32_t geometry_drawable_width(uint32_t width);

/* The pixels of a box; the width may be 0 for what is thinner than half a pixel. */
struct rect geometry_box(const struct geometry *g, const struct box *box);

#endif
