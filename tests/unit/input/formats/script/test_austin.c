
#include "support/formats.h"
#include "unit/support/claim.h"
#include "unit/support/told.h"
#include "unit/support/test.h"

/* clang-format off */
static const struct {
    const char *name, *text, *want;
} cases[] = {
    {"one thread is no frame",
     "# austin: 3.0.0\n# mode: wall\n\n"
     "P1;T2;/a/b.py:<module>:3;C:\\x\\y.py:run:4 10\n"
     "P1;T2;/a/b.py:<module>:4;C:\\x\\y.py:run:5 5\n# duration: 9\n",
     "== wall seconds e-6\n<module> (b.py);run 15\n"},
    {"threads and processes",
     "P1;T0:2;a.py:f:1 10\nP1;T0:3;a.py:f:1 20\nP4;T0:2;a.py:f:1 30\n",
     "==  seconds e-6\n"
     "Process 1;Thread 0:2;f 10\nProcess 1;Thread 0:3;f 20\nProcess 4;Thread 0:2;f 30\n"},
    {"a thread to each process",
     "P1;T2;a.py:f:1 10\nP4;T2;a.py:f:1 30\n",
     "==  seconds e-6\nProcess 1;f 10\nProcess 4;f 30\n"},
    {"no frames",
     "# mode: cpu\nP1;T2 7\nP1;T2;a.py:f:1 1\n",
     "== cpu seconds e-6\n 7\nf 1\n"},
    {"memory",
     "# mode: memory\nP1;T2;a.py:f:1 4096\nP1;T2;a.py:f:1 -512\n"
     "P1;T2;a.py:g:1 -9223372036854775807\n",
     "== memory bytes\nf 4096\n== memory freed bytes\nf 512\ng 9223372036854775807\n"},
    {"full",
     "# mode: full\nP1;T2;a.py:f:1 10,0,100\nP1;T2;a.py:g:1 20,1,-50\nP1;T2;a.py:g:2 1,0,0\n",
     "== cpu seconds e-6\nf 10\ng 1\n== wall seconds e-6\nf 10\ng 21\n"
     "== memory bytes\nf 100\n== memory freed bytes\ng 50\n"},
    {"full without a word of it",
     "P1;T2;a.py:f:1 10,0,100\n",
     "== cpu seconds e-6\nf 10\n== wall seconds e-6\nf 10\n== memory bytes\nf 100\n"},
    {"versions 1 and 2",
     "Process 1;Thread 0x7f;main (/a/b c.py:3);run (x.py);L12 10\nP1;T7f;main (/a/b c.py:3) 2\n",
     "==  seconds e-6\nThread 0x7f;main;run 10\nThread 7f;main 2\n"},
    {"version 1, one process",
     "Thread 55d3;main (/a/b c.py);L3;<lambda> (x y.py);L12 10\nThread 55d4;main (/a/b c.py);L4 2\n"
     "Thread 55d4 5\n",
     "==  seconds e-6\nThread 55d3;main;<lambda> (x y.py) 10\nThread 55d4 5\nThread 55d4;main 2\n"},
    {"names that are hard",
     "P1;T2;<frozen importlib._bootstrap>:<module>:1;/p/__init__.py:<lambda>:2;a b.py:f g:3 1\n",
     "==  seconds e-6\n<module> (<frozen importlib._bootstrap>);<lambda> (p/__init__.py);f g 1\n"},
    {"malformed frames",
     "P1;T2;a.py:f:1;:INVALID:;:GC: 1\nP1;T2;a.py:f:1;kernel:do_sys:0 2\n",
     "==  seconds e-6\nf;[unknown];GC 1\nf;do_sys 2\n"},
    {"malformed lines",
     "# duration: 1\n# austin: 3\nP1;T2;a.py:f:1 1\nP1;T2;a.py:f:1 x\n"
     "P1;T2;a.py:f:1 -3\nPx;T2;a.py:f:1 3\nhello\n"
     "P1;T2;a.py:f:1 99999999999999999999\nP1;T2;a.py:f:1 2\n",
     "==  seconds e-6\nf 3\n"
     "in:4: warning: expected 'P<pid>;T<tid>;file:function:line;... METRIC': 'P1;T2;a.py:f:1 x'; "
     "line skipped\n"
     "in:5: warning: expected 'P<pid>;T<tid>;file:function:line;... METRIC': 'P1;T2;a.py:f:1 -3'; "
     "line skipped\n"
     "in:6: warning: expected 'P<pid>;T<tid>;file:function:line;... METRIC': 'Px;T2;a.py:f:1 3'; "
     "line skipped\n"
     "in: ... and 2 more like it\n"},
    {"an end that is missing",
     "# austin: 3.0.0\nP1;T2;a.py:f:1 1\n",
     "==  seconds e-6\nf 1\n"
     "in: warning: the file ends without the duration that Austin writes last; it may be "
     "truncated\n"},
    {"a sum beyond 64 bits",
     "P1;T2;a.py:f:1 9223372036854775807\nP1;T2;a.py:f:1 9223372036854775807\n"
     "P1;T2;a.py:f:1 2\n",
     "==  seconds e-6\nProcess 1;Thread 2;f 18446744073709551614\n"
     "in: error: the sum of the weights does not fit in 64 bits\nfailed\n"},
};
/* clang-format on */

Test(input_austin, texts)
{
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        told_expect(cases[i].name, slice_str(cases[i].text), NULL, cases[i].want);
}

Test(input_austin, reference_names_are_the_texts)
{
    struct input_options options = input_options_default();

    options.names = NAMES_REFERENCE;
    told_expect("reference", SLICE("P1;T2;/a/b.py:<module>:3;x.py:run:4 10\nP1;T2 5\n"), &options,
                "==  seconds e-6\nP1;T2 5\nP1;T2;/a/b.py:<module>:3;x.py:run:4 10\n");
}

Test(input_austin, options_select)
{
    const char *threads[] = {"3"};
    struct input_options options = input_options_default();

    options.threads = threads;
    options.thread_count = 1;
    told_expect("thread", SLICE("P1;T2;a.py:f:1 10\nP1;T3;a.py:f:1 4\n"), &options,
                "==  seconds e-6\nf 4\n");
    options = input_options_default();
    options.srcline = true;
    told_expect("line", SLICE("P1;T2;a.py:f:1 10\n"), &options, "==  seconds e-6\nf:a.py:1 10\n");
}

Test(input_austin, moments_go_with_the_stacks)
{
    struct input_options options = input_options_default();
    struct reading r;
    const struct series *s;

    options.timed = true;
    reading_text(&r, SLICE("P1;T2;a.py:f:1 10\nP1;T2;a.py:g:1 20\n"), &options);
    cr_assert_eq(r.profile.series.count, 1);
    s = &r.profile.series.items[0];
    cr_assert_eq(s->count, 2);
    cr_assert_eq(s->timed.items.count, 2);
    for (uint32_t i = 0; i < 2; i++) {
        cr_expect_eq(s->timed.items.items[i].stack, s->stack[i]);
        cr_expect_eq(s->timed.items.items[i].weight, s->weight[i]);
    }
    reading_release(&r);
}

Test(input_austin, claims)
{
    static const char *const yes[] = {
        "# austin: 3.4.0\n# mode: wall\n",
        "P1;T2;a.py:f:1 10\n",
        "Process 1;Thread 0x7f;main (/a/b.py:3) 10\n",
        "P1;T2;main (/a/b.py);L3 10,0,-5\n",
    };
    static const char *const no[] = {
        "P1;T2;main;run 10\n",
        "main;a.py:f:1 10\n",
        "P1;T2 10\n",
        "P1;T2;a.py:f:1 10\nmain;run 3\n",
        "# austin is a town\nP1;T2;a.py:f:1 x\n",
        "Process 1 was killed\n",
        "Thread 55d3;main (a.py);run (a.py) 7\n",
        "Thread 55d3 7\n",
    };

    for (size_t i = 0; i < sizeof(yes) / sizeof(yes[0]); i++)
        cr_expect(claim_find(slice_str(yes[i]), true) == &format_austin, "%s", yes[i]);
    for (size_t i = 0; i < sizeof(no) / sizeof(no[0]); i++)
        cr_expect(claim_find(slice_str(no[i]), true) != &format_austin, "%s", no[i]);
}
