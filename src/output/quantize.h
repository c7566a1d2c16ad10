/*
 * Few colours for many.
 *
 * Colours are collected, then divided into at most so many cells: the cell
 * whose colours lie farthest apart in one channel is halved there, until the
 * cells are enough or each holds one colour. A cell is shown as the middle of
 * its colours, so no channel moves by more than half the widest cell. With 28
 * cells that stays within QUANTIZE_BOUND for colours that a palette's formulas
 * give (lines and planes in the cube of colours, not all of it).
 */
#ifndef OUTPUT_QUANTIZE_H
#define OUTPUT_QUANTIZE_H

#include <stdint.h>

#include "base/map.h"
#include "base/vec.h"

enum {
    QUANTIZE_CELLS = 28, /* most cells */
    QUANTIZE_BOUND = 16, /* most that a channel of a palette's colour moves, out of 255 */
};

struct quantize {
    struct map index;
    VEC(uint32_t) colors; /* distinct, 0xRRGGBB, in the order of first sight */
    uint8_t *cell;        /* of each of them, after quantize_fit() */
    uint32_t cells;       /* in use */
    uint32_t shown[QUANTIZE_CELLS];
};

void quantize_init(struct quantize *q);
void quantize_release(struct quantize *q);

/* Adds a colour; returns its number for quantize_cell(). */
uint32_t quantize_add(struct quantize *q, uint32_t color);

/* Divides the colours added. What is shown does not depend on their order. */
void quantize_fit(struct quantize *q);

/* The cell of a colour, below QUANTIZE_CELLS; `shown` has the cell's colour. */
static inline unsigned quantize_cell(const struct quantize *q, uint32_t number)
{
    return q->cell[number];
}

#endif
