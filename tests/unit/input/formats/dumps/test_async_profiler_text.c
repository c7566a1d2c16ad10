
#include "support/formats.h"
#include "unit/support/claim.h"
#include "unit/support/folding.h"
#include "unit/support/told.h"
#include "unit/support/test.h"

/* clang-format off */
static const struct {
    const char *name, *text, *want;
} cases[] = {
    {"stacks and the table",
     "--- Execution profile ---\n"
     "Total samples       : 3\n"
     "\n"
     "--- 20 ns (66.67%), 2 samples\n"
     "  [ 0] b\n"
     "  [ 1] a\n"
     "\n"
     "--- 10 ns (33.33%), 1 sample\n"
     "  [ 0] a\n"
     "\n"
     "          ns  percent  samples  top\n"
     "  ----------  -------  -------  ---\n"
     "          20   66.67%        2  b\n",
     "== Execution seconds e-9\n"
     "a 10\n"
     "a;b 20\n"},
    {"bytes, and lines that are none",
     "--- 20 bytes (66.67%), 2 samples\n"
     "  [ 0] b\n"
     "  what\n"
     "\n"
     "--- oh\n",
     "==  bytes\n"
     "b 20\n"
     "in:3: warning: expected '[N] NAME': '  what'; line skipped\n"
     "in:5: warning: expected '--- N UNIT (P%), N samples': '--- oh'; line skipped\n"},
    {"a weight that is too large",
     "--- 20 bytes (66.67%), 2 samples\n"
     "  [ 0] b\n"
     "\n"
     "--- 99999999999999999999 bytes (1.00%), 2 samples\n"
     "  [ 0] a\n",
     "==  bytes\n"
     "b 20\n"
     "in:4: warning: the weight does not fit in 64 bits; its stack is left out\n"},
};
/* clang-format on */

Test(input_async_profiler_text, texts)
{
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        told_expect(cases[i].name, slice_str(cases[i].text), NULL, cases[i].want);
}

/* The number of samples is that of the lines. */
Test(input_async_profiler_text, samples)
{
    struct reading r;

    reading_text(&r, slice_str(cases[0].text), NULL);
    cr_assert_eq(r.result, INPUT_READ);
    cr_expect_eq(r.profile.series.items[0].samples, 3);
    reading_release(&r);
}
