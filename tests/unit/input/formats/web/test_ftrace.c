
#include "support/formats.h"
#include "unit/support/claim.h"
#include "unit/support/folding.h"
#include "unit/support/test.h"

#define TRACER "# tracer: nop\n#\n"
#define MARK(time, text) " my-app-1-12 (  10) [001] ...1 " time ": tracing_mark_write: " text "\n"

static const struct folding cases[] = {
    {"marks of a thread",
     TRACER MARK("5.000010", "B|10|draw frame") MARK("5.000013", "B|10|a|b")
         MARK("5.000020", "E|10") MARK("5.000021", "E") MARK("5.000030", "C|10|count|5")
             MARK("5.000031", "S|10|x|1"),
     "draw frame 4\ndraw frame;a|b 7\n", NULL},
    {"threads on several processors, and other events",
     TRACER " <...>-7 [000] 5.000001: tracing_mark_write: B|7|f\n"
            "  <idle>-0     [001] d..2 5.000002: sched_switch: prev_comm=x [120] ==> next_comm=y\n"
            "    b-8 (-----) [001] ...1 5.000003: print: tracing_mark_write: B|8|g\n"
            " <...>-7 [002] 5.000004: 0: E\n    b-8 (-----) [000] ...1 5.000008: print: E|8\n",
     "b;g 5\ntid 7;f 3\n", NULL},
    {"stack traces belong to the event before",
     TRACER " app-12 [000] d... 10.000001: sched_switch: prev_comm=app\n"
            " app-12 [000] d... 10.000002: <stack trace>\n => __schedule\n => schedule+0x12\n"
            " app-12 [000] d... 10.000003: sched_switch: prev_comm=app\n"
            " app-12 [000] d... 10.000004: kernel_stack:  <stack trace>\n"
            "=> __schedule (ffffffff81000000)\n=> schedule (ffffffff81000012)\n",
     "app;schedule;__schedule 2\n", NULL},
    {"a page's text of JavaScript",
     "# tracer: nop\\n\\\n#\\n\\\n a-1 [000] 1.000001: tracing_mark_write: B|1|f\\n\\\n"
     " a-1 [000] 1.000003: tracing_mark_write: E\\n\\\n",
     "f 2\n", NULL},
    {"an end without a begin",
     TRACER MARK("5.000001", "E") MARK("5.000002", "B|1|f") MARK("5.000004", "E"), "f 2\n",
     "skipped 1 end event that does not"},
    {"a begin without an end",
     TRACER MARK("5.000002", "B|1|f") MARK("5.000004", "B|1|g") MARK("5.000005", "E"),
     "f 2\nf;g 1\n", "1 slice is never ended"},
    {"lines without a task or a time, before and after a line that has them",
     TRACER "[001] ...1 5.000000: tracing_mark_write: B|1|x\n" MARK(
         "5.000001",
         "B|1|f") "[001] ...1 5.000002: tracing_mark_write: E\n"
                  " [001] ...1 5.000002: tracing_mark_write: E\n"
                  " other-9 [001] ...1 5.x: tracing_mark_write: B|9|g\n" MARK("5.000004", "E"),
     "f 3\n", NULL},
    {"flags and times in other forms",
     TRACER " a-1 [000] d..2  5.000001: print: B|1|f\n a-1 [000] d..2 x 5.000002: print: E\n"
            " a-1 [000] \t5.000002: print: B|1|g\n a-1 [000] d..25.000003: print: E\n"
            " a-1 [000]  5.000004: print: E\n a-1 [000] d..2 5.000006789: print: E\n",
     "f 3.789\nf;g 2\n", NULL},
    {"threads in turn, one of which gets its name later",
     TRACER " <...>-7 [000] 5.000001: print: B|7|f\n b-8 [000] 5.000002: print: B|8|g\n"
            " c-7 [000] 5.000003: print: E\n b-8 [000] 5.000005: print: E\n",
     "b;g 3\nc;f 2\n", NULL},
};

Test(input_ftrace, texts)
{
    folding_check("ftrace", cases, sizeof(cases) / sizeof(cases[0]), NULL);
}

Test(input_ftrace, claims)
{
    cr_expect(claim_by(&format_ftrace, SLICE("cpus=2\n a-1 [000] 1.1: print: f: B|1|f\n"), true));
    cr_expect(claim_by(&format_ftrace, SLICE("# tracer: nop\n a-1 [000] 1.1: x: y\n"), true));
    cr_expect_not(claim_by(&format_ftrace, SLICE(" a-1 [000] 1.1: x: y\n"), true));
    cr_expect_not(claim_by(&format_ftrace, SLICE(" a 1 [000] 1.1: print: B|1|f\n"), true));
    cr_expect_not(claim_by(&format_ftrace, SLICE("# tracer: nop\n"), true));
}
