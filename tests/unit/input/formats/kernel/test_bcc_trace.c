
#include "support/formats.h"
#include "unit/support/claim.h"
#include "unit/support/test.h"
#include "unit/support/told.h"

/* clang-format off */
static const struct {
    const char *name, *text, *want;
} cases[] = {
    {"rows with times",
     "TIME     PID     TID     COMM            FUNC\n"
     "10:00:01 7 8 app f\n"
     "        f+0x1 [kernel]\n"
     "        main+0x30 [app]\n"
     "\n"
     "10:00:02 7 8 app g 12\n"
     "        g+0x1 [kernel]\n",
     "== f events\n"
     "app;main;f 1\n"
     "== g events\n"
     "app;g 1\n"},
    {"rows with times and processors",
     "TIME     CPU PID     TID     COMM            FUNC\n"
     "10:00:01 3   7       8       app             f\n"
     "        f+0x1 [kernel]\n",
     "== f events\n"
     "app;f 1\n"},
    {"a row without a process",
     "PID     TID     COMM            FUNC\n"
     "7 8 app f\n"
     "        f+0x1 [kernel]\n"
     "\n"
     "what\n"
     "        g+0x1 [kernel]\n",
     "== f events\n"
     "app;f 1\n"
     "in:5: warning: expected 'PID TID COMM FUNC': 'what'; line skipped\n"},
    {"a process with a blank, by its column",
     "TIME     PID     TID     COMM            FUNC\n"
     "10:00:01 7       8       Web Content     do_sys_open      x=1\n"
     "        f+0x1 [kernel]\n"
     "1.25     1234567 1234567 a b             g\n"
     "        f+0x1 [kernel]\n",
     "== do_sys_open events\n"
     "Web Content;f 1\n"
     "== g events\n"
     "a b;f 1\n"},
    {"memory",
     "Attaching to malloc in pid 12, Ctrl+C to quit.\n"
     "380928 bytes allocated at:\n"
     "\tqueue_new+0x303\n"
     "\tmain+0x10\n"
     "1024 bytes allocated at:\n"
     "\tmain+0x20\n",
     "== bytes allocated bytes\n"
     "main 1024\n"
     "main;queue_new 380928\n"},
};
/* clang-format on */

Test(input_bcc_trace, texts)
{
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        told_expect(cases[i].name, slice_str(cases[i].text), NULL, cases[i].want);
}

Test(input_bcc_trace, claims)
{
    static const struct {
        const char *text;
        bool claimed;
    } rows[] = {
        {"PID TID COMM FUNC\n7 8 app f\n        f+0x1\n", true},
        {"PID TID COMM FUNC\n7 8 app f\n        f [app]\n", true},
        {"PID TID COMM FUNC\n7 8 app f\n        0xffffffff81012345 f\n", true},
        {"PID TID COMM FUNC\n7 8 app f\n        [unknown]\n", true},
        {"PID TID COMM FUNC\nare the columns:\n    the process comes first\n", false},
        {"12 bytes allocated at:\n    this place in the text\n", false},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        cr_expect_eq(claim_by(&format_bcc_trace, slice_str(rows[i].text), true), rows[i].claimed,
                     "%s", rows[i].text);
}
