
#include "support/formats.h"
#include "input/formats/java/java_thread.h"
#include "unit/support/cases.h"
#include "unit/support/claim.h"
#include "unit/support/corpus.h"
#include "unit/support/test.h"

/* ---- names --------------------------------------------------------------------------------- */

static const struct {
    const char *text;
    bool slashes;
    const char *name, *module, *file;
    uint64_t line;
} frames[] = {
    {"a.B.c(B.java:12)", false, "a.B.c", "", "B.java", 12},
    {"java.lang.Object.wait(java.base@17.0.1/Object.java:3)", false, "java.lang.Object.wait",
     "java.base", "Object.java", 3},
    {"java.lang.Object.wait(java.base@25/Native Method)", false, "java.lang.Object.wait",
     "java.base", "", 0},
    {"java.base@11.0.19/jdk.internal.misc.Unsafe.park(Native Method)", false,
     "jdk.internal.misc.Unsafe.park", "", "", 0},
    {"app//org.x.Y.z(Y.java:1)", false, "org.x.Y.z", "", "Y.java", 1},
    {"app/my.mod@1.0/org.x.Y.z(Y.java:1)", false, "org.x.Y.z", "", "Y.java", 1},
    {"M$$Lambda$14/0x00007fa444002000.run(Unknown Source)", false, "M$$Lambda$14.run", "", "", 0},
    {"M$$Lambda$1+0x00007f70c4000a08.run()", false, "M$$Lambda$1.run", "", "", 0},
    {"a.B.c+d(B.kt:1)", false, "a.B.c+d", "", "B.kt", 1},
    {"M$$Lambda$1/1872034366.run(Unknown Source)", false, "M$$Lambda$1.run", "", "", 0},
    {"M$$Lambda/0x0f.run(java.base@25/Unknown Source)", false, "M$$Lambda.run", "java.base", "", 0},
    {"java.lang.invoke.LambdaForm$DMH/0x00007fe0011ac000.invokeVirtual(LambdaForm$DMH)", false,
     "java.lang.invoke.LambdaForm$DMH.invokeVirtual", "", "", 0},
    {"a.B.<init>(B.java)", false, "a.B.<init>", "", "B.java", 0},
    {"java/lang/Object.wait(Object.java:255(Compiled Code))", true, "java.lang.Object.wait", "",
     "Object.java", 255},
    {"M$$Lambda$14/0x0f.run(Unknown Source)", true, "M$$Lambda$14.run", "", "", 0},
    {"java/net/PlainSocketImpl.socketAccept(Ljava/net/SocketImpl;)V(Native Method)", false,
     "java.net.PlainSocketImpl.socketAccept", "", "", 0},
    {"a/B.c([I)[Ljava/lang/String;(B.java:12)[optimized]", false, "a.B.c", "", "B.java", 12},
    {"a.Test.it works (really)(Test.kt:7)", false, "a.Test.it works (really)", "", "Test.kt", 7},
    {"a.Test.it works(Test.kt:7) ~[app.jar:1.0]", false, "a.Test.it works", "", "Test.kt", 7},
    {"cut", false, "cut", "", "", 0},
    {"cut(here", false, "cut", "", "", 0},
    {"(", false, "", "", "", 0},
};

Test(input_jstack, frames_are_the_same_from_every_tool)
{
    struct buf scratch = {0};

    for (size_t i = 0; i < sizeof(frames) / sizeof(frames[0]); i++) {
        struct frame f = java_frame(slice_str(frames[i].text), frames[i].slashes, &scratch);

        cr_expect(slice_equal(f.name, slice_str(frames[i].name)), "%s: '%.*s'", frames[i].text,
                  SLICE_ARG(f.name));
        cr_expect(slice_equal(f.module, slice_str(frames[i].module)), "%s: in '%.*s'",
                  frames[i].text, SLICE_ARG(f.module));
        cr_expect(slice_equal(f.file, slice_str(frames[i].file)), "%s: at '%.*s'", frames[i].text,
                  SLICE_ARG(f.file));
        cr_expect_eq(f.line, frames[i].line, "%s", frames[i].text);
    }
    buf_release(&scratch);
}

static const struct {
    const char *line;
    enum java_thread_kind kind;
    const char *name, *id;
    enum java_state state;
} threads[] = {
    {"\"main\" #1 prio=5 os_prio=0 cpu=4ms tid=0x7f nid=0x1f runnable  [0x7f]", JAVA_THREAD, "main",
     "0x1f", JAVA_RUNNABLE},
    {"\"main\" #3 [5891] prio=5 tid=0x7f nid=5891 waiting on condition  [0x7f]", JAVA_THREAD,
     "main", "5891", JAVA_WAITING},
    {"\"a\" prio=1 tid=0x7f nid=0x2d in Object.wait() [0x7f..0x8f]", JAVA_THREAD, "a", "0x2d",
     JAVA_WAITING},
    {"\"a\" daemon prio=1 tid=0x7f nid=0x2d waiting for monitor entry [0x7f]", JAVA_THREAD, "a",
     "0x2d", JAVA_BLOCKED},
    {"\"a\" prio=10 tid=0x7f nid=1 lwp_id=12 sleeping [0x7f]", JAVA_THREAD, "a", "12",
     JAVA_TIMED_WAITING},
    {"\"VM Thread\" os_prio=0 cpu=1ms tid=0x7f nid=0x1f runnable  ", JAVA_THREAD, "VM Thread",
     "0x1f", JAVA_VM},
    {"\"DestroyJavaVM\" #14 prio=5 tid=0x7f nid=0x2a waiting on condition", JAVA_THREAD,
     "DestroyJavaVM", "0x2a", JAVA_WAITING},
    {"\"Timer-180\" - Thread t@332", JAVA_THREAD, "Timer-180", "332", JAVA_UNKNOWN},
    {"\"exec-1\" Id=236 in WAITING", JAVA_THREAD, "exec-1", "236", JAVA_WAITING},
    {"\"a\" Id=11 BLOCKED on java.lang.Object@2b owned by \"b\" Id=12", JAVA_THREAD, "a", "11",
     JAVA_BLOCKED},
    {"\"main\" prio=5 Id=1 RUNNABLE", JAVA_THREAD, "main", "1", JAVA_RUNNABLE},
    {"\"say \"hi\" twice\" #2 prio=5 tid=0x7f nid=0x1f runnable [0x7f]", JAVA_THREAD,
     "say \"hi\" twice", "0x1f", JAVA_RUNNABLE},
    {"\"\" #22 virtual prio=5 tid=0x7f nid=0x1f runnable [0x7f]", JAVA_THREAD, "", "0x1f",
     JAVA_RUNNABLE},
    {"#22 \"\" virtual", JAVA_PLAIN, "", "22", JAVA_UNKNOWN},
    {"#1 \"main\" RUNNABLE 2025-01-01T00:00:00Z", JAVA_PLAIN, "main", "1", JAVA_RUNNABLE},
    {"Thread 25: (state = BLOCKED)", JAVA_THREAD, "", "25", JAVA_BLOCKED},
    {"Thread 26: (state = IN_NATIVE)", JAVA_THREAD, "", "26", JAVA_RUNNABLE},
    {"\"DeadlockThread-A\":", JAVA_REPEATED, "DeadlockThread-A", "", JAVA_UNKNOWN},
    {"\"quoted\" text", JAVA_NO_THREAD, NULL, NULL, JAVA_UNKNOWN},
    {"\"quoted\" # a comment", JAVA_NO_THREAD, NULL, NULL, JAVA_UNKNOWN},
    {"\"unclosed", JAVA_NO_THREAD, NULL, NULL, JAVA_UNKNOWN},
    {"\"", JAVA_NO_THREAD, NULL, NULL, JAVA_UNKNOWN},
    {"#", JAVA_NO_THREAD, NULL, NULL, JAVA_UNKNOWN},
    {"# \"x\"", JAVA_NO_THREAD, NULL, NULL, JAVA_UNKNOWN},
    {"#1 \"", JAVA_NO_THREAD, NULL, NULL, JAVA_UNKNOWN},
    {"Thread safety: (state = x)", JAVA_NO_THREAD, NULL, NULL, JAVA_UNKNOWN},
    {"", JAVA_NO_THREAD, NULL, NULL, JAVA_UNKNOWN},
};

Test(input_jstack, the_line_that_begins_a_thread)
{
    for (size_t i = 0; i < sizeof(threads) / sizeof(threads[0]); i++) {
        struct java_thread t;

        cr_expect_eq(java_thread_read(slice_str(threads[i].line), &t), threads[i].kind, "%s",
                     threads[i].line);
        if (threads[i].kind == JAVA_NO_THREAD)
            continue;
        cr_expect(slice_equal(t.name, slice_str(threads[i].name)), "%s: '%.*s'", threads[i].line,
                  SLICE_ARG(t.name));
        cr_expect(slice_equal(t.id, slice_str(threads[i].id)), "%s: '%.*s'", threads[i].line,
                  SLICE_ARG(t.id));
        cr_expect_eq(t.state, threads[i].state, "%s: %d", threads[i].line, (int)t.state);
    }
}

/* ---- dumps --------------------------------------------------------------------------------- */

#define FULL "2026-01-01 00:00:00\nFull thread dump OpenJDK 64-Bit Server VM (17):\n\n"
#define HEAD(name) "\"" name "\" #1 prio=5 tid=0x7f nid=0x1f runnable [0x7f]\n"
#define STATE(state) "   java.lang.Thread.State: " state "\n"
#define AT(method) "\tat " method "(java.base@17/F.java:1)\n"

static const struct reading_case cases[] = {
    {"leaf first, the thread as the root, pools together",
     FULL HEAD("pool-1-thread-1") STATE("RUNNABLE") AT("a.B.f") "\t- locked <0x1> (a a.B)\n" AT(
         "a.B.main") "\n" HEAD("pool-1-thread-2") STATE("RUNNABLE") AT("a.B.f") AT("a.B.main"),
     NAMES_CLEAN, INPUT_READ, "== RUNNABLE\npool-1-thread;a.B.main;a.B.f 2\n",
     "in:13: note: the file ends in the middle of a thread"},
    {"a series for each state, RUNNABLE first; dumps add up",
     FULL HEAD("a") STATE("WAITING (parking)") AT("p") "\n" HEAD("b") STATE("RUNNABLE")
         AT("r") "\n" FULL HEAD("a") STATE("WAITING (parking)") AT("p") "\n",
     NAMES_CLEAN, INPUT_READ, "== RUNNABLE\nb;r 1\n== WAITING\na;p 2\n", NULL},
    {"threads without frames, and those of the VM",
     FULL HEAD("Signal Dispatcher") STATE(
         "RUNNABLE") "\n   Locked ownable synchronizers:\n\t- None\n\n"
                     "\"VM Thread\" os_prio=0 tid=0x7f nid=0x1f runnable\n"
                     "\"GC Thread#0\" os_prio=0 tid=0x7f nid=0x1f runnable\n\nJNI global refs: 7\n",
     NAMES_CLEAN, INPUT_READ,
     "== RUNNABLE\nSignal Dispatcher 1\n== VM\nGC Thread#0 1\nVM Thread 1\n", NULL},
    {"JDK 5 says the state in the first line",
     "Full thread dump Java HotSpot(TM) Client VM (1.5.0_06-b05 mixed mode):\n\n"
     "\"a\" prio=1 tid=0x1 nid=0x2 in Object.wait() [0x1..0x2]\n        at a.B.c(Native "
     "Method)\n\n",
     NAMES_CLEAN, INPUT_READ, "== WAITING\na;a.B.c 1\n", NULL},
    {"a deadlock's stacks are not counted again",
     FULL HEAD("A") STATE("BLOCKED (on object monitor)")
         AT("f") "\nFound one Java-level deadlock:\n===\n\"A\":\n  waiting to lock monitor 0x1,\n"
                 "  which is held by \"B\"\n\n"
                 "Java stack information for the threads listed above:\n===\n\"A\":\n" AT(
                     "f") "\"B\":\n" AT("g") "\nFound 1 deadlock.\n",
     NAMES_CLEAN, INPUT_READ, "== BLOCKED\nA;f 1\n", NULL},
    {"a mounted virtual thread is a second stack",
     FULL HEAD("ForkJoinPool-1-worker-1") "   Carrying virtual thread #21\n" AT(
         "run") "   Mounted virtual thread #21\n" AT("task") "\n",
     NAMES_CLEAN, INPUT_READ, "== RUNNABLE\nForkJoinPool-1-worker;run 1\nvirtual thread;task 1\n",
     NULL},
    {"jcmd Thread.dump_to_file",
     "12345\n2025-01-01T00:00:00Z\n21.0.1+12\n\n#1 \"main\"\n"
     "      java.base/java.lang.Object.wait0(Native Method)\n      a.B.main(B.java:1)\n\n"
     "#22 \"\" virtual\n      java.base/java.lang.VirtualThread.park(VirtualThread.java:5)\n\n",
     NAMES_CLEAN, INPUT_READ,
     "== threads\njava.lang.VirtualThread.park 1\nmain;a.B.main;java.lang.Object.wait0 1\n", NULL},
    {"the same since JDK 25",
     "12345\n2025-01-01T00:00:00Z\n25+36\n\n#1 \"main\" WAITING 2025-01-01T00:00:00Z\n"
     "    at java.base/java.lang.Object.wait0(Native Method)\n"
     "    - waiting on <java.lang.Object@1>\n    at a.B.main(B.java:1)\n\n"
     "#22 \"\" virtual RUNNABLE 2025-01-01T00:00:00Z\n    at a.B.run(B.java:5)\n\n",
     NAMES_CLEAN, INPUT_READ,
     "== RUNNABLE\na.B.run 1\n== WAITING\nmain;a.B.main;java.lang.Object.wait0 1\n", NULL},
    {"jstack -F",
     "Attaching to process ID 7, please wait...\nThread 25: (state = BLOCKED)\n"
     " - java.lang.Object.wait(long) @bci=0 (Interpreted frame)\n"
     " - a.B.run() @bci=2, line=485 (Compiled frame)\n\n\n",
     NAMES_CLEAN, INPUT_READ, "== BLOCKED\na.B.run;java.lang.Object.wait 1\n", NULL},
    {"jhsdb jstack --mixed",
     "----------------- 1115 -----------------\n" HEAD("a-1")
         STATE("RUNNABLE") "0x00007f71\t__GI_accept + 0x4f\n0x00007f72\t* a.B$$Lambda$1+0x0f.run() "
                           "bci:0 (x)\n"
                           "0x00007f73\t<StubRoutines>\n----------------- 1116 -----------------\n"
                           "0x00007f74\t____ + 0x1\n" HEAD("b")
                               STATE("RUNNABLE") "0x00007f71\tpoll + 0x4f\n\n",
     NAMES_CLEAN, INPUT_READ,
     "== RUNNABLE\na;<StubRoutines>;a.B$$Lambda$1.run;__GI_accept 1\nb;poll 1\n", NULL},
    {"JMX, cut after eight frames",
     "\"exec-1\" Id=236 in WAITING on lock=x@1\n    at a.B.c(B.java:1)\n\t...\n\n"
     "\tNumber of locked synchronizers = 1\n",
     NAMES_CLEAN, INPUT_READ, "== WAITING\nexec;a.B.c 1\n", NULL},
    {"lines of others among the threads",
     "12:00:01 INFO started\n" FULL HEAD("a") STATE("RUNNABLE") "12:00:01 INFO hello\n" AT(
         "f") "\n"
              "12:00:02 WARN \"quoted\" things\n\tat not.a.Thread.frame(F.java:1)\n",
     NAMES_CLEAN, INPUT_READ, "== RUNNABLE\na;f 1\n", "in:7: warning: not a line of a thread"},
    {"a frame that is cut", FULL HEAD("a") STATE("RUNNABLE") AT("f") "\tat java.la", NAMES_CLEAN,
     INPUT_READ, "== RUNNABLE\na;f 1\n", "in:7: warning: truncated frame"},
    {"a dump that is cut",
     FULL "Threads class SMR info:\n_java_thread_list=0x6, length=3, elements={\n0x1, 0x2, "
          "0x3\n}\n\n" HEAD("a") STATE("RUNNABLE") AT("f"),
     NAMES_CLEAN, INPUT_READ, "== RUNNABLE\na;f 1\n", "lists 3 threads but shows only 1"},
    {"nothing runs, for the reference", FULL HEAD("a") STATE("WAITING") AT("f") "\n",
     NAMES_REFERENCE, INPUT_EMPTY, NULL, "no stacks"},
    {"as the reference has it",
     FULL HEAD("w-1") STATE("RUNNABLE") AT("f") AT("M$$Lambda$1/0x1.g") "\n" HEAD("b")
         STATE("WAITING") AT("f") "\n" HEAD("C2 CompilerThread0") STATE("RUNNABLE") "\n" HEAD("e")
             STATE("RUNNABLE") AT("sun.nio.ch.EPoll.wait") "\n" HEAD("n") STATE("RUNNABLE")
                 AT("java.net.PlainSocketImpl.socketAccept") "\n" HEAD("lost") STATE("RUNNABLE"),
     NAMES_REFERENCE, INPUT_READ, "== RUNNABLE\nw;M$$Lambda$1/0x1.g;f 1\n", NULL},
};

Test(input_jstack, dumps)
{
    reading_expect_all(cases);
}

Test(input_jstack, threads_are_told_apart_where_it_is_asked)
{
    static const char text[] =
        FULL HEAD("w-1") STATE("RUNNABLE") AT("f") "\n" HEAD("w-2") STATE("RUNNABLE") AT("f") "\n";
    const char *const wanted[] = {"w-2"};
    struct input_options options = input_options_default();
    struct reading r;
    struct buf out = {0};

    options.tid = true;
    reading_text(&r, slice_str(text), &options);
    reading_fold(&r, 0, &out);
    cr_expect_str_eq(buf_string(&out), "w-1;f 1\nw-2;f 1\n");
    reading_release(&r);
    options = input_options_default();
    options.threads = wanted;
    options.thread_count = 1;
    reading_text(&r, slice_str(text), &options);
    buf_clear(&out);
    reading_fold(&r, 0, &out);
    cr_expect_str_eq(buf_string(&out), "w;f 1\n");
    cr_expect_eq(r.profile.ledger.left_out, 1);
    reading_release(&r);
    buf_release(&out);
}

static const struct {
    const char *head;
    bool claimed;
} heads[] = {
    {FULL HEAD("a") STATE("RUNNABLE"), true},
    {HEAD("a") STATE("RUNNABLE"), true},
    {HEAD("a") AT("f"), true},
    {"log\n" FULL HEAD("a"), true},
    {FULL, false},
    {HEAD("a"), false},
    {HEAD("a") "text\n", false},
    {AT("f") AT("g"), false},
    {"\"at first\" Id=1\nat last\n", false},
    {"Full thread dump of what?\n\"a\" text\n", false},
};

Test(input_jstack, recognition)
{
    for (size_t i = 0; i < sizeof(heads) / sizeof(heads[0]); i++)
        cr_expect_eq(claim_by(&format_jstack, slice_str(heads[i].head), true), heads[i].claimed,
                     "%s", heads[i].head);
}

static const char *const references[] = {
    "complex-detailed.txt", "complex.txt",         "deadlock.txt",    "gc-over-time-0.txt",
    "java11dump.log",       "java21dump.log",      "java8dump.log",   "java21dump_utf16.log",
    "jstack17-12x.txt",     "jstack_dump.log",     "thread-pool.txt", "jcmd17-thread-print-l.txt",
    "urlthread.log",        "virtual-threads.txt",
};

Test(input_jstack, as_the_reference_converter, .init = corpus_need)
{
    for (size_t i = 0; i < sizeof(references) / sizeof(references[0]); i++) {
        struct buf file = {0}, expected = {0};

        buf_printf(&file, "jstack/%s", references[i]);
        buf_printf(&expected, "jstack/expected/computed/%s.ref-perl.folded", references[i]);
        reading_expect_reference(buf_string(&file), "RUNNABLE", buf_string(&expected), 0);
        buf_release(&file);
        buf_release(&expected);
    }
}

/* ---- JSON ---------------------------------------------------------------------------------- */

#define JSON_HEAD                                                                                  \
    "{\"threadDump\": {\"processId\": \"7\", \"time\": \"2025-01-01T00:00:00Z\","                  \
    "\"runtimeVersion\": \"21.0.1+12\", \"threadContainers\": ["
#define JSON_FRAMES                                                                                \
    "\"stack\": [\"java.base/java.lang.Object.wait0(Native Method)\", \"a.B.main(B.java:1)\"]"

static const struct reading_case json_cases[] = {
    {"threads of all containers",
     JSON_HEAD
     "{\"container\": \"<root>\", \"threads\": [{\"tid\": \"1\", \"name\": \"pool-1\", " JSON_FRAMES
     "}], \"threadCount\": \"1\"},"
     "{\"container\": \"x\", \"threads\": [{\"tid\": 22, \"name\": \"\", " JSON_FRAMES
     "}, {\"tid\": \"3\", \"name\": \"idle\", \"stack\": []}], \"threadCount\": 2}]}}",
     NAMES_CLEAN, INPUT_READ,
     "== threads\na.B.main;java.lang.Object.wait0 1\nidle 1\n"
     "pool;a.B.main;java.lang.Object.wait0 1\n",
     NULL},
    {"states, RUNNABLE first",
     JSON_HEAD "{\"threads\": [{\"tid\": 1, \"name\": \"a\", \"state\": \"WAITING\", " JSON_FRAMES
               "}, {\"tid\": 2, \"name\": \"b\", \"state\": \"RUNNABLE\", " JSON_FRAMES "}]}]}}",
     NAMES_CLEAN, INPUT_READ,
     "== RUNNABLE\nb;a.B.main;java.lang.Object.wait0 1\n"
     "== WAITING\na;a.B.main;java.lang.Object.wait0 1\n",
     NULL},
    {"threads of JMX and of Spring Boot",
     "{\"threads\":[{\"threadName\":\"http-1\",\"threadId\":1,\"threadState\":\"TIMED_WAITING\","
     "\"stackTrace\":[{\"methodName\":\"run\",\"fileName\":null,\"lineNumber\":-1,"
     "\"className\":\"a.B$$Lambda$3/0x00007fa4\"},{\"methodName\":\"main\",\"lineNumber\":7,"
     "\"className\":\"a.B\"}]},{\"threadName\":\"b\",\"threadState\":\"RUNNABLE\",\"stackTrace\":[]"
     "}]}",
     NAMES_CLEAN, INPUT_READ,
     "== RUNNABLE\nb 1\n== TIMED_WAITING\nhttp;a.B.main;a.B$$Lambda$3.run 1\n", NULL},
    {"the text as it is, for the reference",
     JSON_HEAD "{\"threads\": [{\"tid\": 1, \"name\": \"a\", " JSON_FRAMES "}]}]}}",
     NAMES_REFERENCE, INPUT_READ, "== threads\na;a.B.main;java.base/java.lang.Object.wait0 1\n",
     NULL},
    {"fewer threads than said",
     JSON_HEAD "{\"threads\": [{\"tid\": 1, \"name\": \"a\"}], \"threadCount\": \"2\"}]}}",
     NAMES_CLEAN, INPUT_READ, "== threads\na 1\n", "a container states 2 threads but lists 1"},
    {"other types than there should be",
     JSON_HEAD
     "7, {\"threads\": 1}, {\"threads\": [1, {\"tid\": {}, \"name\": 3, \"stack\": [{}]}]}]}}",
     NAMES_CLEAN, INPUT_READ, NULL, NULL},
    {"cut", JSON_HEAD "{\"threads\": [{\"tid\": 1, \"name\": \"a\"", NAMES_CLEAN, INPUT_FAILED,
     NULL, "byte"},
};

Test(input_jstack, json)
{
    reading_expect_all(json_cases);
}
