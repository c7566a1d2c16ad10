
#include "support/formats.h"
#include "unit/support/claim.h"
#include "unit/support/folding.h"
#include "unit/support/test.h"

#define FRAMES " > /lib/libc.so.6(__write+0x14) [0xf7a2d]\n > /bin/app(main+0x1) [0x11]\n"

static const struct folding cases[] = {
    {"the call is the leaf",
     "write(1, \"a(b) <c>\", 8) = 8\n" FRAMES "write(1, \"\", 0) = 0\n" FRAMES
     "close(3) = 0\n > /bin/app(main+0x1) [0x11]\n",
     "main;__write;write 2\nmain;close 1\n", NULL},
    {"processes and times of all kinds",
     "[pid    12] write(1, \"\", 0) = 0\n" FRAMES "13 write(1, \"\", 0) = 0\n" FRAMES
     "13    12:00:01 write(1, \"\", 0) = 0\n" FRAMES "12:00:01.25 write(1, \"\", 0) = 0\n" FRAMES
     "1700000000.5 write(1, \"\", 0) = 0\n" FRAMES "     0.000012 write(1, \"\", 0) = 0\n" FRAMES
     "14 (+     0.000012) write(1, \"\", 0) = 0\n" FRAMES,
     "main;__write;write 7\n", NULL},
    {"an interrupted call counts where it resumes; signals are none",
     "7 read(0,  <unfinished ...>\n8 write(1, \"\", 0) = 0\n" FRAMES
     "7 <... read resumed>\"\", 1) = 0\n > /bin/app(main+0x1) [0x11]\n"
     "7 --- SIGCHLD {si_signo=SIGCHLD} ---\n > /bin/app(other+0x1) [0x11]\n"
     "7 +++ exited with 0 +++\n",
     "main;__write;write 1\nmain;read 1\n", NULL},
    {"a stack that was cut has no frame for that",
     "brk(0) = 1\n > /bin/app(f+0x1) [0x11]\n > /bin/app(g+0x1) [0x12]\n > too many stack "
     "frames\n",
     "g;f;brk 1\n", NULL},
    {"a notice within a call",
     "01:02:03 clone3({flags=0}strace: Process 12 attached\nstrace: Process 13 attached\n"
     " => {parent_tid=[12]}, 88) = 12 <0.000358>\n" FRAMES
     "[pid 12] clone3({flags=0}Process 14 attached\n => 0) = 14 <0.000002>\n" FRAMES
     "strace: Process 12 detached\n > /bin/app(other+0x1) [0x11]\n",
     "[calls]\nmain;__write;clone3 2\n[time]\nmain;__write;clone3 0.00036\n", NULL},
    {"with -T also the time",
     "write(1, \"\", 0) = 0 <0.000021>\n" FRAMES "write(1, \"\", 0) = 0 <0.000004>\n" FRAMES,
     "[calls]\nmain;__write;write 2\n[time]\nmain;__write;write 0.000025\n", NULL},
    {"frames without a symbol, with C++ symbols, and none",
     "brk(0) = 1\n > /bin/app() [0x11]\n > /bin/app(ns::f(int)+0x1) [0x12]\n"
     " > unexpected_backtracing_error [0x13]\nclose(3) = 0\n",
     "close 1\nunexpected_backtracing_error;ns::f;[app];brk 1\n", NULL},
};

Test(input_strace, texts)
{
    folding_check("strace", cases, sizeof(cases) / sizeof(cases[0]), NULL);
}

Test(input_strace, cut_stacks_are_counted)
{
    struct reading r;

    reading_text(&r, SLICE("brk(0) = 1\n > /bin/app(f+0x1) [0x11]\n > too many stack frames\n"),
                 NULL);
    cr_expect_eq(r.profile.ledger.truncated, 1);
    cr_expect_eq(r.profile.series.items[0].truncated, 1);
    reading_release(&r);
}

Test(input_strace, claims)
{
    cr_expect(claim_by(&format_strace,
                       SLICE("clone({}strace: Process 2 attached\n > /a(f+0x1) [0x1]\n"), true));
    cr_expect(claim_by(&format_strace, SLICE("brk(0) = 1\n > /a(f+0x1) [0x1]\n"), true));
    cr_expect_not(claim_by(&format_strace, SLICE("brk(0) = 1\n > text\n"), true));
    cr_expect_not(claim_by(&format_strace, SLICE("text\n > /a(f+0x1) [0x1]\n"), true));
    cr_expect_not(claim_by(&format_strace, SLICE("brk(0) = 1\nbrk(0) = 1\n"), true));
}
