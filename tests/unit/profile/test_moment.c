#include "profile/moment.h"

#include <criterion/criterion.h>

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
