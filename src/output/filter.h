/*
 * Which row filter of PNG suits a row of palette indexes.
 *
 * Indexes are names, not amounts, so a filter helps only where it leaves
 * zeros: the filter that leaves the fewest bytes different from their
 * neighbour above (UP) or to the left (SUB) wins, and a row that differs
 * nearly everywhere is written as it is.
 */
#ifndef OUTPUT_FILTER_H
#define OUTPUT_FILTER_H

#include <stdint.h>

enum filter { FILTER_NONE, FILTER_SUB, FILTER_UP };

/* The best filter for `row`, of `width` bytes, below the row `above`. */
enum filter filter_choose(const uint8_t *row, const uint8_t *above, uint32_t width);

#endif
