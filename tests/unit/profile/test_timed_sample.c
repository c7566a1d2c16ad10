#include "profile/timed_sample.h"

#include "unit/support/test.h"

Test(profile_timed_sample, are_sorted_by_time_and_otherwise_stay)
{
    for (uint32_t count = 0; count < 70; count++) {
        struct timed_samples m = {0};

        for (uint32_t i = 0; i < count; i++) {
            timed_samples_meet(&m, (uint64_t)i * 7919 % 13);
            timed_samples_add(&m, i, i + 1);
        }
        timed_samples_sort(&m);
        cr_assert_eq(m.items.count, count);
        for (uint32_t i = 1; i < count; i++) {
            const struct timed_sample *a = &m.items.items[i - 1], *b = &m.items.items[i];

            cr_expect(a->ns < b->ns || (a->ns == b->ns && a->stack < b->stack), "%u of %u", i,
                      count);
            cr_expect_eq(b->ns, (uint64_t)b->stack * 7919 % 13);
            cr_expect_eq(b->weight, b->stack + 1);
        }
        timed_samples_release(&m);
    }
}

Test(profile_timed_sample, without_times_of_their_own_stay_as_they_were_read)
{
    struct timed_samples m = {0};

    timed_samples_meet(&m, 9);
    timed_samples_add(&m, 1, 1);
    timed_samples_meet(&m, 3);
    timed_samples_add(&m, 2, 1);
    cr_expect(timed_samples_are_timed(&m));
    timed_samples_add(&m, 3, 1);
    cr_expect_not(timed_samples_are_timed(&m));
    timed_samples_sort(&m);
    for (uint32_t i = 0; i < 3; i++)
        cr_expect_eq(m.items.items[i].stack, i + 1);
    timed_samples_release(&m);
}

Test(profile_timed_sample, of_two_series_are_joined_and_passed_on)
{
    const uint32_t stacks[] = {4, 5};
    struct timed_samples a = {0}, b = {0};

    timed_samples_meet(&a, 7);
    timed_samples_add(&a, 1, 2);
    timed_samples_meet(&b, 3);
    timed_samples_add(&b, 1, 10);
    timed_samples_join(&a, &b, stacks, 2);
    timed_samples_sort(&a);
    cr_assert(timed_samples_are_timed(&a));
    cr_expect_eq(a.items.items[0].ns, 3u);
    cr_expect_eq(a.items.items[0].stack, 5u);
    cr_expect_eq(a.items.items[0].weight, 20u);
    cr_expect_eq(a.items.items[1].stack, 1u);
    timed_samples_meet(&a, 9);
    timed_samples_pass_on(&a, &b);
    timed_samples_add(&a, 0, 1);
    timed_samples_add(&b, 0, 1);
    cr_expect_not(timed_samples_are_timed(&a));
    cr_expect(timed_samples_are_timed(&b));
    cr_expect_eq(b.items.items[1].ns, 9u);
    timed_samples_release(&a);
    timed_samples_release(&b);
}
