/* Work divided into shares. */
#include <string.h>

#include "batch/partition.h"
#include "unit/support/test.h"

enum { MOST = 2000 };

Test(batch_share, heaviest_first_into_the_lightest)
{
    static const uint64_t weights[] = {1, 7, 7, 2, 5, 9};
    /* The shares are 9 + 1, 7 + 5 and 7 + 2. */
    static const unsigned want[] = {0, 1, 2, 2, 1, 0};
    unsigned got[6];

    partition_divide(weights, 6, 3, got);
    for (size_t i = 0; i < 6; i++)
        cr_expect(got[i] == want[i], "item %zu is in share %u", i, got[i]);
}

/* The sums of shares differ by at most the heaviest item. */
Test(batch_share, shares_are_about_equal)
{
    static const unsigned shares[] = {1, 2, 3, 7, 20, 64, 1999, 2000};
    static uint64_t weights[MOST], sums[MOST];
    static unsigned got[MOST];
    uint64_t seed = 1;

    for (size_t i = 0; i < MOST; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        weights[i] = 1 + (seed >> 40) % 100000;
    }
    for (size_t s = 0; s < sizeof(shares) / sizeof(shares[0]); s++) {
        uint64_t least = UINT64_MAX, most = 0;

        partition_divide(weights, MOST, shares[s], got);
        memset(sums, 0, sizeof(sums));
        for (size_t i = 0; i < MOST; i++) {
            cr_assert(got[i] < shares[s], "item %zu is in share %u", i, got[i]);
            sums[got[i]] += weights[i];
        }
        for (unsigned i = 0; i < shares[s]; i++) {
            least = sums[i] < least ? sums[i] : least;
            most = sums[i] > most ? sums[i] : most;
        }
        cr_expect(most - least <= 100000, "%u shares: %llu to %llu", shares[s],
                  (unsigned long long)least, (unsigned long long)most);
    }
}

Test(batch_share, weights_that_overflow_and_none)
{
    static const uint64_t weights[] = {UINT64_MAX, UINT64_MAX, UINT64_MAX, 1};
    unsigned got[4];

    partition_divide(weights, 4, 2, got);
    for (size_t i = 0; i < 4; i++)
        cr_expect(got[i] < 2);
    partition_divide(NULL, 0, 5, got);
}
