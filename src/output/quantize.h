/*
 * Replaces many colours by few.
 *
 * Colours are collected, then divided into at most QUANTIZE_CELLS cells: the
 * cell with the largest range in one channel is halved in that channel, until
 * there are enough cells or each has one colour. A cell is shown as the middle
 * of its colours, so no channel moves by more than half the widest cell. With 28
 * cells that stays within QUANTIZE_BOUND for the colours of a palette, which lie
 * on lines and planes of the colour cube.
 */
#ifndef OUTPUT_QUANTIZE_H
#define OUTPUT_QUANTIZE_H

#include <stdint.h>

#include "base/map.h"
#include "base/vec.h"

enum {
    QUANTIZE_CELLS = 28, /* the most cells */
    QUANTIZE_BOUND = 16, /* the most that a channel of a palette's colour moves, of 255 */
};

struct quantize {
    struct map index;
    VEC(uint32_t) colors; /* distinct, 0xRRGGBB, in the order of their first occurrence */
    uint8_t *cell;        /* by index of `colors`, after quantize_fit() */
    uint32_t cells;       /* number of cells in use */
    uint32_t shown[QUANTIZE_CELLS];
};

void quantize_release(struct quantize *q);

/* Adds a colour. Returns its number for quantize_cell(). */
uint32_t quantize_add(struct quantize *q, uint32_t color);

/* Divides the colours into cells. The cells do not depend on the order of the colours. */
void quantize_fit(struct quantize *q);

/* Returns the cell of a colour, an index of `shown`. */
static inline unsigned quantize_cell(const struct quantize *q, uint32_t number)
{
    return q->cell[number];
}

#endif
