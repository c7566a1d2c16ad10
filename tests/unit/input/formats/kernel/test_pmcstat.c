
#include "unit/support/claim.h"
#include "unit/support/corpus.h"
#include "unit/support/folding.h"
#include "unit/support/test.h"

#define A "@ A [10 samples]\n\n"

static const struct folding cases[] = {
    {"callers are below", A "100.0%  [10]       leaf @ /bin/app\n 100.0%  [10]        main\n",
     "main;leaf 10\n", NULL},
    {"chains that end early",
     A "100.0%  [10]  leaf @ /bin/app\n 50.00%  [5]   a\n  40.00%  [2]   main\n",
     "a;leaf 3\nleaf 5\nmain;a;leaf 2\n", NULL},
    {"a headline behind a tree, CR LF",
     "@ A [3 samples]\r\n\r\n100.0%  [3]  f @ /a\r\n@ A [4 samples]\r\n\r\n100.0%  [4]  f @ /a\r\n",
     "f 7\n", NULL},
    {"two counters",
     A "100.0%  [10]  f @ /a\n\n@ B C [4 samples]\n\n100.0%  [4]  f @ /a\n 100.0%  [4]   g\n",
     "[A]\nf 10\n[B C]\ng;f 4\n", NULL},
    {"no symbol", A "100.0%  [10]  0xf4ae3 @ /lib/libc.so.7\n 100.0%  [10]   0x1 @ /bin/app\n",
     "[app];[libc.so.7] 10\n", NULL},
    {"a counter of bytes", "@ \xe8\x03 [1 samples]\n\n100.0%  [1]  f @ /a\n", "f 1\n", NULL},
    {"comments", "# x\n// y\n" A "100.0%  [10]  f @ /a\n", "f 10\n", NULL},
    {"fewer than told", A "80.00%  [8]  f @ /a\n", "f 8\n",
     "in:1: warning: the heading states 10 samples"},
    {"a bad count", A "100.0%  [10]  f @ /a\n 100.0%  []   g\n  100.0%  [10]   h\n", "h;f 10\n",
     "in:4: warning: the count"},
    {"too large a count", A "100.0%  [10]  f @ /a\n 100.0%  [99999999999999999999]   g\n", "f 10\n",
     "in:4: warning: the count"},
    {"no name", A "100.0%  [10]  f @ /a\n 100.0%  [10]\n", "f 10\n", "in:4: warning: no function"},
    {"callers that outweigh", A "100.0%  [10]  f @ /a\n 100.0%  [12]   g\n", "g;f 12\n",
     "in:3: warning: the entries below this line weigh"},
    {"the same below others", A "100.0%  [10]  f @ /a\n 50.00%  [5]   g\n  100.0%  [7]   h\n",
     "f 3\nh;g;f 7\n", "in:4: warning: the entries below this line weigh"},
    {"other text", A "100.0%  [10]  f @ /a\nwhat is this\n", "f 10\n", "in:4: warning: neither"},
    {"levels left out", A "100.0%  [10]  f @ /a\n    100.0%  [10]   g\n  100.0%  [10]   h\n",
     "g;f 10\nh;f 10\n", "in:3: warning: the entries below this line weigh"},
    {"weights beyond 64 bits",
     "@ A [1 samples]\n\n100.0%  [18446744073709551615]  f\n100.0%  [18446744073709551615]  g\n",
     NULL, "does not fit in 64 bits"},
    {"no tree", A, NULL, "no stacks"},
};

Test(input_pmcstat, trees_become_stacks)
{
    folding_check("pmcstat", cases, sizeof(cases) / sizeof(cases[0]), NULL);
}

Test(input_pmcstat, kernel_frames)
{
    static const struct folding kernel[] = {
        {"kernel", A "100.0%  [10]  f @ /boot/kernel/kernel\n 100.0%  [10]   g @ /boot/x/y.ko\n",
         "g_[k];f_[k] 10\n", NULL},
    };
    struct input_options o = input_options_default();

    o.kernel = true;
    folding_check("pmcstat", kernel, 1, &o);
}

Test(input_pmcstat, claims)
{
    cr_expect_str_eq(claim_find(SLICE(A "10.00%  [1]  f\n"), true)->name, "pmcstat");
    cr_expect_str_eq(claim_find(SLICE("# x\n" A), true)->name, "pmcstat");
    cr_expect_null(claim_find(SLICE(A "and then he said\n"), true));
    cr_expect_null(claim_find(SLICE("@ home [some samples]\n10% [1] f\n"), true));
    cr_expect_null(claim_find(SLICE("50%  [1]  a list\n 20%  [2]  of things\n"), true));
}

Test(input_pmcstat, reference_names)
{
    static const char *const files[][2] = {
        {"inferno-pr-simple.txt", "inferno-pr-simple.simple-collapsed.txt"},
        {"shared.txt", "shared-collapsed.txt"},
        {"shared2.txt", "shared2-collapsed.txt"},
    };
    struct input_options o = input_options_default();

    corpus_need();
    o.names = NAMES_REFERENCE;
    for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
        struct buf path = {0}, expected = {0};

        buf_printf(&path, "pmcstat/%s", files[i][0]);
        buf_printf(&expected, "pmcstat/expected/%s", files[i][1]);
        folding_check_file(buf_string(&path), buf_string(&expected), &o);
        buf_release(&path);
        buf_release(&expected);
    }
    /* The reference adds up all counters and drops the samples of chains that end early. */
    folding_check_stacks("pmcstat/dd.txt", "pmcstat/expected/dd-collapsed.txt", &o);
    folding_check_stacks("shape-samples/pmcstat-two-counters-cpi.txt",
                         "shape-samples/expected/pmcstat-two-counters-cpi.txt.reference.folded",
                         &o);
}
