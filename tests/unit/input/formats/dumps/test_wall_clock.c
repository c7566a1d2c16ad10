
#include "unit/support/claim.h"
#include "unit/support/corpus.h"
#include "unit/support/golden.h"
#include "unit/support/test.h"

#define TOP "3 samples\n\n90.000% == (9 samples)\n    1: f   (at f.c:1)\n\nFull stacks:\n\n"

Test(input_wall_clock, stacks)
{
    golden_text("stacks", "wall-clock",
                TOP "61.000% ==== (610 samples)\n    1: poll   (at ./poll.c:29)\n"
                    "    2: f(int, char)   (at f.cpp:3)\n\n 39.000% == (390 samples)\n"
                    "    1: ??   (at :0)\n    2: f(int)   (at f.cpp:3)\n0.1% = (1 sample)\n",
                NULL, " 1\nf;[unknown] 390\nf;poll 610\n", "");
}

Test(input_wall_clock, bad_lines_are_told)
{
    golden_text("told", "wall-clock",
                TOP "6% == (6 samples)\n    1: f\n   oops\n\n9% = (99999999999999999999 samples)\n"
                    "    1: g\n\nend\n",
                NULL, "f 6\n",
                "in:10: warning: expected 'N: NAME   (at FILE:LINE)'; line skipped\n"
                "in:12: warning: the weight does not fit in 64 bits; its stack is left out\n");
}

Test(input_wall_clock, claims)
{
    cr_expect(claim_by(&format_wall_clock, SLICE(TOP "6% == (6 samples)\n    1: f\n"), true));
    cr_expect_not(claim_by(&format_wall_clock, SLICE("6% == (6 samples)\n    1: f\n"), true));
    cr_expect_not(claim_by(&format_wall_clock, SLICE("Full stacks:\n\n    1: f\n"), true));
}

Test(input_wall_clock, reference_names, .init = corpus_need)
{
    golden_reference("shape-samples/wall-clock-profiler.txt",
                     "shape-samples/expected/wall-clock-profiler.txt.reference.folded");
}
