/*
 * Java's text formats other than HotSpot's thread dumps: javacore, hprof, LJP,
 * exceptions.
 */

#include "support/formats.h"
#include "unit/support/cases.h"
#include "unit/support/claim.h"
#include "unit/support/corpus.h"
#include "unit/support/test.h"

/* ---- javacore ------------------------------------------------------------------------------ */

#define TITLE "NULL\n0SECTION       TITLE subcomponent dump routine\n"
#define DETAILS "1XMTHDINFO     Thread Details\nNULL\n"
#define THREAD(name, state)                                                                        \
    "3XMTHREADINFO      \"" name "\" J9VMThread:0x1, java/lang/Thread:0x2, state:" state           \
    ", prio=5\n3XMTHREADINFO1            (native thread ID:0x8D, native priority:0x5)\n"
#define JAVA(method) "4XESTACKTRACE                at " method "(F.java:1(Compiled Code))\n"
#define NATIVE "3XMTHREADINFO3           Native callstack:\n"
#define FRAME(text) "4XENATIVESTACK               " text "\n"
#define END "NULL           ------ END OF DUMP ------\n"

static const struct reading_case javacore_cases[] = {
    {"a series for each state; the native stack if there is no other",
     TITLE DETAILS THREAD("pool-1", "CW") JAVA("a/B.f") "5XESTACKTRACE    (entered lock: x)\n" JAVA(
         "a/B.g") "NULL\n" THREAD("pool-2", "R") JAVA("a/B.f")
         NATIVE FRAME("poll+0x2b (0x00007F32 [libc.so.6+0x1a])") "NULL\n"
                                                                 "3XMTHREADINFO      Anonymous "
                                                                 "native thread\n" NATIVE FRAME(
                                                                     "poll+0x2b (0x00007F32 "
                                                                     "[libc.so.6+0x1a])")
                                                                     FRAME("(0x00007F33 "
                                                                           "[libpthread.so.0+0x15]"
                                                                           ")") "NULL\n" END,
     NAMES_CLEAN, INPUT_READ,
     "== RUNNABLE\npool;a.B.f 1\n== WAITING\npool;a.B.g;a.B.f 1\n"
     "== VM\nAnonymous native thread;[libpthread.so.0];poll 1\n",
     NULL},
    {"the current thread is one of those below",
     TITLE "1XMCURTHDINFO  Current thread\n" THREAD("main", "R") JAVA("a/B.f")
         DETAILS THREAD("main", "R") JAVA("a/B.f") END,
     NAMES_CLEAN, INPUT_READ, "== RUNNABLE\nmain;a.B.f 1\n", NULL},
    {"as the reference has it",
     TITLE THREAD("w-1", "R") JAVA("a/B.f") JAVA("a/B.main") NATIVE THREAD("lost", "R")
         JAVA("x/Y.z") END,
     NAMES_REFERENCE, INPUT_READ, "== threads\nw-1;a/B.main;a/B.f 1\n", NULL},
    {"threads are missing",
     TITLE "2XMPOOLLIVE        Current total number of live threads: 3\n" THREAD("main", "R") END,
     NAMES_CLEAN, INPUT_READ, "== RUNNABLE\nmain 1\n", "states 3 live threads but lists 1"},
    {"the end is missing", TITLE THREAD("main", "R") JAVA("a/B.f") "4XESTACKTRACE       at a/B",
     NAMES_CLEAN, INPUT_READ, "== RUNNABLE\nmain;a.B.f 1\n", "without 'END OF DUMP'"},
    {"no threads", TITLE END, NAMES_CLEAN, INPUT_EMPTY, NULL, "no stacks"},
};

Test(input_java_text, javacore)
{
    reading_expect_all(javacore_cases);
}

Test(input_java_text, javacore_has_facts)
{
    struct reading r;

    reading_text(&r,
                 SLICE(TITLE "1TIDATETIME    Date: 2026/11/24 at 10:20:30:400\n"
                             "1CIJAVAVERSION JRE 17 Linux amd64-64\n" DETAILS THREAD("main", "R")
                                 JAVA("a/B.f") END),
                 NULL);
    cr_assert_eq(r.result, INPUT_READ);
    cr_expect(slice_equal(profile_fact(&r.profile, SLICE("captured on")),
                          SLICE("2026/11/24 at 10:20:30:400")));
    cr_expect(
        slice_equal(profile_fact(&r.profile, SLICE("runtime")), SLICE("JRE 17 Linux amd64-64")));
    reading_release(&r);
}

/* ---- hprof --------------------------------------------------------------------------------- */

#define HPROF "JAVA PROFILE 1.0.1, created Fri Dec 18 16:33:00 2009\n\n--------\n"
#define TRACES                                                                                     \
    "TRACE 300001:\n\ta.B.f(B.java:Unknown line)\n\ta.B.main(B.java:7)\nTRACE "                    \
    "300002:\n\t<empty>\n"
#define NAMED                                                                                      \
    "THREAD START (obj=5, id = 200001, name=\"pool-1\", group=\"main\")\n"                         \
    "TRACE 300001: (thread=200001)\n\ta.B.f(B.java:1)\n"                                           \
    "TRACE 300002: (thread=200002)\n\ta.B.f(B.java:1)\n"
#define ROWS(total)                                                                                \
    "CPU SAMPLES BEGIN (total = " total ") Mon\nrank   self  accum   count trace method\n"         \
    "   1 75,00% 75,00%       3 300001 a.B.f\n   2 25,00% 100,00%       1 300002 \n"

static const struct reading_case hprof_cases[] = {
    {"samples", HPROF TRACES ROWS("4") "CPU SAMPLES END\n", NAMES_CLEAN, INPUT_READ,
     "== samples\n 1\na.B.main;a.B.f 3\n", NULL},
    {"two dumps add up", HPROF TRACES ROWS("4") "CPU SAMPLES END\n" ROWS("4") "CPU SAMPLES END\n",
     NAMES_CLEAN, INPUT_READ, "== samples\n 2\na.B.main;a.B.f 6\n", NULL},
    {"threads that the traces name", HPROF NAMED ROWS("4") "CPU SAMPLES END\n", NAMES_CLEAN,
     INPUT_READ, "== samples\nThread 200002;a.B.f 1\npool;a.B.f 3\n", NULL},
    {"times are shares of the total, calls are counted",
     HPROF TRACES
     "CPU TIME (ms) BEGIN (total = 8523) Mon\nrank   self  accum   count trace method\n"
     "   1 33.33% 33.33%     700 300001 a.B.f\nCPU TIME (ms) END\n",
     NAMES_CLEAN, INPUT_READ, "== time\na.B.main;a.B.f 2840.7159\n== calls\na.B.main;a.B.f 700\n",
     NULL},
    {"sites of allocations",
     HPROF TRACES "SITES BEGIN (ordered by live bytes) Mon\n"
                  "          percent          live          alloc'ed  stack class\n"
                  " rank   self  accum     bytes objs     bytes  objs trace name\n"
                  "    1 50.00% 50.00%    100    2      300     4 300001 char[]\nSITES END\n",
     NAMES_CLEAN, INPUT_READ,
     "== allocated\na.B.main;a.B.f;char[] 300\n== allocated objects\na.B.main;a.B.f;char[] 4\n"
     "== live\na.B.main;a.B.f;char[] 100\n== live objects\na.B.main;a.B.f;char[] 2\n",
     NULL},
    {"as the reference has it", HPROF NAMED ROWS("4") "CPU SAMPLES END\n", NAMES_REFERENCE,
     INPUT_READ, "== samples\nThread 200001;a.B.f:1 3\nThread 200002;a.B.f:1 1\n", NULL},
    {"a trace is missing", HPROF ROWS("4") "CPU SAMPLES END\n", NAMES_CLEAN, INPUT_READ,
     "== samples\n 1\na.B.f 3\n", "trace 300001 is not in the file"},
    {"cut inside the table", HPROF TRACES ROWS("9"), NAMES_CLEAN, INPUT_READ,
     "== samples\n 1\na.B.main;a.B.f 3\n", "ends in the middle of a table"},
    {"rows are missing", HPROF TRACES ROWS("9") "CPU SAMPLES END\n", NAMES_CLEAN, INPUT_READ,
     "== samples\n 1\na.B.main;a.B.f 3\n",
     "the table states a total of 9, but its rows add up to 4"},
    {"a malformed row", HPROF TRACES ROWS("4") "   3 x\nCPU SAMPLES END\n", NAMES_CLEAN, INPUT_READ,
     "== samples\n 1\na.B.main;a.B.f 3\n", "malformed table row"},
    {"no table", HPROF TRACES, NAMES_CLEAN, INPUT_FAILED, NULL, "no table of CPU SAMPLES"},
    {"the binary heap dump is another file", "JAVA PROFILE 1.0.2", NAMES_CLEAN, INPUT_UNKNOWN, NULL,
     "not a profile"},
};

Test(input_java_text, hprof)
{
    reading_expect_all(hprof_cases);
}

/* ---- LJP ----------------------------------------------------------------------------------- */

#define STACKS "3 2 \ta.B.f(B.java:-1)\n\ta.B.main(B.java:7)\n\n4 1 \ta.C.<init>(C.java:1)\n\n"

static const struct reading_case ljp_cases[] = {
    {"leaf first, up to the total",
     STACKS "Total trace count = 7, Total traces = 2\n\nHot methods:\n   3 \ta.B.f(B.java:1)\n",
     NAMES_CLEAN, INPUT_READ, "== \na.B.main;a.B.f 3\na.C.<init> 4\n", NULL},
    {"no total", STACKS, NAMES_CLEAN, INPUT_READ, "== \na.B.main;a.B.f 3\na.C.<init> 4\n",
     "without 'Total trace count'"},
    {"a total that is more", STACKS "Total trace count = 9, Total traces = 2\n", NAMES_CLEAN,
     INPUT_READ, NULL, "states a total of 9, but its stacks add up to 7"},
    {"a frame is missing", STACKS "5 2 \ta.D.f(D.java:1)\n\nTotal trace count = 12, x\n",
     NAMES_CLEAN, INPUT_READ, NULL, "has 1 frame but states 2"},
    {"a malformed line", STACKS "hello\nTotal trace count = 7, x\n", NAMES_CLEAN, INPUT_READ, NULL,
     "in:6: warning: expected 'COUNT FRAMES"},
    {"too much",
     "18446744073709551615 1 \ta.B.f(B.java:1)\n\n2 1 \ta.B.f(B.java:1)\n\n"
     "3 1 \ta.B.f(B.java:1)\n\n",
     NAMES_CLEAN, INPUT_FAILED, NULL, "64 bits"},
};

Test(input_java_text, ljp)
{
    reading_expect_all(ljp_cases);
}

/* ---- exceptions ---------------------------------------------------------------------------- */

#define AT(method) "\tat " method "(F.java:1)\n"
#define FAILED "2026-01-01 12:00:00 ERROR failed\na.XException: text\n" AT("a.B.f") AT("a.B.main")

static const struct reading_case exception_cases[] = {
    {"each trace counts once", FAILED "2026-01-01 12:00:01 INFO ok\n" FAILED, NAMES_CLEAN,
     INPUT_READ, "== \na.B.main;a.B.f 2\n", NULL},
    {"what a cause shares is put back",
     FAILED "Caused by: a.Y: text\n" AT("c.D.g") "\t... 1 more\n", NAMES_CLEAN, INPUT_READ,
     "== \na.B.main;a.B.f 1\na.B.main;c.D.g 1\n", NULL},
    {"so it is for a cause of the cause, and what was suppressed",
     FAILED "\tSuppressed: a.Z\n\t\tat s.S.s(S.java:1)\n\t\t... 2 more\n"
            "Caused by: a.Y: text\n" AT("c.D.g") "\t... 1 more\n"
                                                 "Caused by: a.Y: text\n" AT(
                                                     "c.D.h") "\t... 2 common frames omitted\n",
     NAMES_CLEAN, INPUT_READ,
     "== \na.B.main;a.B.f 1\na.B.main;a.B.f;s.S.s 1\na.B.main;c.D.g 1\na.B.main;c.D.g;c.D.h 1\n",
     NULL},
    {"a cause that shares all of its frames",
     FAILED "Caused by: a.Y: text\n\t... 2 more\n2026-01-01 12:00:01 INFO\n\t... 2 more\n",
     NAMES_CLEAN, INPUT_READ, "== \na.B.main;a.B.f 2\n", NULL},
    {"the rest is not there", "Caused by: a.Y: text\n" AT("c.D.g") AT("c.D.h") "\t... 7 more\n",
     NAMES_CLEAN, INPUT_READ, "== \nc.D.h;c.D.g 1\n", NULL},
    {"lines of locks do not end a trace",
     "a.XException: text\n" AT("a.B.f") "\t- locked <0x1>\n" AT("a.B.g") AT("a.B.main"),
     NAMES_CLEAN, INPUT_READ, "== \na.B.main;a.B.g;a.B.f 1\n", NULL},
    {"prose is no frame", FAILED "at (once)\n  at last (he said)\n\tat last\n" FAILED, NAMES_CLEAN,
     INPUT_READ, "== \na.B.main;a.B.f 2\n", NULL},
    {"as the reference has it",
     FAILED "Caused by: a.Y: text\n" AT("c.D$$Lambda$1/0x1.g") "\t... 1 more\n", NAMES_REFERENCE,
     INPUT_READ, "== \na.B.main;a.B.f 1\nc.D$$Lambda$1/0x1.g 1\n", NULL},
};

Test(input_java_text, exceptions)
{
    reading_expect_all(exception_cases);
}

/* ---- recognition --------------------------------------------------------------------------- */

#define RECORD "2026-01-01 12:00:00,123 INFO [main] started\n"

static const struct {
    const char *head;
    const struct format *format;
} heads[] = {
    {TITLE, &format_javacore},
    {THREAD("main", "R"), &format_javacore},
    {"0SECTION of a law\n", NULL},
    {"a text with 3XMTHREADINFO in it\n3XMTHREADINFO      \"main\"\n", NULL},
    {HPROF, &format_hprof_text},
    {"JAVA PROFILE 1.0.2, or how to\n", NULL},
    {STACKS, &format_ljp},
    {"3 1 \ta.B.f(B.java:1)\nTotal trace count = 3, x\n", &format_ljp},
    {"1 2 3\n4 5 6\n", NULL},
    {"3 1 \ta.B.f(B.java:1)\ntext\n", NULL},
    {FAILED, &format_java_exceptions},
    {RECORD RECORD RECORD FAILED RECORD RECORD, &format_java_exceptions},
    {RECORD RECORD, NULL},
    {"I tried it, and it failed:\n\n" FAILED "\nWhat is wrong? Nobody knew.\nWe looked at it.\n"
     "It took long.\nThen it worked.\nThe end of it.\n",
     NULL},
    {"Error\n    at Object.<anonymous> (/x/y.js:1:1)\n    at Module._compile (module.js:1:1)\n",
     NULL},
    {"System.Exception: x\n   at A.B.C(String s) in C:\\x.cs:line 3\n   at A.B.Main()\n", NULL},
    {"/* comment */\nint main(void)\n{\n\tat.x(1);\n}\n", NULL},
};

Test(input_java_text, recognition)
{
    for (size_t i = 0; i < sizeof(heads) / sizeof(heads[0]); i++)
        cr_expect_eq(claim_find(slice_str(heads[i].head), true), heads[i].format, "%s",
                     heads[i].head);
}

Test(input_java_text, as_the_reference_converter, .init = corpus_need)
{
    reading_expect_reference("shape-samples/ljp-traces.txt", "",
                             "shape-samples/expected/ljp-traces.txt.reference.folded", 0);
}
