/*
 * What a heat map shows in place of boxes: a cell for each stretch of time in
 * which anything was measured, the axes, and what the colours mean.
 */
#ifndef OUTPUT_HEATMAP_H
#define OUTPUT_HEATMAP_H

#include <stdint.h>

#include "layout/heat.h"
#include "output/picture.h"

enum {
    HEATMAP_STEPS = 12,  /* colours */
    HEATMAP_MARGIN = 52, /* pixels left of the cells, for the offsets */
    HEATMAP_LEAST = 3,   /* pixels of a column */
    HEATMAP_FRAMES = 2,  /* heights of frames below the cells, for the seconds */
};

/* How many columns fit in a picture of that width. */
uint32_t heatmap_columns(uint32_t width);

/* The colour of a step, 0 for the least that is measured at all. */
palette_color heatmap_color(unsigned step, bool dark);

/* Adds all this to a picture whose geometry is known. */
void heatmap_add(struct picture *p, const struct heat *h);

#endif
