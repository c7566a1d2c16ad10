#include "unit/support/test.h"

#include "base/multiset.h"

Test(base_multiset, counts_each_string)
{
    struct multiset t = {0};

    cr_expect_eq(multiset_size(&t), 0);
    cr_expect_eq(multiset_add(&t, SLICE("a")), 0);
    cr_expect_eq(multiset_add(&t, SLICE("")), 1);
    cr_expect_eq(multiset_add(&t, SLICE("a")), 0);
    cr_assert_eq(multiset_size(&t), 2);
    cr_assert_eq(multiset_steps(&t), 2);
    cr_expect_eq(multiset_times(&t, multiset_step(&t, 0)), 2);
    cr_expect_eq(multiset_times(&t, multiset_step(&t, 1)), 1);
    cr_expect(slice_equal(intern_get(&t.keys, 0), SLICE("a")));
    multiset_release(&t);
}

Test(base_multiset, remembers_the_order)
{
    struct multiset t = {.in_order = true};
    static const uint32_t ids[] = {0, 1, 0};

    multiset_add(&t, SLICE("a"));
    multiset_add(&t, SLICE("b"));
    multiset_add(&t, SLICE("a"));
    cr_assert_eq(multiset_steps(&t), 3);
    for (size_t i = 0; i < 3; i++) {
        cr_expect_eq(multiset_step(&t, i), ids[i]);
        cr_expect_eq(multiset_times(&t, multiset_step(&t, i)), 1);
    }
    multiset_release(&t);
}
