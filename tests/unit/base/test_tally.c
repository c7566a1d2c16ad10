#include "unit/support/test.h"

#include "base/tally.h"

Test(base_tally, counts_each_string)
{
    struct tally t = {0};

    cr_expect_eq(tally_size(&t), 0);
    cr_expect_eq(tally_add(&t, SLICE("a")), 0);
    cr_expect_eq(tally_add(&t, SLICE("")), 1);
    cr_expect_eq(tally_add(&t, SLICE("a")), 0);
    cr_assert_eq(tally_size(&t), 2);
    cr_assert_eq(tally_steps(&t), 2);
    cr_expect_eq(tally_times(&t, tally_step(&t, 0)), 2);
    cr_expect_eq(tally_times(&t, tally_step(&t, 1)), 1);
    cr_expect(slice_equal(intern_get(&t.keys, 0), SLICE("a")));
    tally_release(&t);
}

Test(base_tally, remembers_the_order)
{
    struct tally t = {.in_order = true};
    static const uint32_t ids[] = {0, 1, 0};

    tally_add(&t, SLICE("a"));
    tally_add(&t, SLICE("b"));
    tally_add(&t, SLICE("a"));
    cr_assert_eq(tally_steps(&t), 3);
    for (size_t i = 0; i < 3; i++) {
        cr_expect_eq(tally_step(&t, i), ids[i]);
        cr_expect_eq(tally_times(&t, tally_step(&t, i)), 1);
    }
    tally_release(&t);
}
