
#include "support/formats.h"
#include "unit/support/claim.h"
#include "unit/support/folding.h"
#include "unit/support/golden.h"
#include "unit/support/test.h"

#define TRACER "# tracer: function_graph\n#\n"
#define UFTRACE "# DURATION     TID     FUNCTION\n"
#define LINE "------------------------------------------\n"

static const struct folding cases[] = {
    {"a call keeps what the calls in it leave",
     TRACER " 0)               |  sys_open() {\n"
            " 0)               |    ext4_open [ext4]() {\n"
            " 0)   1.382 us    |      lock();\n"
            " 0)   2.478 us    |    }\n"
            " 0) + 12.478 us   |  } /* sys_open */\n",
     "sys_open 10000\nsys_open;ext4_open 1096\nsys_open;ext4_open;lock 1382\n", NULL},
    {"switches of tasks divide the calls of a CPU",
     TRACER " 0)               |  a() {\n" LINE " 0)   sh-12   =>   Web Co-99  \n" LINE
            "\n 0)               |  b() {\n 0)   1.000 us    |    c();\n"
            " 0) ! 120.000 us  |  }\n" LINE " 0)   Web Co-99   =>   sh-12\n" LINE
            " 0)   0.500 us    |    d();\n 0) + 20.000 us   |  }\n",
     "a 19500\na;d 500\nb 119000\nb;c 1000\n", NULL},
    {"CPUs have calls of their own",
     TRACER " 0)               |  a() {\n 1)               |  b() {\n"
            " 1)   1.000 us    |    c();\n 0)   1.000 us    |    d();\n"
            " 0)   3.000 us    |  }\n 1)   4.000 us    |  }\n",
     "a 2000\na;d 1000\nb 3000\nb;c 1000\n", NULL},
    {"times, tasks and states of the kernel as columns",
     TRACER " 360.774522 |   1)  sh-4802    | d..1. |   0.745 us    |  f();\n"
            " 360.774530 |   1)  sh-4802    | d..1. |               |  g() {\n"
            " 360.774531 |   1)  sh-4802    | d..1. |   0.500 us    |    h();\n"
            " 360.774535 |   1)  sh-4802    | d..1. |   5.000 us    |  }\n",
     "sh;f 745\nsh;g 4500\nsh;g;h 500\n", NULL},
    {"interrupts nest, their marks and comments are no calls",
     TRACER " 0)               |  a() {\n 0)   ==========> |\n 0)   0.250 us    |    irq();\n"
            " 0)   <========== |\n 0)               |    /* a comment */\n"
            " 0)   1.000 us    |  }\n",
     "a 750\na;irq 250\n", NULL},
    {"arguments, results and names with parentheses and bars",
     TRACER " 0)   1.000 us    |  f(fd=3, s=\"a|b;{\"); /* = 0x0 */\n"
            " 0)   1.000 us    |  operator()();\n 0)   1.000 us    |  operator|();\n"
            " 0)   1.000 us    |  (anonymous namespace)::g();\n"
            " 0)   1.000 us    |  fib(2) = 1;\n",
     "(anonymous namespace)::g 1000\nf 1000\nfib 1000\noperator() 1000\noperator| 1000\n", NULL},
    {"trace-cmd report: tasks come first; each CPU has an idle task",
     "cpus=2\n"
     "  sh-1     [000]      5.000001: funcgraph_entry:                   |  a() {\n"
     "  <idle>-0 [001] d..1 5.000001: funcgraph_entry:                   |  idle() {\n"
     "  <idle>-0 [000]      5.000002: funcgraph_entry:        1.000 us   |  b();\n"
     "  sh-1     [000]      5.000003: funcgraph_exit:         2.000 us   |  }\n"
     "  <idle>-0 [001] d..1 5.000004: funcgraph_exit:         3.000 us   |  }\n",
     "<idle>;b 1000\n<idle>;idle 3000\nsh;a 2000\n", NULL},
    {"uftrace: threads, units, results, events with a duration",
     UFTRACE "            [    12] | main(1) {\n   1.500 ms [    12] |   fib(8) = 21;\n"
             "            [    13] | start() {\n   2.000  s [    13] |   /* linux:schedule */\n"
             "            [    12] |   /* read:proc/statm (size=1) */\n"
             "   2.000 ms [    12] | } = 0; /* main */\n   3.000  s [    13] | } /* start */\n",
     "main 500000\nmain;fib 1500000\nstart 1000000000\nstart;linux:schedule 2000000000\n", NULL},
    {"calls that outweigh the one around them count in full",
     UFTRACE
     "            [ 12] | main() {\n 999.600 us [ 12] |   a();\n 999.600 us [ 12] |   b();\n"
     "   1.999 ms [ 12] | } /* main */\n   1.000 us [ 12] | c();\n",
     "c 1000\nmain;a 999600\nmain;b 999600\n", NULL},
    {"lines that come again belong to the task that runs then",
     TRACER " 0)               |  a() {\n 0)   1.000 us    |    c();\n" LINE
            " 0)   a-1   =>   b-2\n" LINE " 0)               |  b() {\n"
            " 0)   1.000 us    |    c();\n 0)   1.000 us    |    c();\n"
            " 0)   5.000 us    |  }\n" LINE " 0)   b-2   =>   a-1\n" LINE
            " 0)   1.000 us    |    c();\n 0)   5.000 us    |  }\n",
     "a 3000\na;c 2000\nb 3000\nb;c 2000\n", NULL},
    {"durations beyond 64 bits",
     UFTRACE "            [ 12] | main() {\n 99999999999  s [ 12] |   a();\n"
             " 99999999999999999999 us [ 12] |   b();\n   2.000 us [ 12] |   c();\n"
             "   3.000 us [ 12] | } /* main */\n",
     "main 1000\nmain;c 2000\n", "in:3: warning: the duration does not fit in 64 bits"},
};

Test(input_function_graph, texts)
{
    folding_check("function-graph", cases, sizeof(cases) / sizeof(cases[0]), NULL);
}

Test(input_function_graph, begins_and_ends_that_are_missing)
{
    golden_text("told", "function-graph",
                TRACER " 0)   9.000 us    |    } /* before */\n 0)               |  a() {\n"
                       " 0)               |    lost() {\n 0)   1.000 us    |      b();\n"
                       " 0)   1.000 us    |    c();\n 0)   3.000 us    |  }\n",
                NULL, "a 1000\na;c 1000\na;lost;b 1000\n",
                "in: warning: 1 call has no end in the file; only what it called is counted, "
                "because lines have no times\n"
                "in: warning: skipped 1 end of a call that has no begin in the file\n");
    golden_text("timed", "function-graph",
                TRACER " 5.000001 |   1)               |  a() {\n"
                       " 5.000002 |   1)   1.000 us    |    b();\n"
                       " 5.000011 |   1)   1.000 us    |    b();\n",
                NULL, "a 8000\na;b 2000\n",
                "in: warning: 1 call has no end in the file; it is taken to last until its "
                "last line\n");
}

Test(input_function_graph, columns_that_cannot_be_told_apart)
{
    struct buf told = {0};
    struct reading r;

    reading_text(&r,
                 SLICE("#    ELAPSED    DURATION     TID     FUNCTION\n"
                       "   2.000 us    1.332 us [ 18834] | f();\n"),
                 NULL);
    reading_messages(&r, &told);
    cr_expect_eq(r.result, INPUT_FAILED);
    cr_expect_str_eq(buf_string(&told),
                     "in:1: error: the columns ELAPSED and DELTA cannot be told from DURATION; "
                     "write the file with 'uftrace replay -f duration,tid'\n");
    buf_release(&told);
    reading_release(&r);
}

Test(input_function_graph, claims)
{
    const struct format *f = &format_function_graph;

    cr_expect(claim_by(f, SLICE(TRACER " 0)   1.382 us    |  f();\n"), true));
    cr_expect(claim_by(f, SLICE(UFTRACE "   1.332 us [ 12] | f();\n"), true));
    cr_expect(claim_by(f, SLICE("   1.332 us [ 12] | f();\n   1.332 us [ 12] | f();\n"), true));
    cr_expect_not(claim_by(f, SLICE("   1.332 us [ 12] | f();\n"), true));
    cr_expect(claim_by(f,
                       SLICE("cpus=2\n" LINE " 0)  sh-1  =>  ls-2\n" LINE " 0)   1 us  |  f();\n"
                             " 0)   1 us  |  f();\n"),
                       true));
    cr_expect_not(claim_by(f, SLICE("As follows:\n" TRACER " 0)   1.382 us    |  f();\n"), true));
    cr_expect_not(claim_by(f, SLICE(TRACER), true));
    cr_expect_not(claim_by(f, SLICE("a | b();\nc | d();\n"), true));
    cr_expect_not(claim_by(f, SLICE("f|g();h 1\nf|g();h 1\n"), true));
}
