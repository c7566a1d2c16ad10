/*
 * The output of pprof -raw.
 */

#include "unit/support/claim.h"
#include "unit/support/reading.h"
#include "unit/support/test.h"

#define TYPES "PeriodType: cpu nanoseconds\nPeriod: 100\nDuration: 2.5s\nSamples:\n"
#define TABLES                                                                                     \
    "Locations\n"                                                                                  \
    "     1: 0x10 M=1 main.(*T).f[...] /src/a.go:5:0 s=3\n"                                        \
    "              main.g<int, long> /src/a.go:9:0 s=0(_Z4main)\n"                                 \
    "     2: 0x2020 M=1 \n"                                                                        \
    "     3: 0x30 main.main :0 s=0\n"                                                              \
    "     4: 0x40 [F] ??\n"                                                                        \
    "Mappings\n"                                                                                   \
    "1: 0x2000/0x3000/0x100 /bin/a app abcdef  [FN][FL]\n"

static const struct {
    const char *name, *text, *series, *folded, *messages;
} cases[] = {
    {"two columns", TYPES "samples/count cpu/nanoseconds\n   2   20: 1 3\n   1   10: 3 \n" TABLES,
     "cpu", "main.main 10\nmain.main;main.g<int, long>;main.(*T).f[...] 20\n", ""},
    {"one column", TYPES "cpu/nanoseconds\n   2: 1 3\n" TABLES, "cpu",
     "main.main;main.g<int, long>;main.(*T).f[...] 2\n", ""},
    {"labels", TYPES "a/count b/count\n 3 4: 3\n     bytes:[48 bytes] thread:[w x]\n" TABLES, "b",
     "main.main 4\n", ""},
    {"rows that come again",
     TYPES "a/count b/count\n 3 4: 3\n 3 4: 3\n 3 5: 3\n 3 4: 3\n -3 -4: 3\n 3 4: 3\n" TABLES, "b",
     "main.main 21\n", ""},
    {"numbers and blanks", TYPES "a/count\n\t 3:1  3\n 4 :\t3 \n - 4: 3\n 3-: 3\n 5: 3-1\n" TABLES,
     "a", "main.main 4\nmain.main;main.g<int, long>;main.(*T).f[...] 3\n",
     "in:8: warning: malformed sample: '- 4: 3'; line skipped\n"
     "in:9: warning: malformed sample: '3-: 3'; line skipped\n"
     "in:10: warning: malformed sample: '5: 3-1'; line skipped\n"},
    {"a large number", TYPES "a/count\n 3: 18000000000 3\n 4: 2147483648 3\n" TABLES, "a",
     "main.main;18000000000 3\nmain.main;2147483648 4\n",
     "in: warning: 2 frames refer to locations that are not listed; they are named by location "
     "id\n"},
    {"no function", TYPES "cpu/count\n 7: 2 4\n" TABLES, "cpu", "0x40;a app abcdef+0x120 7\n", ""},
    {"a build id",
     TYPES "cpu/count\n 7: 2\nLocations\n 2: 0x2020 M=1 \nMappings\n"
           "1: 0x2000/0x3000/0x0 /bin/a app 0123abcdef [FN]\n",
     "cpu", "a app+0x20 7\n", ""},
    {"a build id and no marks",
     TYPES "cpu/count\n 7: 2\nLocations\n 2: 0x2020 M=1 \nMappings\n"
           "1: 0x2000/0x3000/0x0 [vdso] 0123abcdef \n",
     "cpu", "[vdso]+0x20 7\n", ""},
    {"no stack", TYPES "cpu/count\n 7: \n 1: 3\n" TABLES, "cpu", " 7\nmain.main 1\n", ""},
    {"not listed", TYPES "cpu/count\n 7: 9 3\n" TABLES, "cpu", "main.main;9 7\n",
     "in: warning: 1 frame refers to a location that is not listed and is named by location "
     "id\n"},
    {"bad rows",
     TYPES "cpu/count\n 7: 3\n 7 8: 3\n x: 3\n 8: 3 y\n 99999999999999999999: 3\n" TABLES, "cpu",
     "main.main 7\n",
     "in:7: warning: malformed sample: '7 8: 3'; line skipped\n"
     "in:8: warning: malformed sample: 'x: 3'; line skipped\n"
     "in:9: warning: malformed sample: '8: 3 y'; line skipped\n"
     "in: ... and 1 more like it\n"},
    {"headings out of place", TYPES "cpu/count\n 7: 3\nSamples:\na/b c/d\n" TABLES "Locations\n",
     "cpu", "main.main 7\n",
     "in:7: warning: malformed sample: 'Samples:'; line skipped\n"
     "in:8: warning: malformed sample: 'a/b c/d'; line skipped\n"
     "in:17: warning: malformed mapping: 'Locations'; line skipped\n"},
    {"cut behind the locations", TYPES "cpu/count\n 7: 3\nLocations\n 3: 0x1 main.main :0 s=0\n",
     "cpu", "main.main 7\n", "in: warning: the file is truncated: its mappings are missing\n"},
};

Test(input_pprof_raw, forms)
{
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct reading r;

        reading_text(&r, slice_str(cases[i].text), NULL);
        cr_assert_eq(r.result, INPUT_READ, "%s", cases[i].name);
        reading_expect_fold(&r, cases[i].name,
                            profile_find_series(&r.profile, slice_str(cases[i].series)),
                            cases[i].folded);
        reading_expect_messages(&r, cases[i].name, cases[i].messages);
        reading_release(&r);
    }
}

/* Each series with a value has the stack, and the ledger counts it once. */
Test(input_pprof_raw, truncated_stacks_of_series)
{
    const struct slice text = SLICE(TYPES "a/count b/count\n 1 2: 1 3\n 0 4: 1 3\n 0 4: 1 3\n"
                                          " 0 0: 1 3\n 5 5: 3\n" TABLES);
    struct input_options options = input_options_default();
    struct reading r;

    options.limits.max_depth = 2;
    reading_text(&r, text, &options);
    cr_assert_eq(r.result, INPUT_READ);
    cr_expect_eq(r.profile.series.items[profile_find_series(&r.profile, SLICE("a"))].truncated, 1);
    cr_expect_eq(r.profile.series.items[profile_find_series(&r.profile, SLICE("b"))].truncated, 3);
    cr_expect_eq(r.profile.ledger.truncated, 4);
    cr_expect_eq(r.profile.ledger.truncated_of_series, 3);
    reading_release(&r);
}

/* Labels belong to the row above them, even if an equal row before had other labels or none. */
Test(input_pprof_raw, labels_of_rows_that_come_again)
{
    const struct slice text =
        SLICE(TYPES "a/count\n 1: 3\n 1: 3\n     thread:[x]\n 1: 3\n     thread:[y]\n 1: 3\n"
                    " 1: 3\n     thread:[x]\n 1: 1\n     thread:[x]\n 1: 1\n 1: 3\n" TABLES);
    struct input_options options = input_options_default();
    struct reading r;

    options.split_thread = true;
    reading_text(&r, text, &options);
    reading_expect_fold(&r, "nobody's", profile_find_series(&r.profile, slice_str("a")),
                        "main.g<int, long>;main.(*T).f[...] 1\nmain.main 3\n");
    reading_expect_fold(&r, "x", profile_find_series(&r.profile, slice_str("a, x")),
                        "main.g<int, long>;main.(*T).f[...] 1\nmain.main 2\n");
    reading_expect_fold(&r, "y", profile_find_series(&r.profile, slice_str("a, y")),
                        "main.main 1\n");
    cr_expect_eq(r.profile.series.items[0].samples, 4);
    reading_release(&r);
}

Test(input_pprof_raw, the_default_comes_first)
{
    struct reading r;

    reading_text(&r, SLICE(TYPES "a/count[dflt] b/nanoseconds\n 3 4: 3\n" TABLES), NULL);
    cr_expect(slice_equal(r.profile.series.items[0].name, SLICE("a")));
    cr_expect_eq(r.profile.series.items[0].last_ns, 2500000000);
    reading_release(&r);
    reading_text(&r, SLICE(TYPES "a/count b/nanoseconds\n 3 -4: 3\n" TABLES), NULL);
    cr_expect(slice_equal(r.profile.series.items[0].name, SLICE("b")));
    cr_expect_neq(r.profile.series.items[0].base, SERIES_NONE);
    reading_release(&r);
}

Test(input_pprof_raw, labels_name_threads)
{
    struct input_options options = input_options_default();
    struct reading r;

    options.split_thread = true;
    reading_text(&r, SLICE(TYPES "a/count\n 3: 3\n    x:[1 2] thread:[w x]\n    tid:[7]\n" TABLES),
                 &options);
    cr_expect(slice_equal(r.profile.series.items[0].name, SLICE("a, w x (7)")));
    cr_expect(slice_equal(profile_fact(&r.profile, SLICE("labels not used")), SLICE("x (1)")));
    reading_release(&r);
}

Test(input_pprof_raw, reference_names_are_the_first_word)
{
    struct input_options options = input_options_default();
    struct reading r;

    options.names = NAMES_REFERENCE;
    reading_text(&r, SLICE(TYPES "cpu/count\n 7: 1 3\n" TABLES), &options);
    reading_expect_fold(&r, "reference", profile_find_series(&r.profile, slice_str("cpu")),
                        "main.main;main.(*T).f[...] 7\n");
    reading_release(&r);
}

Test(input_pprof_raw, without_locations_it_is_cut)
{
    struct reading r;

    reading_text(&r, SLICE(TYPES "cpu/count\n 7: 1 3\n"), NULL);
    cr_expect_eq(r.result, INPUT_FAILED);
    reading_expect_messages(&r, "cut",
                            "in: error: the file is truncated: its locations are missing\n");
    reading_release(&r);
}

Test(input_pprof_raw, claims)
{
    static const struct {
        const char *text;
        bool claimed;
    } rows[] = {
        {TYPES "cpu/count\n", true},
        {"Samples:\ncpu/count\n", false},
        {"PeriodType: cpu\nSamples:\nof rock\n", false},
        {"PeriodType: cpu\n", false},
        {"", false},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        cr_expect_eq(claim_by(&format_pprof_raw, slice_str(rows[i].text), true), rows[i].claimed,
                     "%s", rows[i].text);
}
