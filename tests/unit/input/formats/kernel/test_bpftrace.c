
#include "unit/support/claim.h"
#include "unit/support/corpus.h"
#include "unit/support/golden.h"
#include "unit/support/test.h"

#define TOP "Attaching 2 probes...\n\n\n"
#define KERNEL "    schedule+35\n    entry_SYSCALL_64_after_hwframe+118\n"

static const struct {
    const char *name, *text, *want;
} cases[] = {
    {"stacks and no stack", TOP "@[\n" KERNEL "]: 3\n@[\n" KERNEL "]: 4\n@[]: 383\n",
     "[@]\n 383\nentry_SYSCALL_64_after_hwframe;schedule 7\n"},
    {"kernel, user, comm, pid",
     "@[\n" KERNEL ", \n    poll(int, char)+79\n    main+1\n, thr, 12]: 4\n"
     "@[, \n    std::f<a, b>(int)+7\n    0x7fb5\n, a b, 12]: 1\n@[, , thr, 12]: 2\n",
     "[@]\na b;12;0x7fb5;std::f<a, b> 1\nthr;12 2\n"
     "thr;12;main;poll;entry_SYSCALL_64_after_hwframe;schedule 4\n"},
    {"the kernel's stack is at the leaf wherever its key is",
     "@[\n    main+1\n, thr, \n" KERNEL "]: 4\n",
     "[@]\nthr;main;entry_SYSCALL_64_after_hwframe;schedule 4\n"},
    {"a graph for each map",
     "@a_us[\n    f+1\n]: 4\nsome text\n@b[x, \n    g+1\n]: 2\n@a_us[\n    f+9\n]: 1\n",
     "[@a_us]\nf 5\n[@b]\nx;g 2\n"},
    {"blanks at the end lost", "@[,\n    f+1\n,\n    g+1\n, c]: 4\n", "[@]\nc;g;f 4\n"},
    {"perf's mode",
     "@[\n\tffffffff81001234 read+14 ([kernel.kallsyms])\n\t7f1234567890 main+1 (/bin/a b)\n"
     "\t7f1234567891 [unknown] (/lib/libz.so)\n]: 4\n",
     "[@]\n[libz.so];main;read 4\n"},
    {"a stack of the program whose root is no address",
     "@[\n\t7f1234567890 read+14 (/lib/libc.so)\n\tb83f66bc7bd0735a f+1 (/bin/a)\n,\n"
     "\tffffffff81001234 vfs_read+14 ([kernel.kallsyms])\n]: 4\n",
     "[@]\nf;read;vfs_read 4\n"},
};

Test(input_bpftrace, maps)
{
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        golden_text(cases[i].name, "bpftrace", cases[i].text, NULL, cases[i].want, "");
}

Test(input_bpftrace, what_does_not_add_up_is_told_and_left_out)
{
    golden_text("left out", "bpftrace",
                TOP "@n: 98\n@off[thr]: 5\n@e[]: 6\n@h[\n" KERNEL "]: \n[256, 512)   1 |@@@|\n\n"
                    "@s[\n" KERNEL "]: count 3, average 4, total 12\n@lat_max[\n" KERNEL "]: 7\n"
                    "@d[\n" KERNEL "]: -1\n@x: \n[0]  1 |@|\n\n@ok[\n" KERNEL "]: 1\n",
                NULL, "[@ok]\nentry_SYSCALL_64_after_hwframe;schedule 1\n",
                "in: warning: map @h contains histograms, which cannot be added up; skipped\n"
                "in: warning: map @s contains statistics, which cannot be added up; skipped\n"
                "in: warning: map @lat_max contains averages or extremes, which cannot be added "
                "up; skipped\n"
                "in: ... and 2 more like it\n"
                "in: note: skipped 1 entry of map @n, which has no stacks\n"
                "in: note: skipped 1 entry of map @off, which has no stacks\n"
                "in: note: skipped 1 entry of map @e, which has no stacks\n");
}

Test(input_bpftrace, json_with_a_key_that_is_empty)
{
    golden_text("empty key", "bpftrace-json",
                "{\"type\": \"map\", \"data\": {\"@\": {\"\\n \": 4, \"\\n    f+1\\n\": 3}}}\n",
                NULL, "[@]\n 4\nf 3\n", "");
}

/* A repeated entry is not parsed again. */
Test(input_bpftrace, the_same_text_again)
{
    golden_text("again", "bpftrace",
                "@a[\n    f+1\n, x]: 4\n@a[\n    f+1\n, x]: 5\n@a[\n@a[\n    f+1\n, x]: 6\n"
                "@b[\n    f+1\n, x]: 7\n@a[\n    f+1\n, x]: 99999999999999999999\n",
                NULL, "[@a]\nx;f 15\n[@b]\nx;f 7\n",
                "in:8: warning: incomplete entry of map @a skipped\n"
                "in: warning: map @a contains values other than counts, which cannot be added up; "
                "skipped\n");
}

Test(input_bpftrace, cut_entries_are_told)
{
    golden_text("cut", "bpftrace",
                "@a[\n    f+1\n]: 4\n@a[\n    g+1\n@a[\n    f+1\noops\n@a[\n    h", NULL,
                "[@a]\nf 4\n",
                "in:6: warning: incomplete entry of map @a skipped\n"
                "in:8: warning: incomplete entry of map @a skipped\n"
                "in:10: warning: incomplete entry of map @a skipped\n");
}

Test(input_bpftrace, units_are_in_the_names_of_maps)
{
    struct reading r;

    reading_text(&r, SLICE("@off_us[\n    f+1\n]: 4\n@bytes[\n    f+1\n]: 4\n@[\n    f+1\n]: 4\n"),
                 NULL);
    cr_assert_eq(r.profile.series.count, 3);
    cr_expect_eq(r.profile.series.items[0].unit.kind, UNIT_SECONDS);
    cr_expect_eq(r.profile.series.items[0].unit.exponent, -6);
    cr_expect_eq(r.profile.series.items[1].unit.kind, UNIT_BYTES);
    cr_expect_eq(r.profile.series.items[2].unit.kind, UNIT_COUNT);
    reading_release(&r);
}

Test(input_bpftrace, kernel_stacks_have_their_class)
{
    struct input_options options = input_options_default();

    options.kernel = true;
    golden_text("class", "bpftrace", "@[\n" KERNEL ", \n    main+1\n]: 4\n", &options,
                "[@]\nmain;entry_SYSCALL_64_after_hwframe_[k];schedule_[k] 4\n", "");
}

Test(input_bpftrace, claims)
{
    static const struct {
        const char *text;
        bool claimed;
    } rows[] = {
        {"@[\n    f+1\n]: 3\n", true},
        {"text\n@a[\n\tf+1\n, x]: 3\n", true},
        {"@[]: 383\n", true},
        {TOP "@n: 98\n", true},
        {"@n: 98\n", false},
        {"@a[thr]: 5\n", false},
        {"@ CPU_CLK_UNHALTED [4 samples]\n\n50%   [2]   f @ /x\n", false},
        {"@interface X\n@property[\n    f\n]\n", false},
        {"@[\n    f\ntext]: 3\n", false},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        cr_expect_eq(claim_by(&format_bpftrace, slice_str(rows[i].text), true), rows[i].claimed,
                     "row %zu", i);
}

Test(input_bpftrace, reference_names, .init = corpus_need)
{
    golden_reference("bpftrace/input1.txt",
                     "bpftrace/expected/computed/input1.txt.ref-perl.folded");
    golden_reference_without_root("bpftrace/input2.txt",
                                  "bpftrace/expected/computed/input2.txt.ref-perl.folded");
    golden_reference_without_root(
        "bpftrace/bpftrace017-profile-kstack.txt",
        "bpftrace/expected/computed/bpftrace017-profile-kstack.txt.ref-perl.folded");
}

/* ---- JSON ---------------------------------------------------------------------------------- */

#define PROBES "{\"type\": \"attached_probes\", \"data\": {\"probes\": 2}}\n"

Test(input_bpftrace, json)
{
    golden_text(
        "maps", "bpftrace-json",
        PROBES "{\"type\": \"printf\", \"data\": \"@hello\"}\n"
               "{\"type\": \"map\", \"data\": {\"@\": {\"\\n\\tschedule+35\\n"
               "\\tentry_SYSCALL_64+1\\n,\\n\\tf<a, b>(int)+7\\n,thr,1\": 4, "
               "\",,thr,1\": 5, \"\\n    g+1\\n,,x,1\": 2}}}\n"
               "{\"type\": \"map\", \"data\": {\"@b\": {\"\\n\\tg+1\\n\": 1}}}\n",
        NULL, "[@]\nthr;1 5\nthr;1;f<a, b>;entry_SYSCALL_64;schedule 4\nx;1;g 2\n[@b]\ng 1\n", "");
}

Test(input_bpftrace, json_left_out)
{
    golden_text(
        "left out", "bpftrace-json",
        PROBES "{\"type\": \"map\", \"data\": {\"@n\": 5}}\n"
               "{\"type\": \"map\", \"data\": {\"@o\": {\"thr\": 5}}}\n"
               "{\"type\": \"hist\", \"data\": {\"@h\": {\"\\n\\tf\\n\": [{\"min\": 0}]}}}\n"
               "{\"type\": \"stats\", \"data\": {\"@s\": {\"\\n\\tf\\n\": {\"count\": 1}}}}\n"
               "{\"type\": \"map\", \"data\": {\"@t\": {\"\\n\\tf\\n\": [1, 2], "
               "\"\\n\\tg\\n\": 1}}}\n",
        NULL, "[@t]\ng 1\n",
        "in: warning: map @h contains histograms, which cannot be added up; skipped\n"
        "in: warning: map @s contains statistics, which cannot be added up; skipped\n"
        "in: warning: map @t contains values other than counts, which cannot be added up; skipped\n"
        "in: note: skipped 1 entry of map @n, which has no stacks\n"
        "in: note: skipped 1 entry of map @o, which has no stacks\n");
}

Test(input_bpftrace, json_claims)
{
    cr_expect(claim_by(&format_bpftrace_json,
                       SLICE(PROBES "{\"type\": \"map\", \"data\": {\"@\": {}}}\n"), true));
    cr_expect_not(claim_by(&format_bpftrace_json, SLICE(PROBES), true));
    cr_expect_not(claim_by(&format_bpftrace_json,
                           SLICE("{\"type\": \"FeatureCollection\", \"data\": {\"@\": 1}}"), true));
}
