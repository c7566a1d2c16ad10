
#include "support/formats.h"
#include "unit/support/claim.h"
#include "unit/support/folding.h"
#include "unit/support/test.h"

#define NODE                                                                                       \
    "::: {n1}{id}{10.0.0.14}\n   Hot threads at 2026-11-23T10:00:00.231Z, interval=500ms:\n\n"
#define CPU(name) "   99.4% (496.9ms out of 500ms) cpu usage by thread '" name "'\n"
#define TWO                                                                                        \
    "     2/10 snapshots sharing following 2 elements\n"                                           \
    "       app//org.A.f(A.java:1)\n       java.base@17/java.lang.Thread.run(Thread.java:8)\n"

static const struct folding cases[] = {
    {"snapshots are weights",
     NODE CPU("elasticsearch[n1][write][T#6]") TWO
     "     unique snapshot\n       org.A.g(A.java:2)\n",
     "write;java.lang.Thread.run;org.A.f 2\nwrite;org.A.g 1\n", NULL},
    {"each kind of usage is a series",
     NODE CPU("main") TWO "\n   10.0% (50ms out of 500ms) block usage by thread 'main'\n" TWO,
     "[cpu]\nmain;java.lang.Thread.run;org.A.f 2\n[block]\nmain;java.lang.Thread.run;org.A.f 2\n",
     NULL},
    {"usage with its parts, of a node in brackets",
     "::: [n1][id]\n   100.0% [cpu=99.2%, other=0.8%] (500ms out of 500ms) cpu usage by thread "
     "'it's [x]'\n" TWO,
     "it's [x];java.lang.Thread.run;org.A.f 2\n", NULL},
    {"a thread without elements",
     NODE CPU("idle") "     10/10 snapshots sharing following 0 elements\n" CPU("busy") TWO,
     "busy;java.lang.Thread.run;org.A.f 2\nidle 10\n", NULL},
    {"lines that cannot be read", NODE "what\n" CPU("main") TWO "       org.A.g\n",
     "main;java.lang.Thread.run;org.A.f 2\n", "in:4: warning: not a line of hot threads: 'what'"},
};

Test(input_hot_threads, texts)
{
    folding_check("hot-threads", cases, sizeof(cases) / sizeof(cases[0]), NULL);
}

Test(input_hot_threads, threads_by_number)
{
    static const struct folding by_number[] = {
        {"--tid", NODE CPU("e[n1][write][T#6]") TWO,
         "e[n1][write][T#6];java.lang.Thread.run;org.A.f 2\n", NULL},
    };
    struct input_options options = input_options_default();

    options.tid = true;
    folding_check("hot-threads", by_number, 1, &options);
}

Test(input_hot_threads, claims)
{
    cr_expect(claim_by(&format_hot_threads, SLICE(NODE), true));
    cr_expect(claim_by(&format_hot_threads, SLICE("::: [n]\n" CPU("main")), true));
    cr_expect_not(claim_by(&format_hot_threads, SLICE(CPU("main")), true));
    cr_expect_not(claim_by(&format_hot_threads, SLICE("::: {n}\n"), true));
}
