#include "output/filter.h"

#include "base/die.h"

/* Bytes that differ; the compiler makes vector code of it. */
static uint32_t differing(const uint8_t *a, const uint8_t *b, uint32_t count)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < count; i++)
        n += a[i] != b[i];
    return n;
}

enum filter filter_choose(const uint8_t *row, const uint8_t *above, uint32_t width)
{
    uint32_t up = differing(row, above, width);
    uint32_t left = differing(row + 1, row, width - 1) + 1;

    if (up > width / 2 && left > width / 2)
        return FILTER_NONE;
    return up <= left ? FILTER_UP : FILTER_SUB;
}
