
#include "input/parse/number_list.h"

#include "unit/support/test.h"

static const uint64_t numbers[] = {
    0, 1, 127, 128, 129, 16383, 16384, 1u << 28, UINT32_MAX, 1ull << 63, UINT64_MAX, 0, 7,
};

static const int64_t folded[] = {0, -1, 1, -2, 2, 63, -64, INT64_MAX, INT64_MIN};

enum { COUNT = sizeof(numbers) / sizeof(numbers[0]) };

Test(input_number_list, numbers_come_back_in_their_order)
{
    struct number_list list = {0};
    uint64_t number;
    size_t at = 0;

    cr_expect(!number_list_next(&list, &at, &number), "none is there");
    for (size_t i = 0; i < COUNT; i++)
        number_list_add(&list, numbers[i]);
    cr_expect_eq(list.count, COUNT);
    for (size_t i = 0; i < COUNT; i++) {
        cr_assert(number_list_next(&list, &at, &number));
        cr_expect_eq(number, numbers[i], "number %zu", i);
    }
    cr_expect(!number_list_next(&list, &at, &number));
    number_list_clear(&list);
    at = 0;
    cr_expect(!number_list_next(&list, &at, &number));
    number_list_release(&list);
}

Test(input_number_list, small_numbers_are_short)
{
    struct number_list list = {0};

    for (uint64_t i = 0; i < 128; i++)
        number_list_add(&list, i);
    cr_expect_eq(list.bytes.len, 128);
    number_list_add(&list, UINT64_MAX);
    cr_expect_eq(list.bytes.len, 138);
    number_list_release(&list);
}

Test(input_number_list, signs_fold)
{
    for (size_t i = 0; i < sizeof(folded) / sizeof(folded[0]); i++)
        cr_expect_eq(number_list_unfold(number_list_fold(folded[i])), folded[i], "number %zu", i);
    cr_expect_eq(number_list_fold(-64), 127);
    cr_expect_eq(number_list_fold(63), 126);
}
