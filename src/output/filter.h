/*
 * Chooses PNG's row filter for a row of palette indexes.
 *
 * Indexes are names, not amounts, so a filter helps only by making zeros. The
 * filter that leaves the fewest bytes different from their neighbour above (UP)
 * or to the left (SUB) wins. A row that differs almost everywhere gets NONE.
 */
#ifndef OUTPUT_FILTER_H
#define OUTPUT_FILTER_H

#include <stdint.h>

enum filter { FILTER_NONE, FILTER_SUB, FILTER_UP };

/* Returns the best filter for `row`. Both rows have `width` bytes; `above` is the row before. */
enum filter filter_choose(const uint8_t *row, const uint8_t *above, uint32_t width);

#endif
