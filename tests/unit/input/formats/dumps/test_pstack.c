
#include "unit/support/claim.h"
#include "unit/support/corpus.h"
#include "unit/support/golden.h"
#include "unit/support/test.h"

static const struct {
    const char *name, *text, *want;
} cases[] = {
    {"AIX: threads of two processes",
     "734: /opt/dbserver -p main\n---------- tid# 290 (pthread ID:      1) ----------\n"
     "0x090000000003f2b4  nsleep(??, ?\?) + 0x10\n0x0000000100012a40  T::f(long)(?\?) + 0x5c\n"
     "---------- tid# 310 (pthread ID:    258) ----------\n0x0900000000062a14  write(?\?) + 0x1c8\n"
     "735: /opt/agent\n0x090000000003f2b4  nsleep(?\?) + 0x10\n0x0000000100002130  main() + 0x90\n",
     "/opt/agent;main;nsleep 1\n/opt/dbserver;T::f;nsleep 1\n/opt/dbserver;write 1\n"},
    {"Solaris",
     "1234:\t/usr/lib/nfs/nfsd -a\n-----------------  lwp# 1 / thread# 1 [main]  ------------\n"
     " feee7a25 libc.so.1`lwp_wait (2, 8047d0c) + 25\n 08050e6d _start   (1, 8047e98)\n"
     "-----------------  lwp# 2 / thread# 2  --------------------\n ff2d5b10 ?\?\?\?\?\?\?\? (0, "
     "1)\n",
     "/usr/lib/nfs/nfsd;0xff2d5b10 1\n/usr/lib/nfs/nfsd;_start;lwp_wait 1\n"},
    {"HP-UX",
     "--------------------------------  lwpid : 12345  -------------------------------\n"
     " 0: c0000000001d8c90 : _poll_sys() + 0x30 (/usr/lib/hpux64/libc.so.1)\n"
     " 1: c0000000001e9c10 : poll() + 0xf0 (/usr/lib/hpux64/libc.so.1)\n",
     "poll;_poll_sys 1\n"},
    {"a thread without frames",
     "1: a\n---------- tid# 2 ----------\n---------- tid# 3 ----------\n"
     "0x090000000003f2b4  f()\n",
     "a 1\na;f 1\n"},
};

Test(input_pstack, stacks)
{
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        golden_text(cases[i].name, "pstack", cases[i].text, NULL, cases[i].want, "");
}

Test(input_pstack, processes_split_and_bad_lines_told)
{
    struct input_options options = input_options_default();

    options.split_process = true;
    golden_text("split", "pstack",
                "1: a b\n0x090000000003f2b4  f()\n0x090000000003f2b4  g()\noops\n2: a\n"
                "0x090000000003f2b4  f()\n",
                &options, "[a (1)]\na;g;f 1\n[a (2)]\na;f 1\n",
                "in:4: warning: expected a process, a thread or a frame; line skipped\n");
}

Test(input_pstack, claims)
{
    static const struct {
        const char *text;
        bool claimed;
    } rows[] = {
        {"1: a\n0x090000000003f2b4  f()\n0x090000000003f2b4  f()\n", true},
        {"1: a\n0x090000000003f2b4  f()\n", false},
        {"---------- tid# 3 ----------\n0x090000000003f2b4  f()\n", true},
        {"---------- section 3 ----------\n0x090000000003f2b4  f()\n", false},
        {"10: text\n20: text\n", false},
        {"00000000004003a8 T main\n00000000004003a9 T f\n00000000004003ab T g\n", false},
        {"1: a\n\n0x090000000003f2b4  f()\n0x090000000003f2b4  f()\n", false},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        cr_expect_eq(claim_by(&format_pstack, slice_str(rows[i].text), true), rows[i].claimed,
                     "row %zu", i);
}

Test(input_pstack, reference_names, .init = corpus_need)
{
    golden_reference("shape-samples/aix-procstack.txt",
                     "shape-samples/expected/aix-procstack.txt.reference.folded");
}
