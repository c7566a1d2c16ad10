
#include "support/formats.h"
#include "unit/support/claim.h"
#include "unit/support/told.h"
#include "unit/support/test.h"

#define START "Version: 3.1.4\nFile format: 4\nTRACE START [2020-09-15 15:49:45]\n"
#define END "TRACE END   [2020-09-15 15:49:45]\n"

static const struct {
    const char *name, *text, *want;
} cases[] = {
    {"time between events is of the stack between them",
     START "1\t0\t0\t0.001\t100\t{main}\t1\t\t/a.php\t0\n"
           "2\t1\t0\t0.003\t100\tf\t1\t\t/a.php\t3\t1\t'x'\n"
           "2\t1\t1\t0.007\t100\n2\t1\tR\t\t\t5\n2\t\tA\t\t\t\t\t\t/a.php\t4\t$x = 5\n"
           "1\t0\t1\t0.008\t100\n\t\t\t0.010\t90\n" END,
     "== Time seconds e-9\n{main} 3000000\n{main};f 4000000\n"},
    {"allocated and freed memory are two more series",
     START "1\t0\t0\t0.001\t100\t{main}\t1\t\t/a.php\t0\n"
           "2\t1\t0\t0.003\t150\tf\t1\t\t/a.php\t3\n"
           "2\t1\t1\t0.007\t130\n1\t0\t1\t0.008\t130\n" END,
     "== Time seconds e-9\n{main} 3000000\n{main};f 4000000\n== Memory bytes\n{main} 50\n"
     "== Memory before bytes\n{main};f 20\n"},
    {"a file that is included is part of the name; what eval runs is not",
     START
     "1\t0\t0\t0\t1\tinclude\t1\t/b.php\t/a.php\t7\n2\t1\t0\t0.1\t1\teval\t1\t'1;'\t/b.php\t7\n"
     "2\t1\t1\t0.3\t1\n1\t0\t1\t0.3\t1\n" END,
     "== Time seconds e-9\ninclude::/b.php 100000000\ninclude::/b.php;eval 200000000\n"},
    {"ends that are missing: an exception",
     START "1\t0\t0\t0\t1\ta\t1\t\t/a.php\t7\n2\t1\t0\t0.1\t1\tb\t1\t\t/b.php\t7\n"
           "3\t2\t0\t0.2\t1\tc\t1\t\t/b.php\t7\n2\t3\t0\t0.4\t1\td\t1\t\t/b.php\t7\n"
           "1\t0\t1\t0.5\t1\n" END,
     "== Time seconds e-9\na 100000000\na;b 100000000\na;b;c 200000000\na;d 100000000\n"},
    {"a trace that begins within functions, and ends with one running",
     START "5\t9\t1\t0.1\t1\n4\t8\t1\t0.2\t1\n4\t10\t0\t0.3\t1\tf\t1\t\t/a\t1\n\t\t\t0.5\t1\n" END,
     "== Time seconds e-9\n 200000000\nf 200000000\n"},
    {"long numbers, and lines that end in CR LF",
     START "1\t0\t0\t0.1\t1\ta\t1\t\t/a\t1\r\n"
           "2\t12345678\t0\t0.123456789\t12345678901\tb\t1\t\t/a\t1\n"
           "2\t123456789\t1\t0.2\t12345678901\n1\t0\t1\t12345678.5\t12345678901\n" END,
     "== Time seconds e-9\na 12345678323456789\na;b 76543211\n== Memory bytes\na 12345678900\n"},
    {"the same call from another line, and with other arguments",
     START "1\t0\t0\t0.1\t1\ta\t1\t\t/a\t1\n2\t1\t0\t0.2\t1\tb\t1\t\t/a\t2\n"
           "2\t1\t1\t0.3\t1\n2\t2\t0\t0.4\t1\tb\t1\t\t/a\t3\t1\t'x'\n2\t2\t1\t0.5\t1\n"
           "2\t3\t0\t0.6\t1\tb\t1\t\t/a\t2\n2\t3\t1\t0.7\t1\n1\t0\t1\t0.8\t1\n" END,
     "== Time seconds e-9\na 400000000\na;b 300000000\n"},
    {"two traces in a file",
     START "1\t0\t0\t0.1\t1\ta\t1\t\t/a\t1\n1\t0\t1\t0.2\t1\n" END "\n" START
           "1\t0\t0\t0.5\t1\ta\t1\t\t/a\t1\n1\t0\t1\t0.7\t1\n" END,
     "== Time seconds e-9\na 300000000\n"},
    {"cut", START "1\t0\t0\t0.1\t1\ta\t1\t\t/a\t1\n2\t1\t0\t0.2\t1\tb\t1\t\t/a\t1\n",
     "== Time seconds e-9\na 100000000\nin:5: warning: the file ends before 'TRACE END'; open "
     "calls are counted up to here\n"},
    {"lines that cannot be read",
     START "1\t0\t0\t0.1\t1\ta\t1\t\t/a\t1\n1\t0\tX\t0.2\t1\n1\t0\t1\t-5\t1\n1\t0\t1\t0.05\t1\n"
           "1\t0\t0\t0.1\t1\n1\t0\t0\t99999999999999999999\t1\tb\nnothing\n" END,
     "== Time seconds e-9\n"
     "in:5: warning: expected a call or its end; line skipped\n"
     "in:6: warning: level, time or memory is not a number; line skipped\n"
     "in:7: warning: the time is earlier than in the event before; counted as 0\n"
     "in:8: warning: a call without a name; line skipped\n"
     "in: ... and 2 more like it\n"
     "in: error: no stacks in this xdebug-trace file\nfailed\n"},
};

Test(input_xdebug_trace, texts)
{
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        told_expect(cases[i].name, slice_str(cases[i].text), NULL, cases[i].want);
}

Test(input_xdebug_trace, reference_names)
{
    struct input_options options = input_options_default();

    options.names = NAMES_REFERENCE;
    told_expect("include", slice_str(cases[2].text), &options,
                "== Time seconds e-9\ninclude 100000000\ninclude;eval 200000000\n");
}

Test(input_xdebug_trace, deep)
{
    enum { DEPTH = 100000 };
    struct buf text = {0};
    struct reading r;

    buf_add_str(&text, START);
    for (int i = 1; i <= DEPTH; i++)
        buf_printf(&text, "%d\t%d\t0\t%d\t1\tf\t1\t\t/a\t1\n", i, i, i);
    buf_add_str(&text, END);
    reading_text(&r, buf_slice(&text), NULL);
    cr_expect_eq(r.result, INPUT_READ);
    cr_expect_eq(r.profile.series.items[0].total, (DEPTH - 1) * (uint64_t)1000000000);
    reading_release(&r);
    buf_release(&text);
}

Test(input_xdebug_trace, claims)
{
    cr_expect(claim_by(&format_xdebug_trace, SLICE(START), true));
    cr_expect_not(claim_by(&format_xdebug_trace, SLICE("TRACE START [2020]\n"), true));
    cr_expect_not(claim_by(&format_xdebug_trace, SLICE("File format: 4\n"), true));
}
