
#include "support/formats.h"
#include "unit/support/claim.h"
#include "unit/support/told.h"
#include "unit/support/test.h"

/* clang-format off */
static const struct {
    const char *name, *text, *want;
} cases[] = {
    {"calls within calls",
     "S log opened (PC)\n10:PUSH:1:1:None:s..a\n12:PUSH:1:2:None:n:s..b\n15:POP:1:2:None:n:s..b\n"
     "20:POP:1:1:None:s..a\n30:PUSH:1:1:None:s..a\n31:POP:1:1:None:s..a\nLog closed\n",
     "==  seconds e-3\ns..a 8\ns..a;n:s..b 3\n"},
    {"start and stop of the profiling of a stack",
     "Stack_1 log opened (PC)\n5:START:1\n10:PUSH:1:1:None:s..a\n12:POP:1:1:None:s..a\n"
     "13:PUSH:1:1:None:s..b\n20:STOP:1::\nLog closed\n",
     "==  seconds e-3\ns..a 2\ns..b 7\n"
     "in: note: 1 function did not end; it is counted up to the last line\n"},
    {"stacks side by side",
     "10:PUSH:1:1:o (1):s..a\n12:PUSH:2:1:o (2):s..b\n20:POP:1:1:o (1):s..a\n"
     "25:POP:2:1:o (2):s..b\nLog closed\n",
     "==  seconds e-3\nSTACK 1;s..a 10\nSTACK 2;s..b 13\n"},
    {"a call that waits does not run",
     "10:QUEUE_PUSH:1:1:o:s..a\n12:QUEUE_POP:1:1:o:s..a\n12:PUSH:1:1:o:s..a\n15:POP:1:1:o:s..a\n"
     "Log closed\n",
     "==  seconds e-3\ns..a 3\n"},
    {"calls that have not ended",
     "10:PUSH:1:1:o:s..a\n10:PUSH:2:1:o:s..b\n15:POP:2:1:o:s..b\nLog closed\n",
     "==  seconds e-3\nSTACK 1;s..a 5\nSTACK 2;s..b 5\n"
     "in: note: 1 function did not end; it is counted up to the last line\n"},
    {"ends out of order and malformed lines",
     "10:PUSH:1:1:o:s..a\n11:PUSH:1:2:o:s..b\n14:POP:1:1:o:s..a\n15:POP:1:2:o:s..b\n"
     "12:PUSH:1:1:o:s..a\n16:JUMP:1:1:o:s..a\n17:PUSH:x:1:o:s..a\n",
     "==  seconds e-3\ns..a 1\ns..a;s..b 3\n"
     "in:4: warning: end of a function that did not begin; line skipped\n"
     "in:5: warning: the time is earlier than in the line before; line skipped\n"
     "in:6: warning: expected 'TIME:PUSH|POP:STACK:DEPTH:OBJECT:FUNCTION'; line skipped\n"
     "in: ... and 1 more like it\n"
     "in: warning: the log ends without 'Log closed'; it may be truncated\n"},
    {"nothing but beginnings",
     "10:PUSH:1:1:o:s..a\nLog closed\n",
     "==  seconds e-3\nin: note: 1 function did not end; it is counted up to the last line\n"
     "in: note: no stacks in this papyrus file: nothing was measured\nempty\n"},
};
/* clang-format on */

Test(input_papyrus, texts)
{
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        told_expect(cases[i].name, slice_str(cases[i].text), NULL, cases[i].want);
}

Test(input_papyrus, depth_is_limited)
{
    struct input_options options = input_options_default();

    options.limits.max_depth = 2;
    told_expect("depth", SLICE("1:PUSH:1:1:o:a\n2:PUSH:1:2:o:a\n3:PUSH:1:3:o:a\n"), &options,
                "==  seconds e-3\nSTACK 1;a 1\nSTACK 1;a;a 1\n"
                "in: error: more than 2 calls are open (--max-frames N raises the limit)\n"
                "failed\n");
}

Test(input_papyrus, claims)
{
    cr_expect(claim_find(SLICE("S log opened (PC)\n1:PUSH:1:1:o:a\n"), true) == &format_papyrus);
    cr_expect(claim_find(SLICE("1:QUEUE_PUSH:1:1:o:a\n"), true) == &format_papyrus);
    cr_expect_null(claim_find(SLICE("S log opened (PC)\nhello\n"), true));
    cr_expect_null(claim_find(SLICE("12:30:PUSH:1:o:a\n"), true));
    cr_expect_null(claim_find(SLICE("1:PUSH:1:1:o:\n"), true));
}
