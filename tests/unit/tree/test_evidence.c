#include "tree/evidence.h"

#include "unit/support/test.h"

Test(tree_evidence, counts_errors_of_both_sides)
{
    static const struct {
        uint64_t now, base;
        double each_now, each_base, want;
    } rows[] = {
        {1, 0, 1, 1, 0},                           /* one sample: one error */
        {0, 1, 1, 1, 0},          {4, 0, 1, 1, 0}, /* two errors */
        {9, 0, 1, 1, .5},                          /* three errors */
        {0, 9, 1, 1, .5},         {16, 0, 1, 1, 1},
        {10000, 0, 1, 1, 1},      {16, 9, 1, 1, 0}, /* 7 / sqrt(25) */
        {58, 42, 1, 1, 0},        {65, 35, 1, 1, .5},
        {900, 0, 100, 100, .5}, /* weights of a hundred a sample */
        {36, 0, 4, 1, .5},        {0, 36, 1, 4, .5},
        {1, 0, 0, 1, 1}, /* not known: every change counts in full */
        {1, 0, 1, 0, 1},          {5, 5, 1, 1, 1},
        {UINT64_MAX, 0, 1, 1, 1},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct evidence e = {rows[i].each_now, rows[i].each_base};

        cr_expect_eq(evidence_of(&e, rows[i].now, rows[i].base), rows[i].want, "row %zu: %g", i,
                     evidence_of(&e, rows[i].now, rows[i].base));
    }
}
