/*
 * PNG's row filters for rows of palette indexes (PNG specification, clause 9).
 *
 * A filter replaces each byte by its difference from a neighbour: the byte to the
 * left (SUB) or above (UP). Indexes are names, not amounts, so a filter helps only
 * by making bytes that are equal: the compressor writes a run as one match, and
 * text on one fill becomes the bytes of the same text on another.
 */
#ifndef OUTPUT_FILTER_H
#define OUTPUT_FILTER_H

#include <stdint.h>

/* The values are those of a PNG. */
enum filter { FILTER_SUB = 1, FILTER_UP = 2 };

/*
 * Returns the filter for `row` that leaves fewer bytes to write. Both rows have
 * `width` bytes; `above` is the row before.
 */
enum filter filter_choose(const uint8_t *row, const uint8_t *above, uint32_t width);

/*
 * Writes `width` filtered bytes to `to`, which does not overlap the rows. SUB does
 * not read `above`.
 */
void filter_apply(enum filter filter, uint8_t *to, const uint8_t *row, const uint8_t *above,
                  uint32_t width);

#endif
