/*
 * Adds to a picture what a heat map shows in place of boxes: a cell for each
 * stretch of time with samples, the axes, and the legend of colours.
 */
#ifndef OUTPUT_HEATMAP_H
#define OUTPUT_HEATMAP_H

#include <stdint.h>

#include "layout/heat.h"
#include "output/picture.h"

enum {
    HEATMAP_STEPS = 12,  /* number of colours */
    HEATMAP_MARGIN = 52, /* pixels left of the cells, for the milliseconds */
    HEATMAP_LEAST = 3,   /* the least width of a column, in pixels */
    HEATMAP_FRAMES = 2,  /* rows below the cells, for the seconds and the legend */
};

/* Returns how many columns fit in a picture of `width` pixels. */
uint32_t heatmap_columns(uint32_t width);

/* Adds the heat map. Requires the geometry of `p`. */
void heatmap_add(struct picture *p, const struct heat *h);

#endif
