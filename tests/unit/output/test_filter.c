#include "output/filter.h"

#include <criterion/criterion.h>
#include <string.h>

Test(output_filter, choice)
{
    static const struct {
        const char *name, *above, *row;
        enum filter want;
    } cases[] = {
        {"the row above again", "abcdabcd", "abcdabcd", FILTER_UP},
        {"long runs, nothing alike above", "bcdbcdbc", "aaaaaaaa", FILTER_SUB},
        {"nothing alike", "efghefgh", "abcdabcd", FILTER_NONE},
        {"both alike: the row above", "aaaaaaaa", "aaaaaaaa", FILTER_UP},
        {"one byte of text", "aaaaaaaa", "aaaxaaaa", FILTER_UP},
        {"one pixel", "a", "a", FILTER_UP},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        cr_expect_eq(filter_choose((const uint8_t *)cases[i].row, (const uint8_t *)cases[i].above,
                                   (uint32_t)strlen(cases[i].row)),
                     cases[i].want, "%s", cases[i].name);
}
