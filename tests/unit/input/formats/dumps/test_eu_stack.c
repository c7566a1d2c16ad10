
#include "unit/support/claim.h"
#include "unit/support/corpus.h"
#include "unit/support/golden.h"
#include "unit/support/test.h"

#define TOP "PID 7 - process\nTID 8:\n"

static const struct {
    const char *name, *text, *want;
} cases[] = {
    {"two threads and a second dump",
     TOP "#0  0x00007fe4 poll\n#1  0x00007fe5 main\nTID 9:\n#0  0x01 waiter(int)\n"
         "#1  0x02\nPID 7 - process\nTID 8:\n#0  0x00007fe4 poll\n#1  0x00007fe5 main\n",
     "0x2;waiter 1\nmain;poll 2\n"},
    {"module, source, build id, activation",
     TOP "#0  0x04     poll - /usr/lib/libc.so.6\n    ../sysdeps/poll.c:29:5\n"
         "#1  0x05 - 1 f<(1 - 1)>(int) - [vdso: 7]\n    [0123ab]@0x400000+0x5\n"
         "#2  0x06 - 1 - /opt/app\n#10 0x07 - 1\n",
     "0x7;[app];f<(1 - 1)>;poll 1\n"},
    {"a thread that could not be walked",
     TOP "eu-stack: dwfl_thread_getframes tid 8 at 0x1 in x: No matching address range\nTID 9:\n"
         "#0  0x1 f\n",
     " 1\nf 1\n"},
};

Test(input_eu_stack, frames)
{
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        golden_text(cases[i].name, "eu-stack", cases[i].text, NULL, cases[i].want, NULL);
}

Test(input_eu_stack, frames_at_one_address_are_inlined_unless_they_are_one_function)
{
    struct input_options options = input_options_default();

    options.inlined = true;
    golden_text("inlined", "eu-stack",
                TOP "#0  0x1 a - /x\n    a.c:1:1\n#1  0x1 b\n#2  0x2 r\n#3  0x2 r\n#4  0x3 main\n",
                &options, "main;r;r;b;a_[i] 1\n", "");
}

Test(input_eu_stack, sources_are_kept_and_bad_frames_told)
{
    struct input_options options = input_options_default();

    options.srcline = true;
    golden_text("source", "eu-stack",
                TOP "#0  0x1 a - /x\n    dir/a.c:12:1\n#1  0x1x b\n#2  0x2 main\n    lone\n",
                &options, "main:lone;a:dir/a.c:12 1\n",
                "in:5: warning: expected '#N  0xADDRESS NAME': '#1  0x1x b'; line skipped\n");
}

Test(input_eu_stack, claims)
{
    static const struct {
        const char *text;
        bool claimed;
    } rows[] = {
        {TOP "#0  0x1 main\n", true},
        {"TID 8:\n#0  0x1\n", true},
        {"TID 8:\nPID 9 - process\n", false},
        {"#0  0x1 main\n", false},
        {"Thread 2 (LWP 8):\n#0  0x1 in main ()\n", false},
        {"TID 8: #0  0x1 main\n", false},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        cr_expect_eq(claim_by(&format_eu_stack, slice_str(rows[i].text), true), rows[i].claimed,
                     "row %zu", i);
}

Test(input_eu_stack, reference_names, .init = corpus_need)
{
    golden_reference("eu-stack/eustack-25x.txt",
                     "eu-stack/expected/computed/eustack-25x.txt.ref-perl.folded");
    golden_reference("eu-stack/eustack-inlines-source-4x.txt",
                     "eu-stack/expected/computed/eustack-inlines-source-4x.txt.ref-perl.folded");
}
