#include "output/filter.h"

#include <string.h>

#include "unit/support/test.h"

Test(output_filter, choice)
{
    static const struct {
        const char *name, *above, *row;
        enum filter want;
    } cases[] = {
        {"the row above again", "abcdabcd", "abcdabcd", FILTER_UP},
        {"the row above with another fill", "abcdabcd", "bcdebcde", FILTER_UP},
        {"long runs, nothing alike above", "bcdbcdbc", "aaaaaaaa", FILTER_SUB},
        {"one edge, below noise", "bqczdxey", "aaaaeeee", FILTER_SUB},
        {"both alike: the row above", "aaaaaaaa", "aaaaaaaa", FILTER_UP},
        {"one byte of text", "aaaaaaaa", "aaaxaaaa", FILTER_UP},
        {"one pixel", "a", "z", FILTER_UP},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        cr_expect_eq(filter_choose((const uint8_t *)cases[i].row, (const uint8_t *)cases[i].above,
                                   (uint32_t)strlen(cases[i].row)),
                     cases[i].want, "%s", cases[i].name);
}

/* Makes rows of `width` bytes, few or most of which differ from their neighbours. */
static void make_rows(uint8_t *row, uint8_t *above, uint32_t width, unsigned kind)
{
    uint32_t seed = width * 31 + kind;

    for (uint32_t x = 0; x < width; x++) {
        seed = seed * 1664525 + 1013904223;
        row[x] = (uint8_t)(kind == 12 ? x * 3 : kind & 1 ? seed >> 24 : 200 + (x / (kind + 7) & 1));
        above[x] = (uint8_t)(kind & 2 ? row[x] + (seed % 64 == 0) : (int)(seed >> 24));
    }
}

/* Counts byte by byte, for all widths near the sizes of vectors and of their counters. */
Test(output_filter, choice_as_counted)
{
    enum { MOST = 9000 };
    static uint8_t row[MOST], above[MOST];

    for (unsigned kind = 0; kind < 16; kind++) {
        for (uint32_t width = 1; width < MOST; width += width < 70 ? 1 : 611) {
            uint32_t left = 0, up = 0;

            make_rows(row, above, width, kind);
            for (uint32_t x = 1; x < width; x++) {
                left += row[x] != row[x - 1];
                up += (uint8_t)(row[x] - above[x]) != (uint8_t)(row[x - 1] - above[x - 1]);
            }
            cr_expect_eq(filter_choose(row, above, width), up <= left ? FILTER_UP : FILTER_SUB,
                         "kind %u, width %u: left %u, up %u", kind, width, left, up);
        }
    }
}

Test(output_filter, differences)
{
    enum { MOST = 100 };
    static uint8_t row[MOST], above[MOST], to[MOST + 1];

    for (uint32_t width = 1; width < MOST; width++) {
        make_rows(row, above, width, 1);
        to[width] = 77;
        filter_apply(FILTER_UP, to, row, above, width);
        for (uint32_t x = 0; x < width; x++)
            cr_expect_eq(to[x], (uint8_t)(row[x] - above[x]), "UP, column %u of %u", x, width);
        filter_apply(FILTER_SUB, to, row, NULL, width);
        for (uint32_t x = 0; x < width; x++)
            cr_expect_eq(to[x], (uint8_t)(row[x] - (x ? row[x - 1] : 0)), "SUB, column %u of %u", x,
                         width);
        cr_expect_eq(to[width], 77, "wrote after column %u", width);
    }
}
