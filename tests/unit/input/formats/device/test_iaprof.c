#include "unit/support/claim.h"
#include "unit/support/folding.h"
#include "unit/support/test.h"

#define STRINGS                                                                                    \
    "string\t0\tapp\nstring\t1\tmain;f\nstring\t2\ta."                                             \
    "cl\nstring\t3\tk\nstring\t4\tmad\nstring\t5\t\n"
#define KERNEL "kernel\t0x10\t0\t7\t1\t2\t3\n"
#define TOP STRINGS "interval\t0\t5.000000\n" KERNEL

static const struct folding cases[] = {
    {"each reason has the samples of its column",
     TOP "eustall\t0x8\t4\t1\t2\t3\t4\t5\t6\t7\t8\t9\t10\n",
     "[stalls]\nmain;f;-;a.cl;k;mad;control;0x8 2\nmain;f;-;a.cl;k;mad;dist_acc;0x8 5\n"
     "main;f;-;a.cl;k;mad;inst_fetch;0x8 8\nmain;f;-;a.cl;k;mad;other;0x8 9\n"
     "main;f;-;a.cl;k;mad;pipestall;0x8 3\nmain;f;-;a.cl;k;mad;sbid;0x8 6\n"
     "main;f;-;a.cl;k;mad;send;0x8 4\nmain;f;-;a.cl;k;mad;sync;0x8 7\n"
     "main;f;-;a.cl;k;mad;tdr;0x8 10\n[active]\nmain;f;-;a.cl;k;mad;active;0x8 1\n"
     "[all samples]\nmain;f;-;a.cl;k;mad;active;0x8 1\nmain;f;-;a.cl;k;mad;control;0x8 2\n"
     "main;f;-;a.cl;k;mad;dist_acc;0x8 5\nmain;f;-;a.cl;k;mad;inst_fetch;0x8 8\n"
     "main;f;-;a.cl;k;mad;other;0x8 9\nmain;f;-;a.cl;k;mad;pipestall;0x8 3\n"
     "main;f;-;a.cl;k;mad;sbid;0x8 6\nmain;f;-;a.cl;k;mad;send;0x8 4\n"
     "main;f;-;a.cl;k;mad;sync;0x8 7\nmain;f;-;a.cl;k;mad;tdr;0x8 10\n",
     NULL},
    {"a zero shifts no reason; intervals add up; strings may come again",
     TOP "eustall\t0x8\t4\t0\t0\t3\t0\t0\t0\t0\t0\t0\t0\n"
         "interval\t1\t5.010000\nstring\t4\tsend\n" KERNEL
         "eustall\t0x8\t4\t0\t0\t4\t0\t0\t0\t0\t0\t0\t0\n",
     "[stalls]\nmain;f;-;a.cl;k;mad;pipestall;0x8 3\nmain;f;-;a.cl;k;send;pipestall;0x8 4\n"
     "[all samples]\nmain;f;-;a.cl;k;mad;pipestall;0x8 3\nmain;f;-;a.cl;k;send;pipestall;0x8 4\n",
     NULL},
    {"an empty file is no frame; addresses without a function; several processes",
     STRINGS "string\t6\tb\nstring\t7\t0x7f12;g\ninterval\t0\t5.0\nkernel\t0x10\t0\t7\t7\t5\t3\n"
             "eustall\t0x8\t4\t2\t0\t0\t0\t0\t0\t0\t0\t0\t0\nkernel\t0x20\t6\t8\t5\t5\t3\n"
             "eustall\t0x8\t4\t3\t0\t0\t0\t0\t0\t0\t0\t0\t0\n",
     "[active]\napp;0x7f12;g;-;k;mad;active;0x8 2\nb;-;k;mad;active;0x8 3\n"
     "[all samples]\napp;0x7f12;g;-;k;mad;active;0x8 2\nb;-;k;mad;active;0x8 3\n",
     NULL},
    {"samples whose kernel iaprof does not know",
     TOP "eustall\t0x8\t4\t0\t0\t0\t0\t3\t0\t0\t0\t0\t0\nmetric\teu-stall-dist-acc\t5\n"
         "metric\teu-stall-active\t0\nmetric\teu-stall-dist\t9\nmetric\tnew-one\t1.5\n",
     "[stalls]\n[unknown kernel];dist_acc 2\napp;main;f;-;a.cl;k;mad;dist_acc;0x8 3\n"
     "[all samples]\n[unknown kernel];dist_acc 2\napp;main;f;-;a.cl;k;mad;dist_acc;0x8 3\n",
     "the kernel of 2 samples is not in the recording; shown below [unknown kernel]"},
    {"names that are not defined", TOP "eustall\t0x8\t9\t1\t0\t0\t0\t0\t0\t0\t0\t0\t0\n",
     "[active]\nmain;f;-;a.cl;k;[unknown];active;0x8 1\n"
     "[all samples]\nmain;f;-;a.cl;k;[unknown];active;0x8 1\n",
     "1 name is not defined"},
    {"lines that do not fit",
     STRINGS
     "interval\t0\t5.0\neustall\t0x8\t4\t1\t0\t0\t0\t0\t0\t0\t0\t0\t0\n" KERNEL
     "eustall\t0x8\t4\t1\t0\t0\t0\t0\t0\t0\t0\t0\n"
     "eustall\t0x8\t4\t-1\t0\t0\t0\t0\t0\t0\t0\t0\t0\nkernel\t1\nmetric\tx\ty\ninterval\t1\tz\n"
     "x\n" KERNEL "eustall\t0x8\t4\t2\t0\t0\t0\t0\t0\t0\t0\t0\t0\n",
     "[active]\nmain;f;-;a.cl;k;mad;active;0x8 2\n"
     "[all samples]\nmain;f;-;a.cl;k;mad;active;0x8 2\n",
     "expected a kernel before its samples"},
};

Test(input_iaprof, texts)
{
    folding_check("iaprof", cases, sizeof(cases) / sizeof(cases[0]), NULL);
}

Test(input_iaprof, lines_that_do_not_fit_are_quoted)
{
    static const char *const messages[] = {
        "expected numbers of samples",
        "expected a number for the metric",
        "an interval has no time",
    };
    struct reading r;

    reading_text(&r,
                 SLICE(TOP "eustall\t0x8\t4\t2\t0\t0\t0\t0\t0\t0\t0\t0\t0\n"
                           "eustall\t0x8\t4\t-1\t0\t0\t0\t0\t0\t0\t0\t0\t0\n"
                           "metric\tx\ty\ninterval\t1\tz\n"),
                 NULL);
    for (size_t i = 0; i < sizeof(messages) / sizeof(messages[0]); i++)
        reading_expect_message(&r, messages[i]);
    reading_release(&r);
}

Test(input_iaprof, facts_and_times)
{
    struct reading r;

    reading_text(&r,
                 SLICE(TOP "eustall\t0x8\t4\t3\t1\t0\t0\t0\t0\t0\t0\t0\t0\n"
                           "metric\tfrequency-MHz\t2400\nmetric\tbusy-percent\t62.5\n"
                           "interval\t1\t5.020000\n" KERNEL
                           "eustall\t0x8\t4\t0\t1\t0\t0\t0\t0\t0\t0\t0\t0\n"
                           "metric\tfrequency-MHz\t2350\nmetric\tbusy-percent\t70.25\n"),
                 NULL);
    cr_expect(slice_equal(profile_fact(&r.profile, SLICE("GPU busy")),
                          SLICE("66.375% (62.5% to 70.25%)")));
    cr_expect(slice_equal(profile_fact(&r.profile, SLICE("GPU frequency")),
                          SLICE("2,375 MHz (2,350 MHz to 2,400 MHz)")));
    cr_expect_eq(r.profile.series.items[0].total, 2);
    cr_expect_eq(r.profile.series.items[0].first_ns, 5000000000);
    cr_expect_eq(r.profile.series.items[0].last_ns, 5020000000);
    cr_expect_eq(r.profile.series.items[1].samples, 3);
    reading_release(&r);
}

Test(input_iaprof, processes)
{
    static const char *const processes[] = {"app"};
    struct input_options o = input_options_default();
    struct reading r;

    o.processes = processes;
    o.process_count = 1;
    reading_text(&r,
                 SLICE(STRINGS "string\t6\tb\ninterval\t0\t5.0\n" KERNEL
                               "eustall\t0x8\t4\t2\t1\t0\t0\t0\t0\t0\t0\t0\t0\n"
                               "kernel\t0x20\t6\t8\t5\t5\t3\n"
                               "eustall\t0x8\t4\t3\t4\t0\t0\t0\t0\t0\t0\t0\t0\n"),
                 &o);
    cr_expect_eq(r.profile.ledger.left_out, 7);
    cr_expect_eq(r.profile.series.items[0].total, 1);
    reading_release(&r);
}

Test(input_iaprof, claims)
{
    cr_expect(claim_by(&format_iaprof, SLICE("interval\t0\t5.0\n"), true));
    cr_expect(claim_by(&format_iaprof, SLICE(STRINGS), false));
    cr_expect_not(claim_by(&format_iaprof, SLICE("string\t0\ta\nx\n"), true));
    cr_expect_not(claim_by(&format_iaprof, SLICE("interval\t5\tlong\n"), true));
    cr_expect_not(claim_by(&format_iaprof, SLICE("metric\tx\t5\n"), true));
}
