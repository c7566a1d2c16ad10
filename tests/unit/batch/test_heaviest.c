#include "batch/heaviest.h"

#include "unit/support/test.h"

/* A graph counts by its share of its event: 9 of 10 faults are more than 600 of 1,000 cycles. */
Test(batch_heaviest, largest_shares_in_the_order_of_the_input)
{
    struct heaviest items[] = {
        {SLICE("cycles"), 100, 0, 0}, {SLICE("cycles"), 600, 0, 1}, {SLICE("faults"), 1, 0, 2},
        {SLICE("cycles"), 300, 0, 3}, {SLICE("faults"), 9, 0, 4},
    };
    static const size_t want[] = {1, 4, 0, 2, 3};

    heaviest_choose(items, 5, 2);
    for (size_t i = 0; i < 5; i++)
        cr_expect_eq(items[i].index, want[i], "%zu is %zu", i, items[i].index);
}
