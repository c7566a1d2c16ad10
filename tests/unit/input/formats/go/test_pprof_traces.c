/* Output of pprof -traces, and its amounts. */

#include "input/formats/go/pprof.h"
#include "unit/support/claim.h"
#include "unit/support/reading.h"
#include "unit/support/test.h"

#define DASHES "-----------+-------------------------------------------------------\n"
#define HEAD "File: app\nType: cpu\nDuration: 10s, Total samples = 1.10s (11.00%)\n" DASHES

static const struct {
    const char *name, *text, *folded, *messages;
} cases[] = {
    {"time",
     HEAD
     "      key1:  tag: 1\n        1s   main.f (inline)\n             main.(*T).g[...]\n" DASHES
     "     100ms   main.main\n" DASHES,
     "main.(*T).g[...];main.f 1000000000\nmain.main 100000000\n", ""},
    {"bytes", "Type: inuse_space\n" DASHES "     bytes:  48B\n    1.50kB   a\n" DASHES, "a 1536\n",
     ""},
    {"counts", "Type: goroutine\n" DASHES "         3   a\n             b\n" DASHES, "b;a 3\n", ""},
    {"counts of something", "Type: x\n" DASHES "  3widgets   a\n" DASHES "  3B   a\n" DASHES,
     "a 3\n", "in:5: warning: neither a value with a frame nor a label: '3B   a'; line skipped\n"},
    {"nothing", HEAD "         0   a\n" DASHES "     1.10s   b\n" DASHES, "b 1100000000\n", ""},
    {"no heading", "\n" DASHES "         3   a\n" DASHES, "a 3\n", ""},
    {"no frames", HEAD "     100ms   \n" DASHES "        1s   b\n" DASHES,
     " 100000000\nb 1000000000\n", ""},
    {"cut", HEAD "        1s   a\n             b\n", "b;a 1000000000\n",
     "in: warning: the file is truncated: no separator after its last sample\n"
     "in: warning: the samples add up to less than the heading states; the file may be "
     "truncated\n"},
    {"cut behind labels", "Type: cpu\n" DASHES "   1s   a\n" DASHES "     key:  val",
     "a 1000000000\n", "in: warning: the file is truncated: no separator after its last sample\n"},
    {"samples missing", HEAD "        1s   a\n" DASHES, "a 1000000000\n",
     "in: warning: the samples add up to less than the heading states; the file may be "
     "truncated\n"},
    {"bad lines", HEAD "     1.10s   a\n      what\n" DASHES "     wrong\n   3B   x\n" DASHES,
     "a 1100000000\n",
     "in:6: warning: neither a value with a frame nor a label: 'what'; line skipped\n"
     "in:8: warning: neither a value with a frame nor a label: 'wrong'; line skipped\n"
     "in:9: warning: neither a value with a frame nor a label: '3B   x'; line skipped\n"},
};

Test(input_pprof_traces, forms)
{
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct reading r;

        reading_text(&r, slice_str(cases[i].text), NULL);
        cr_assert_eq(r.result, INPUT_READ, "%s", cases[i].name);
        reading_expect_fold(&r, cases[i].name, 0, cases[i].folded);
        reading_expect_messages(&r, cases[i].name, cases[i].messages);
        reading_release(&r);
    }
}

Test(input_pprof_traces, what_is_negative_was_there_before)
{
    struct reading r;

    reading_text(
        &r, SLICE("Type: cpu\n" DASHES "     -10ms   a\n" DASHES "      20ms   b\n" DASHES), NULL);
    cr_assert_eq(r.profile.series.count, 2);
    cr_expect_neq(profile_find_series(&r.profile, SLICE("cpu before")), SERIES_NONE);
    reading_expect_fold(&r, "before", profile_find_series(&r.profile, SLICE("cpu before")),
                        "a 10000000\n");
    reading_release(&r);
}

Test(input_pprof_traces, labels_name_threads)
{
    struct input_options options = input_options_default();
    struct reading r;

    options.split_thread = true;
    reading_text(&r,
                 SLICE("Type: cpu\n" DASHES "    thread:  a\n       10ms   f\n" DASHES
                       "       20ms   f\n" DASHES),
                 &options);
    cr_assert_eq(r.profile.series.count, 2);
    cr_expect(slice_equal(r.profile.series.items[0].name, SLICE("cpu, a")));
    cr_expect(slice_equal(r.profile.series.items[1].name, SLICE("cpu")));
    reading_release(&r);
}

Test(input_pprof_traces, claims)
{
    static const struct {
        const char *text;
        bool claimed;
    } rows[] = {
        {HEAD, true},           {DASHES, true}, {"a table\n" DASHES "one |two\n", false},
        {"Type: cpu\n", false}, {"", false},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        cr_expect_eq(claim_by(&format_pprof_traces, slice_str(rows[i].text), true), rows[i].claimed,
                     "%s", rows[i].text);
}

Test(input_pprof_traces, amounts)
{
    static const struct {
        const char *text;
        bool ok, negative;
        uint64_t value, rounding;
        enum unit_kind kind;
    } rows[] = {
        {"1s", true, false, 1000000000, 5000001, UNIT_SECONDS},
        {"-1.25ms", true, true, 1250000, 5001, UNIT_SECONDS},
        {"3ns", true, false, 3, 0, UNIT_SECONDS},
        {"1.5hrs", true, false, 5400000000000, 18000000001, UNIT_SECONDS},
        {"1.23kB", true, false, 1260, 6, UNIT_BYTES},
        {"12", true, false, 12, 0, UNIT_COUNT},
        {"7widgets", true, false, 7, 0, UNIT_COUNT},
        {"5:", false, false, 0, 0, UNIT_COUNT},
        {"s", false, false, 0, 0, UNIT_COUNT},
        {"", false, false, 0, 0, UNIT_COUNT},
        {"9999999999s", false, false, 0, 0, UNIT_COUNT},
        {"99999999999999999999", false, false, 0, 0, UNIT_COUNT},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct pprof_amount amount;
        bool ok = pprof_amount_parse(slice_str(rows[i].text), &amount);

        cr_expect_eq(ok, rows[i].ok, "%s", rows[i].text);
        if (!ok)
            continue;
        cr_expect_eq(amount.negative, rows[i].negative, "%s", rows[i].text);
        cr_expect_eq(amount.value, rows[i].value, "%s: %llu", rows[i].text,
                     (unsigned long long)amount.value);
        cr_expect_eq(amount.rounding, rows[i].rounding, "%s: %llu", rows[i].text,
                     (unsigned long long)amount.rounding);
        cr_expect_eq(amount.unit.kind, rows[i].kind, "%s", rows[i].text);
    }
}
