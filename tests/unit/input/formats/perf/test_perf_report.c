
#include "unit/support/claim.h"
#include "unit/support/golden.h"
#include "unit/support/test.h"

#define TOP(n, event)                                                                              \
    "# Samples: " n "  of event '" event "'\n# Event count (approx.): 4361808500\n#\n"             \
    "# Overhead       Samples  Command      Shared Object\n"                                       \
    "# ........  ............  ...........  .............\n#\n"
#define ROW "    37.56%           326  Web Content  libc.so.6\n"

Test(input_perf_report, chains_stand_below_their_command)
{
    golden_text("two events", "perf-report",
                TOP("12", "cpu-clock") ROW
                "7 start;f(int);Lcom/A;::m;g\n3 start\n\n"
                "     5.00%             2  sh           dash\n2 start\n\n\n" TOP("1", "faults") ROW
                "1 start@GLIBC_2.2.5\n\n#\n# (Tip: none)\n#\n",
                NULL,
                "[cpu-clock]\nWeb Content;start 3\nWeb Content;start;f;com/A::m;g 7\nsh;start 2\n"
                "[faults]\nWeb Content;start 1\n",
                "");
    golden_text("no column of commands", "perf-report",
                "# Overhead  Samples\n# ........  .......\n    90.00%       9\n9 start;f\n", NULL,
                "start;f 9\n", "");
}

Test(input_perf_report, what_is_missing_is_told)
{
    golden_text("told", "perf-report",
                "# Total Lost Samples: 3\n" TOP("12", "cycles") ROW
                "7 start;f\noops\n99999999999999999999 f\n",
                NULL, "[cycles]\nWeb Content;start;f 7\n",
                "in:10: warning: expected 'P%  COMMAND' or 'COUNT frame;frame'; line skipped\n"
                "in:11: warning: expected 'P%  COMMAND' or 'COUNT frame;frame'; line skipped\n"
                "in: note: the chains listed add up to 7 of 12 samples (perf report "
                "--percent-limit 0 lists all)\n");
}

/* The count shows call chains that have more than the number of samples. */
Test(input_perf_report, periods_are_told_from_samples)
{
    static const struct {
        const char *text, *noun;
        bool time;
    } cases[] = {
        {TOP("12", "cpu-clock") ROW "12 start;f\n", "samples", false},
        {TOP("12", "cpu-clock") ROW "13 start;f\n", "", true},
        {TOP("12", "cycles:u") ROW "13 start;f\n", "cycles", false},
        {TOP("12K", "cpu-clock") ROW "13000 start;f\n", "samples", false},
        {TOP("12K", "cpu-clock") ROW "13001 start;f\n", "", true},
        {TOP("many", "cpu-clock") ROW "13001 start;f\n", "samples", false},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct reading r;
        struct unit unit;

        reading_text(&r, slice_str(cases[i].text), NULL);
        cr_assert_eq(r.profile.series.count, 1, "%zu", i);
        unit = r.profile.series.items[0].unit;
        cr_expect_eq(unit.kind, cases[i].time ? UNIT_SECONDS : UNIT_COUNT, "%zu", i);
        cr_expect_eq(unit.exponent, cases[i].time ? -9 : 0, "%zu", i);
        cr_expect(slice_equal(unit.noun, slice_str(cases[i].noun)), "%zu", i);
        reading_release(&r);
    }
}

Test(input_perf_report, callers_that_are_counted_again_are_refused)
{
    static const char *const headings[] = {"# Children      Self  Command",
                                           "# Latency  Children   Latency  Self  Command"};

    for (size_t i = 0; i < sizeof(headings) / sizeof(headings[0]); i++) {
        struct buf text = {0};
        struct reading r;

        buf_printf(&text,
                   "%s\n# ........  ........  .......\n#\n    90.00%%    10.00%%  a\n9 start;f\n",
                   headings[i]);
        reading_text(&r, buf_slice(&text), NULL);
        cr_expect_eq(r.result, INPUT_FAILED, "%s", headings[i]);
        reading_expect_message(&r, "column Children");
        reading_release(&r);
        buf_release(&text);
    }
}

/* perf report --latency sorts by a column that is before Overhead. */
Test(input_perf_report, a_column_of_latency)
{
    golden_text("latency", "perf-report",
                "# Samples: 12  of event 'task-clock'\n#\n#  Latency  Overhead  Command  \n"
                "# ........  ........  .........\n#\n    93.48%    70.00%  work er-0\n"
                "7 start;f\n3 start\n\n     6.52%    30.00%  sh\n2 start\n\n",
                NULL, "[task-clock]\nsh;start 2\nwork er-0;start 3\nwork er-0;start;f 7\n", "");
}

Test(input_perf_report, claims)
{
    cr_expect(claim_by(&format_perf_report, SLICE(TOP("1", "a") ROW "1 f\n"), true));
    cr_expect_not(claim_by(&format_perf_report, SLICE(TOP("1", "a") ROW "  |--9%--f\n"), true));
    cr_expect_not(claim_by(&format_perf_report, SLICE("x\n" TOP("1", "a") ROW "1 f\n"), true));
    cr_expect_not(claim_by(&format_perf_report, SLICE("# Overhead\nmain;f 1\n"), true));
}
