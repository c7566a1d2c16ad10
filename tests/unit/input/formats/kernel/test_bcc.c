
#include "unit/support/claim.h"
#include "unit/support/golden.h"
#include "unit/support/test.h"

#define OFFCPU                                                                                     \
    "Tracing off-CPU time (us) of all threads by user + kernel stack... Hit Ctrl-C to end.\n"
#define MIDDLE_OLD "    -                -\n"
#define MIDDLE "    --               --\n"

static const struct {
    const char *name, *text, *want;
} cases[] = {
    {"offcputime, its older form, glued ^C",
     OFFCPU "^C\n    schedule\n    do_wait\n    bash\n        13\n\n    schedule\n    do_wait\n"
            "    bash\n        12\n",
     "bash;do_wait;schedule 25\n"},
    {"process and number, arguments, unknown frames",
     OFFCPU "^C    pread\n    f(int, char*)\n    [unknown]\n    [Missed User Stack]\n"
            "    -                Web Content (1744)\n        5\n",
     "Web Content;[Missed User Stack];[unknown];f;pread 5\n"},
    {"addresses, offsets, modules, annotations",
     OFFCPU
     "    ffffffff81378930 vfs_read+0x1f\n    #1  0x00007f12 read+0x5 [libc.so.6]\n"
     "    0x00007f13\n    #3  0x00007f14 g (/usr/lib/libz.so+0x12)\n"
     "    0x00007f15 h [libc.so.6]\n    do_idle_[k]\n    -                a (1)\n        5\n",
     "a;do_idle;h;g;0x7f13;read;vfs_read 5\n"},
    {"stackcount",
     "Tracing 2 functions for \"vfs*\"... Hit Ctrl-C to end.\n\n06:05:13\n  vfs_read\n  sys_read\n"
     "    3\n\n06:05:14\n  vfs_read\n  sys_read\n    4\n\nDetaching...\n",
     "sys_read;vfs_read 7\n"},
    {"stackcount with processes",
     "  vfs_read\n  sys_read\n    --\n  read\n    dd [12]\n    3\n\n  vfs_read\n    --\n"
     "    kworker/u16:1 [7]\n    1\n",
     "dd;read;-;sys_read;vfs_read 3\nkworker/u16:1;-;vfs_read 1\n"},
    {"wakeuptime, leaf first",
     "    target:          vmstat\n    ffffffff810df082 hrtimer_wakeup\n"
     "    ffffffff810dfba8 hrtimer_interrupt\n    waker:           swapper/1\n        31\n",
     "swapper/1;hrtimer_interrupt;hrtimer_wakeup;vmstat 31\n"},
    {"wakeuptime, root first; one frame takes the order of the stack before",
     "    target:          m\n    entry_SYSCALL_64_fastpath\n    pollwake\n    waker:           w\n"
     "        3\n\n    target:          m\n    a\n    b\n    waker:           w\n        4\n",
     "w;a;b;m 4\nw;entry_SYSCALL_64_fastpath;pollwake;m 3\n"},
    {"offwaketime",
     "    waker:           Web Content 12\n    main\n    entry\n    pollwake\n" MIDDLE
     "    schedule\n    entry\n    -\n    poll\n    target:          X 1 9\n        8\n",
     "X 1;poll;-;entry;schedule;--;pollwake_[w];entry_[w];main_[w];Web Content_[w] 8\n"},
    {"offwaketime, old",
     "    waker:           swapper/0 1\n" MIDDLE_OLD
     "    schedule\n    target:          sh\n        8\n",
     "sh;schedule;--;swapper/0 1_[w] 8\n"},
    {"bytes of Python 3",
     OFFCPU
     "    b'vfs_read+0x1f'\n    b'f [libc.so.6]'\n    it's b\n    -                b'a b' (1)\n"
     "        5\n",
     "a b;it's b;f;vfs_read 5\n"},
    {"blanks at the ends of lines",
     OFFCPU "    a  \n    b \n        1 \n   \n    c\n    -  \n    d\n        2\n",
     "b;a 1\nd;-;c 2\n"},
    {"a weight without a stack", OFFCPU "        8\n\n    a\n    b\n        1\n", " 8\nb;a 1\n"},
};

Test(input_bcc, stacks)
{
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        golden_text(cases[i].name, "bcc", cases[i].text, NULL, cases[i].want, "");
}

Test(input_bcc, units_are_those_of_the_tool)
{
    static const struct {
        const char *text;
        enum unit_kind kind;
        int exponent;
        const char *noun;
    } rows[] = {
        {OFFCPU "    a\n    b\n        1\n", UNIT_SECONDS, -6, ""},
        {"    target:  a\n    b\n    waker:   c\n        1\n", UNIT_SECONDS, -6, ""},
        {"Sampling at 49 Hertz of all threads by user + kernel stack... Hit Ctrl-C to end.\n"
         "    a\n    b\n        1\n",
         UNIT_COUNT, 0, "samples"},
        {"Tracing 1 functions for \"f\"... Hit Ctrl-C to end.\n  f\n    1\n", UNIT_COUNT, 0,
         "calls"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct unit unit;
        struct reading r;

        reading_text(&r, slice_str(rows[i].text), NULL);
        cr_assert_eq(r.result, INPUT_READ, "row %zu", i);
        unit = r.profile.series.items[0].unit;
        cr_expect_eq(unit.kind, rows[i].kind, "row %zu", i);
        cr_expect(unit.kind == UNIT_COUNT || unit.exponent == rows[i].exponent, "row %zu", i);
        cr_expect(unit.kind != UNIT_COUNT || slice_equal(unit.noun, slice_str(rows[i].noun)),
                  "row %zu", i);
        reading_release(&r);
    }
}

Test(input_bcc, kernel_frames_are_those_above_the_line_or_all)
{
    struct input_options options = input_options_default();

    options.kernel = true;
    golden_text("delimiter", "bcc", OFFCPU "    schedule\n    --\n    read\n    sh\n        1\n",
                &options, "sh;read;-;schedule_[k] 1\n", "");
    golden_text("header", "bcc",
                "Tracing off-CPU time (us) of all threads by kernel stack... Hit Ctrl-C to end.\n"
                "    schedule\n    sh\n        1\n",
                &options, "sh;schedule_[k] 1\n", "");
    golden_text("annotated", "bcc", OFFCPU "    schedule_[k]\n    read\n    sh\n        1\n",
                &options, "sh;read;schedule_[k] 1\n", "");
}

/* A repeated record is not parsed again, unless a new header changed its meaning. */
Test(input_bcc, the_same_text_again)
{
    struct input_options options = input_options_default();

    options.kernel = true;
    golden_text("another header", "bcc",
                OFFCPU "    a\n    sh\n        1\n\n    a\n    sh\n        2\n\n"
                       "Tracing off-CPU time (us) of all threads by kernel stack.\n"
                       "    a\n    sh\n        4\n\n    a\n    sh\n        8\n\n"
                       "Sampling at 49 Hertz of all threads by kernel stack... Hit Ctrl-C to end.\n"
                       "    a\n    sh\n        16\n\n    a\n    sh\n        32\n",
                &options, "sh;a 3\nsh;a_[k] 12\n[samples]\nsh;a_[k] 48\n", "");
    golden_text("a stack without a weight before", "bcc",
                OFFCPU "    a\n    sh\n\n^C    b\n    sh\n        2\n\n    a\n    sh\n"
                       "        99999999999999999999\n\n    a\n    sh\n        1\n\n"
                       "    a\n    sh\n        99999999999999999999\n",
                NULL, "sh;a 1\nsh;b 2\n", NULL);
}

Test(input_bcc, what_is_no_stack_is_told)
{
    golden_text("told", "bcc",
                OFFCPU "    a\n    sh\n        1\nWARNING: 8 stack traces could not be displayed.\n"
                       "Consider increasing --stack-storage-size.\n\nsome prose\n"
                       "    b\n    sh\n        99999999999999999999\n    c\n    sh\n",
                NULL, "sh;a 1\n",
                "in:8: warning: neither an indented frame nor a weight: 'some prose'; "
                "line skipped\n"
                "in:11: warning: the weight exceeds 64 bits; stack skipped\n"
                "in:13: warning: stack without a weight skipped\n");
}

Test(input_bcc, claims)
{
    static const struct {
        const char *text;
        bool claimed;
    } rows[] = {
        {OFFCPU "    a\n    sh\n        1\n", true},
        {"    a\n    -                sh (12)\n        1\n", true},
        {"    target:   a\n    b\n    waker:   c\n        1\n", true},
        {"  a\n  b\n    1\n\n  a\n  c\n    1\n", true},
        {"Tracing block device I/O... Hit Ctrl-C to end.\n     usecs : count distribution\n",
         false},
        {"list:\n    a\n    sh\n        1\n", false},
        {"    a\n    sh\n        1\n", false},
        {"              kernel`a\n              kernel`b\n                2\n", false},
        {"", false},
        {"[\n  [\n    \"\",\n    \"a\",\n    2\n  ],\n  [\n    \"\",\n    \"b\",\n    2\n  ]\n]\n",
         false},
        {"    [unknown]\n    b\n        1\n\n    [unknown]\n    c\n        1\n", true},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        cr_expect_eq(claim_by(&format_bcc, slice_str(rows[i].text), true), rows[i].claimed,
                     "row %zu", i);
}
