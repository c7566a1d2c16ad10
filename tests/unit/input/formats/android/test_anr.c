
#include "support/formats.h"
#include "unit/support/claim.h"
#include "unit/support/folding.h"
#include "unit/support/test.h"

#define HEAD "----- pid 7 at 2026-11-23 14:03:29 -----\nCmd line: com.app\nDALVIK THREADS (2):\n"
#define THREAD(name, state) "\"" name "\" prio=5 tid=1 " state "\n  | group=\"main\" sCount=1\n"

static const struct folding cases[] = {
    {"kernel, native and Java, leaf first",
     HEAD THREAD("main", "Native") "  kernel: SyS_wait+0x2/0x8\n"
                                   "  native: #00 pc 6ab80  /lib64/libc.so (__wait+8)\n"
                                   "  native: #01 pc 6ab8  /lib64/libc.so (??\?) (BuildId: 1f)\n"
                                   "  native: #02 pc 6ab9  /lib64/libx.so\n"
                                   "  at a.B.f(Native method)\n  at a.B.g(B.java:1)\n",
     "main;a.B.g;a.B.f;[libx.so];[libc.so];__wait;SyS_wait 1\n", NULL},
    {"Dalvik's native frames, and threads that are not Java's",
     HEAD THREAD(
         "main",
         "NATIVE") "  #00  pc 17004  /lib/libc.so (__ioctl+8)\n  at a.B.f(B.java)\n"
                   "\nNATIVE THREADS:\n\"GL updater\" sysTid=17 nice=-10 sched=0/0\n  | state=S\n"
                   "  #00  pc 17004  /lib/libc.so (poll+8)\n",
     "GL updater;poll 1\nmain;a.B.f;__ioctl 1\n", NULL},
    {"what is waited for, and waits of the runtime",
     HEAD THREAD("pool-2-thread-3", "Waiting") "  at java.lang.Object.wait!(Native method)\n"
                                               "  - waiting on <0x0a> (a java.lang.Object)\n",
     "pool-2-thread;java.lang.Object.wait 1\n", NULL},
    {"no managed frames",
     HEAD THREAD("Signal Catcher", "Runnable") "  (no managed stack frames)\n----- end 7 -----\n"
                                               "what follows is of no thread\n",
     "Signal Catcher 1\n", NULL},
    {"lines that cannot be read",
     HEAD THREAD("main", "Native") "what\n  at a.B.f\n  at a.B.g(B.java)\n", "main;a.B.g 1\n",
     "in:6: warning: not a line of a thread: 'what'"},
};

Test(input_anr, texts)
{
    folding_check("anr", cases, sizeof(cases) / sizeof(cases[0]), NULL);
}

Test(input_anr, by_state)
{
    static const struct folding by_state[] = {
        {"--state",
         HEAD THREAD("main", "Native") "  at a.B.f(B.java)\n\n" THREAD(
             "x", "Waiting") "  at a.B.g(B.java)\n",
         "x;a.B.g 1\n", NULL},
    };
    static const char *const waiting[] = {"waiting"};
    struct input_options options = input_options_default();

    options.states = waiting;
    options.state_count = 1;
    folding_check("anr", by_state, 1, &options);
}

Test(input_anr, claims)
{
    cr_expect(claim_by(&format_anr, SLICE(HEAD), true));
    cr_expect(claim_by(&format_anr, SLICE(THREAD("main", "Native")), true));
    cr_expect_not(
        claim_by(&format_anr, SLICE("\"main\" prio=5 tid=1 runnable\n  at a.B.f(B.java)\n"), true));
}
