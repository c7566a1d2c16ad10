
#include "unit/support/claim.h"
#include "unit/support/corpus.h"
#include "unit/support/golden.h"
#include "unit/support/test.h"

#define THREAD "Thread 0x00007f50869e5b80 (most recent call first):\n"
#define PARSE "  File \"/opt/fh.py\", line 5 in parse\n"
#define MODULE "  File \"/opt/fh.py\", line 9 in <module>\n"

static const struct {
    const char *name, *text, *want;
} cases[] = {
    {"repeated without blank lines",
     "Timeout (0:00:00.1)!\n" THREAD PARSE MODULE "Timeout (0:00:00.1)!\n" THREAD MODULE,
     "<module> (fh.py) 1\n<module> (fh.py);parse 1\n"},
    {"all headers",
     "Fatal Python error: Segmentation fault\n\nCurrent thread 0x1 [main] (most recent call "
     "first):\n" PARSE "\nThread 0x2 [w] (most recent call first):\n" PARSE
     "\nStack (most recent call first):\n" PARSE "\nExtension modules: _x (total: 1)\n",
     "parse 3\n"},
    {"headers one after the other", THREAD PARSE THREAD PARSE, "parse 2\n"},
    {"no frame, a deep one, and an unknown line",
     THREAD "  <no Python frame>\n\n" THREAD PARSE "  ...\n\n" THREAD
            "  File \"a b.py\", line ??\? in f in g\n",
     " 1\nf in g 1\nparse 1\n"},
    {"stacks of C",
     THREAD PARSE "\nCurrent thread's C stack trace (most recent call first):\n"
                  "  Binary file \"/usr/bin/python3\", at _PyEval_Vector+0x1f [0x55e1]\n"
                  "  Binary file \"/usr/bin/python3\" [0x49ff56]\n"
                  "  Binary file \"/lib/libc.so.6\", at +0x3c510 [0x7f01]\n"
                  "  <truncated rest of calls>\n",
     "parse 1\n[C stacks]\n[libc.so.6];[python3];_PyEval_Vector 1\n"},
};

Test(input_faulthandler, stacks)
{
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        golden_text(cases[i].name, "faulthandler", cases[i].text, NULL, cases[i].want, "");
}

Test(input_faulthandler, threads_are_selected_and_bad_lines_told)
{
    static const char *const wanted[] = {"w"};
    struct input_options options = input_options_default();

    options.threads = wanted;
    options.thread_count = 1;
    options.srcline = true;
    golden_text("one", "faulthandler",
                THREAD PARSE "\nThread 0x2 [w] (most recent call first):\n" PARSE "  oops\n",
                &options, "parse:/opt/fh.py:5 1\n",
                "in:6: warning: expected 'File \"...\", line N in NAME'; line skipped\n");
}

Test(input_faulthandler, claims)
{
    static const struct {
        const char *text;
        bool claimed;
    } rows[] = {
        {THREAD PARSE, true},
        {"some log\n" THREAD "  <no Python frame>\n", true},
        {THREAD "\n" PARSE, false},
        {"Traceback (most recent call last):\n  File \"x.py\", line 1, in f\n", false},
        {"  " THREAD PARSE, false},
        {PARSE, false},
        {"\n\n", false},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        cr_expect_eq(claim_by(&format_faulthandler, slice_str(rows[i].text), true), rows[i].claimed,
                     "row %zu", i);
}

Test(input_faulthandler, reference_names, .init = corpus_need)
{
    golden_reference("faulthandler/faulthandler-py311-20x.txt",
                     "faulthandler/expected/computed/"
                     "faulthandler-py311-20x.txt.ref-perl.folded");
    golden_reference("faulthandler/faulthandler-py311-later.txt",
                     "faulthandler/expected/computed/"
                     "faulthandler-py311-later.txt.ref-perl.folded");
}
