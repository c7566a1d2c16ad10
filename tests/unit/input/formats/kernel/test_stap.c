
#include "unit/support/claim.h"
#include "unit/support/corpus.h"
#include "unit/support/folding.h"
#include "unit/support/test.h"

#define LEAF " 0xffffffff81c0a1d7 : futex_wait+0x67/0xb0 [kernel]\n"
#define ROOT " 0x7f2b1c7098ec : __clone3+0x2c/0x30 [/usr/lib64/libc.so.6]\n"

static const struct folding cases[] = {
    {"leaf first", LEAF ROOT "\t31\n", "__clone3;futex_wait 31\n", NULL},
    {"counts add up", LEAF ROOT "\t31\n\n" LEAF ROOT " 9\n", "__clone3;futex_wait 40\n", NULL},
    {"inexact", " 0x1 : f+0x1/0x2 [xfs] (inexact)\n" LEAF " 1\n", "futex_wait;f 1\n", NULL},
    {"no symbol", " 0x7f2b1c6891aa [/usr/lib64/libc.so.6+0x891aa/0x1d8000]\n" ROOT " 3\n",
     "__clone3;[libc.so.6] 3\n", NULL},
    {"nothing known", LEAF " 0x7f\n 0x0\n 3\n", "[unknown];0x7f;futex_wait 3\n", NULL},
    {"arguments and blanks", " 0x1 : inner::loop(int, double)+0x23/0x80 [/opt/my app]\n 1\n",
     "inner::loop 1\n", NULL},
    {"a key", "mysqld 12\n" LEAF ROOT " 1\nsh\n" LEAF " 2\n",
     "mysqld 12;__clone3;futex_wait 1\nsh;futex_wait 2\n", NULL},
    {"a key apart is none", "mysqld\n\n" LEAF " 1\n", "futex_wait 1\n", NULL},
    {"what stap says", "WARNING: a\n" LEAF "WARNING: b\n 1\nERROR: c\n" ROOT " 2\n",
     "__clone3 2\nfutex_wait 1\n", NULL},
    {"an empty stack", LEAF " 1\n 5\n", " 5\nfutex_wait 1\n", NULL},
    {"a strange line", LEAF "what is this\n" ROOT " 1\n", "__clone3;futex_wait 1\n",
     "in:2: warning: not a frame"},
    {"the end of a cut file", LEAF " 1\n" LEAF ROOT, "futex_wait 1\n",
     "in:3: warning: stack without a count"},
    {"too large a count", LEAF " 99999999999999999999\n" LEAF " 1\n", "futex_wait 1\n",
     "in:2: warning: stack with a count"},
    {"weights beyond 64 bits", LEAF " 18446744073709551615\n" ROOT " 1\n", NULL,
     "does not fit in 64 bits"},
};

Test(input_stap, output_becomes_stacks)
{
    folding_check("systemtap", cases, sizeof(cases) / sizeof(cases[0]), NULL);
}

Test(input_stap, kernel_frames)
{
    static const struct folding kernel[] = {
        {"kernel", " 0x1 : f+0x1/0x2 [xfs]\n" LEAF ROOT " 1\n", "__clone3;futex_wait_[k];f_[k] 1\n",
         NULL},
    };
    struct input_options o = input_options_default();

    o.kernel = true;
    folding_check("systemtap", kernel, 1, &o);
}

Test(input_stap, claims)
{
    static const char *const no[] = {
        " 0x1 [not a frame]\n 12\n",
        " 0x1\n 0x2\n 12\n",
        " 0x1 : a table of words\n 12\n",
        LEAF "and no number\n",
    };

    cr_expect_str_eq(claim_find(SLICE("words\n" LEAF " 1\n"), true)->name, "systemtap");
    for (size_t i = 0; i < sizeof(no) / sizeof(no[0]); i++) {
        const struct format *f = claim_find(slice_str(no[i]), true);

        cr_expect(!f || strcmp(f->name, "systemtap") != 0, "%s", no[i]);
    }
}

Test(input_stap, reference_names)
{
    static const char *const files[][2] = {
        {"shape-samples/stap-kernel-aggregate.txt",
         "shape-samples/expected/stap-kernel-aggregate.txt.reference.folded"},
        {"shape-samples/stap-user-ubacktrace.txt",
         "shape-samples/expected/stap-user-ubacktrace.txt.reference.folded"},
    };
    struct input_options o = input_options_default();

    corpus_need();
    o.names = NAMES_REFERENCE;
    for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
        folding_check_file(files[i][0], files[i][1], &o);
}
