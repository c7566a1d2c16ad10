
#include "support/formats.h"
#include "unit/support/claim.h"
#include "unit/support/folding.h"
#include "unit/support/test.h"

#define TOP                                                                                        \
    "\n  _     ._   __/__   _ _  _  _ _/_   Recorded: 22:39:23  Samples:  7\n"                     \
    " /_//_/// /_\\ / //_// / //_'/ //     Duration: 1.0       CPU time: 0.5\n"                    \
    "/   _/                      v5.1.3\n\nProgram: a.py\n\n"

static const struct folding cases[] = {
    {"levels, [self] and hidden frames",
     TOP "1.000 <module>  a.py:1\n├─ 0.700 f  a.py:3\n│  ├─ 0.250 [self]  a.py\n"
         "│  └─ 0.450 g  x/b.py:9\n│        [3 frames hidden]  asyncio\n"
         "│           0.450 h  c.py:2\n└─ 0.300 <lambda>  <string>:1\n\nTo view this report, run:\n"
         "    pyinstrument --load-prev X [options]\n",
     "<module> (a.py);<lambda> (<string>) 0.3\n<module> (a.py);f 0.25\n"
     "<module> (a.py);f;g;h 0.45\n",
     NULL},
    {"lines that cannot be read", TOP "1.000 f  a.py:1\n└─ x y\n", "f 1\n",
     "in:9: warning: expected 'SECONDS FUNCTION  FILE:LINE'"},
};

Test(input_pyinstrument_text, texts)
{
    folding_check("pyinstrument-text", cases, sizeof(cases) / sizeof(cases[0]), NULL);
}

Test(input_pyinstrument_text, claims)
{
    cr_expect(claim_by(&format_pyinstrument_text, SLICE(TOP), true));
    cr_expect_not(claim_by(&format_pyinstrument_text, SLICE("Recorded: 22:39:23\n"), true));
}
