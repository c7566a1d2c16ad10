#include "output/filter.h"

#include <stdbool.h>
#include <string.h>

#include "base/die.h"

/* Bytes are compared and subtracted LANES at a time, which compilers turn into vectors. */
enum {
    LANES = 16,
    ROUNDS = 255, /* as many as a lane of 8 bits can count */
};

typedef uint8_t bytes16 __attribute__((vector_size(LANES)));

static inline bytes16 load(const uint8_t *at)
{
    bytes16 bytes;

    memcpy(&bytes, at, sizeof(bytes));
    return bytes;
}

static uint32_t sum(bytes16 counts)
{
    uint32_t n = 0;

    for (unsigned i = 0; i < LANES; i++)
        n += counts[i];
    return n;
}

/*
 * Counts in `row` from `x` on the bytes that differ from the one to the left, and in the row
 * filtered with UP those that differ from the one to the left. Returns the first column that is
 * not counted. A comparison gives -1 where it is true.
 */
static uint32_t count_lanes(const uint8_t *row, const uint8_t *above, uint32_t x, uint32_t width,
                            uint32_t *left, uint32_t *up)
{
    bytes16 lefts = {0}, ups = {0};

    for (unsigned i = 0; i < ROUNDS && x + LANES <= width; i++, x += LANES) {
        bytes16 here = load(row + x), before = load(row + x - 1);

        lefts -= (bytes16)(here != before);
        ups -= (bytes16)(here - load(above + x) != before - load(above + x - 1));
    }
    *left += sum(lefts);
    *up += sum(ups);
    return x;
}

enum filter filter_choose(const uint8_t *row, const uint8_t *above, uint32_t width)
{
    uint32_t left = 0, up = 0, x = 1;

    while (x + LANES <= width)
        x = count_lanes(row, above, x, width, &left, &up);
    for (; x < width; x++) {
        left += row[x] != row[x - 1];
        up += (uint8_t)(row[x] - above[x]) != (uint8_t)(row[x - 1] - above[x - 1]);
    }
    return up <= left ? FILTER_UP : FILTER_SUB;
}

void filter_apply(enum filter filter, uint8_t *to, const uint8_t *row, const uint8_t *above,
                  uint32_t width)
{
    const uint8_t *other = filter == FILTER_UP ? above : row - 1;
    uint32_t x = 0;

    if (filter == FILTER_SUB)
        to[x] = row[x], x++;
    for (; x + LANES <= width; x += LANES) {
        bytes16 differences = load(row + x) - load(other + x);

        memcpy(to + x, &differences, sizeof(differences));
    }
    for (; x < width; x++)
        to[x] = (uint8_t)(row[x] - other[x]);
}
