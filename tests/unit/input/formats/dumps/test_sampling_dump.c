
#include "support/formats.h"
#include "unit/support/claim.h"
#include "unit/support/folding.h"
#include "unit/support/test.h"

#define TOP "Stack dump for PID 12, thread 12 (main thread, idle; most recent call last):\n"
#define NEXT "Stack dump, thread 13 (has GIL, on CPU; most recent call last):\n"

static const struct folding cases[] = {
    {"threads, and lines of source",
     TOP "  File \"/a/b.py\", line 3, in <module>\n    main()\n  File \"/a/b.py\", line 7, in f\n"
         "    x = \"  File \\\"c.py\\\", line 1, in g\"\n\n" NEXT "  File \"b.py\", line 9, in g\n",
     "[idle]\n<module> (b.py);f 1\n[active]\ng 1\n", NULL},
    {"no states",
     "Stack dump for PID 1, thread 2 (most recent call last):\n"
     "  File \"b.py\", line 9, in g\n",
     "g 1\n", NULL},
    {"tasks",
     "Stack dump, thread 12 (task 140; most recent call last):\n"
     "  File \"<task>\", in T one\n  File \"b.py\", line 9, in g\n",
     "T one;g 1\n", NULL},
    {"the same stack in two dumps",
     TOP "  File \"b.py\", line 3, in f\n\n" TOP "  File \"b.py\", line 3, in f\n", "f 2\n", NULL},
    {"lines that cannot be read",
     TOP "  File \"b.py\", line 3, in f\n  File \"b.py\", line x, in g\nError: gone\n", "f 1\n",
     "in:3: warning: expected 'File \"...\", line N, in NAME'"},
};

Test(input_sampling_dump, texts)
{
    folding_check("sampling-dump", cases, sizeof(cases) / sizeof(cases[0]), NULL);
}

Test(input_sampling_dump, claims)
{
    cr_expect(claim_by(&format_sampling_dump, SLICE(TOP "  File \"a\", line 1, in f\n"), true));
    cr_expect_not(claim_by(&format_sampling_dump, SLICE(TOP), true));
    cr_expect_not(claim_by(&format_sampling_dump,
                           SLICE("Traceback (most recent call last):\n"
                                 "  File \"a\", line 1, in f\n"),
                           true));
}
