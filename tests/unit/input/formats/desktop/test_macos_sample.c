
#include "unit/support/claim.h"
#include "unit/support/corpus.h"
#include "unit/support/folding.h"
#include "unit/support/test.h"

#define START                                                                                      \
    "Analysis of sampling rg (pid 7) every 1 millisecond\nProcess:         rg [7]\n\nCall "        \
    "graph:\n"
#define END "\nTotal number in stack (recursive counted multiple, when >=5):\n    9 f  (in rg)\n"

static const struct folding cases[] = {
    {"own samples",
     START "    9 Thread_1\n    + 9 main  (in rg) + 41  [0x1]\n"
           "    +   2 read  (in lib.dylib) + 10  [0x2]\n" END,
     "Thread_1;main 7\nThread_1;main;read 2\n", NULL},
    {"threads by name",
     START "    1 Thread_1   DispatchQueue_1: com.apple.main-thread  (serial)\n"
           "    + 1 main  (in rg) + 41  [0x1]\n    2 Thread_2: io worker\n"
           "      2 f  (in rg) + 1  [0x1]\n" END,
     "com.apple.main-thread;main 1\nio worker;f 2\n", NULL},
    {"names with brackets",
     START "    3 Thread_1\n      3 -[NSView draw:]  (in AppKit) + 1  [0x1]\n"
           "        2 (anonymous namespace)::f(int)  (in a (b)) + 1  [0x1]  a b.c:12\n"
           "        1 g::h61(x)  (in rg) + 10,20  [0x1,0x2]\n" END,
     "Thread_1;-[NSView draw:];(anonymous namespace)::f 2\n"
     "Thread_1;-[NSView draw:];g::h61 1\n",
     NULL},
    {"no symbol",
     START "    4 Thread_1\n    ! 3 ???  (in rg)  load address 0x10 + 0x5  [0x15]\n"
           "    ! : 1 0x1f  [0x1f]\n    ! : 1 ???  (in <unknown binary>)  [0x2f]\n" END,
     "Thread_1 1\nThread_1;[rg] 1\nThread_1;[rg];0x1f 1\nThread_1;[rg];[unknown] 1\n", NULL},
    {"a tree that is cut", START "    9 Thread_1\n    + 9 main  (in rg) + 41  [0x1]\n", NULL,
     "ends in the middle of its call graph"},
    {"no tree", "Analysis of sampling rg (pid 7) every 1 millisecond\n", NULL,
     "ends before its call graph"},
    {"an empty tree", START END, NULL, "no stacks"},
    {"a level left out", START "    9 Thread_1\n    +   9 main  (in rg)\n" END, NULL,
     "in:6: error: the line is more than one level"},
    {"half a level", START "    9 Thread_1\n    +  9 main  (in rg)\n" END, NULL,
     "in:6: error: an odd"},
    {"no number", START "    9 Thread_1\n    + main  (in rg)\n" END, NULL,
     "in:6: error: expected a number"},
    {"too large a number", START "    99999999999999999999 Thread_1\n" END, NULL,
     "in:5: error: expected a number"},
    {"no function", START "    9\n" END, NULL, "in:5: error: expected a function"},
    {"no margin", START "    9 Thread_1\n+ 9 main  (in rg)\n" END, NULL,
     "in:6: error: expected four blanks"},
    {"children that outweigh", START "    1 Thread_1\n      2 f  (in rg)\n" END, "Thread_1;f 2\n",
     "in:5: warning: the entries below this line weigh"},
};

Test(input_macos_sample, reports_become_stacks)
{
    folding_check("macos-sample", cases, sizeof(cases) / sizeof(cases[0]), NULL);
}

Test(input_macos_sample, source_lines)
{
    static const struct folding lines[] = {
        {"srcline", START "    1 Thread_1\n      1 f  (in rg) + 1  [0x1]  a b.c:12\n" END,
         "Thread_1;f:a b.c:12 1\n", NULL},
    };
    struct input_options o = input_options_default();

    o.srcline = true;
    folding_check("macos-sample", lines, 1, &o);
}

Test(input_macos_sample, selection)
{
    static const struct folding one[] = {
        {"by number", START "    1 Thread_1\n      1 f  (in rg)\n    2 Thread_2: x\n" END, "x 2\n",
         NULL},
    };
    static const char *const threads[] = {"2"};
    struct input_options o = input_options_default();

    o.threads = threads;
    o.thread_count = 1;
    folding_check("macos-sample", one, 1, &o);
}

Test(input_macos_sample, claims)
{
    cr_expect_str_eq(claim_find(SLICE("Call graph:\n    1 Thread_1\n"), true)->name,
                     "macos-sample");
    cr_expect_null(claim_find(SLICE("Call graph:\n\n1 f\n"), true));
    cr_expect_null(claim_find(SLICE("An Analysis of sampling methods\n"), true));
}

Test(input_macos_sample, reference_names)
{
    struct input_options o = input_options_default();

    corpus_need();
    o.names = NAMES_REFERENCE;
    /* The reference drops waiting leaves and, of equal stacks, all but the last. */
    folding_check_stacks("macos-sample/sample.txt", "macos-sample/expected/sample-default.txt", &o);
}
