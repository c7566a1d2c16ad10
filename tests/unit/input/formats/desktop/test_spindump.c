
#include "support/formats.h"
#include "unit/support/claim.h"
#include "unit/support/folding.h"
#include "unit/support/test.h"

#define PROCESS "Heaviest stack:\n  9  start + 1 (app + 2) [0x3]\n\nProcess:         app [512]\n\n"
#define THREAD "  Thread 0x2eb9    DispatchQueue \"main\"(1)    9 samples (1-9)    priority 31\n"
#define END "\n  Binary Images:\n"

static const struct folding cases[] = {
    {"a node keeps what its children leave",
     PROCESS THREAD "  9  start + 1 (app + 2) [0x3]\n    5  f + 1 (app + 4) [0x5]\n"
                    "    3  g + 1 (app + 4) [0x6] (running)\n" END,
     "app;main;start 1\napp;main;start;f 5\napp;main;start;g 3\n", NULL},
    {"an asterisk marks the kernel",
     PROCESS THREAD "  9  start + 1 (app + 2) [0x3]\n   *9  trap + 1 (kernel + 4) [0x5]\n"
                    "     *9  ??? (kernel + 7) [0xff]\n" END,
     "app;main;start;trap_[k];[kernel]_[k] 9\n", NULL},
    {"threads by name, by queue or by number",
     PROCESS "  Thread 0x1    Thread name \"idle #5\"    1 sample (1)    priority 0\n <IO tier 0>\n"
             "  1  f + 1 (app + 2) [0x3]\n\n  Thread 0x2    2 samples (1-2)\n"
             "  2  f + 1 (app + 2) [0x3]\n" END,
     "app;Thread 0x2;f 2\napp;idle #5;f 1\n", NULL},
    {"modules and names with parentheses and without",
     PROCESS THREAD "  9  -[View draw:] + 96 (App Helper (Renderer) + 3200) [0x1]\n"
                    "    9  operator+ (app + 1) [0x1]\n      9  ??? [0x7f]\n" END,
     "app;main;-[View draw:];operator+;0x7f 9\n", NULL},
    {"lines that cannot be read",
     PROCESS THREAD "  9  f + 1 (app + 2) [0x3]\n    x  g + 1 (app + 2) [0x3]\n" END,
     "app;main;f 9\n", "in:8: warning: expected 'SAMPLES FUNCTION"},
    {"a cut report", PROCESS THREAD "  9  f + 1 (app + 2) [0x3]\n", "app;main;f 9\n",
     "ends in the middle of a thread"},
};

Test(input_spindump, texts)
{
    struct input_options options = input_options_default();

    options.kernel = true;
    folding_check("spindump", cases, sizeof(cases) / sizeof(cases[0]), &options);
}

Test(input_spindump, claims)
{
    cr_expect(claim_by(&format_spindump, SLICE(PROCESS THREAD), true));
    cr_expect_not(claim_by(&format_spindump, SLICE(THREAD), true));
    cr_expect_not(claim_by(&format_spindump, SLICE(PROCESS), true));
}
