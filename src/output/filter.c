#include "output/filter.h"

#include <string.h>

#include "base/die.h"

#define EACH(byte) (UINT64_C(0x0101010101010101) * (byte))

/* Returns how many of the eight bytes of `word` are not zero. */
static uint32_t nonzero(uint64_t word)
{
    uint64_t tops = (((word & EACH(0x7f)) + EACH(0x7f)) | word) & EACH(0x80);

    return (uint32_t)((tops >> 7) * EACH(1) >> 56);
}

/* Returns how many bytes differ. Compares eight at a time. */
static uint32_t differing(const uint8_t *a, const uint8_t *b, uint32_t count)
{
    uint32_t n = 0, i = 0;

    for (; i + 8 <= count; i += 8) {
        uint64_t left, right;

        memcpy(&left, a + i, 8);
        memcpy(&right, b + i, 8);
        if (left != right)
            n += nonzero(left ^ right);
    }
    for (; i < count; i++)
        n += a[i] != b[i];
    return n;
}

enum filter filter_choose(const uint8_t *row, const uint8_t *above, uint32_t width)
{
    uint32_t up = differing(row, above, width), left;

    if (!up)
        return FILTER_UP;
    left = differing(row + 1, row, width - 1) + 1;
    if (up > width / 2 && left > width / 2)
        return FILTER_NONE;
    return up <= left ? FILTER_UP : FILTER_SUB;
}
