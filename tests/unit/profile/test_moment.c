#include "profile/moment.h"

#include "unit/support/test.h"

Test(profile_moment, are_sorted_by_time_and_otherwise_stay)
{
    for (uint32_t count = 0; count < 70; count++) {
        struct moments m = {0};

        for (uint32_t i = 0; i < count; i++) {
            moments_meet(&m, (uint64_t)i * 7919 % 13);
            moments_add(&m, i, i + 1);
        }
        moments_sort(&m);
        cr_assert_eq(m.items.count, count);
        for (uint32_t i = 1; i < count; i++) {
            const struct moment *a = &m.items.items[i - 1], *b = &m.items.items[i];

            cr_expect(a->ns < b->ns || (a->ns == b->ns && a->stack < b->stack), "%u of %u", i,
                      count);
            cr_expect_eq(b->ns, (uint64_t)b->stack * 7919 % 13);
            cr_expect_eq(b->weight, b->stack + 1);
        }
        moments_release(&m);
    }
}

Test(profile_moment, without_times_of_their_own_stay_as_they_were_read)
{
    struct moments m = {0};

    moments_meet(&m, 9);
    moments_add(&m, 1, 1);
    moments_meet(&m, 3);
    moments_add(&m, 2, 1);
    cr_expect(moments_are_timed(&m));
    moments_add(&m, 3, 1);
    cr_expect_not(moments_are_timed(&m));
    moments_sort(&m);
    for (uint32_t i = 0; i < 3; i++)
        cr_expect_eq(m.items.items[i].stack, i + 1);
    moments_release(&m);
}

Test(profile_moment, of_two_series_are_joined_and_passed_on)
{
    const uint32_t stacks[] = {4, 5};
    struct moments a = {0}, b = {0};

    moments_meet(&a, 7);
    moments_add(&a, 1, 2);
    moments_meet(&b, 3);
    moments_add(&b, 1, 10);
    moments_join(&a, &b, stacks, 2);
    moments_sort(&a);
    cr_assert(moments_are_timed(&a));
    cr_expect_eq(a.items.items[0].ns, 3u);
    cr_expect_eq(a.items.items[0].stack, 5u);
    cr_expect_eq(a.items.items[0].weight, 20u);
    cr_expect_eq(a.items.items[1].stack, 1u);
    moments_meet(&a, 9);
    moments_pass_on(&a, &b);
    moments_add(&a, 0, 1);
    moments_add(&b, 0, 1);
    cr_expect_not(moments_are_timed(&a));
    cr_expect(moments_are_timed(&b));
    cr_expect_eq(b.items.items[1].ns, 9u);
    moments_release(&a);
    moments_release(&b);
}
