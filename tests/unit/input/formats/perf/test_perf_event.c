#include "input/formats/perf/perf_line.h"

#include <inttypes.h>

#include "unit/support/test.h"

/* Event lines as every version of perf writes them. NULL if perf prints nothing. */
static const struct {
    const char *line, *comm, *pid, *tid;
    uint64_t time; /* nanoseconds, 0 for none */
    const char *period, *name, *rest;
} cases[] = {
    {"java 25607 4794564.109216: cycles:", "java", "", "25607", 4794564109216000, "", "cycles", ""},
    {"xwax  1896 cycles: ", "xwax", "", "1896", 0, "", "cycles", ""},
    {"java 12688/12764 6544038.708352: 235 cpu-clock:", "java", "12688", "12764", 6544038708352000,
     "235", "cpu-clock", ""},
    {"thr 17166/17175 [000]  1409.208557:   10101010 cpu-clock: ", "thr", "17166", "17175",
     1409208557000, "10101010", "cpu-clock", ""},
    {"gzip 17169/17169 [000]  1409.160032060: cpu-clock: ", "gzip", "17169", "17169", 1409160032060,
     "", "cpu-clock", ""},
    {"x 1 2.12345678: 7 cycles: ", "x", "", "1", 2123456780, "7", "cycles", ""},
    {"thr 16769 cpu-clock: ", "thr", "", "16769", 0, "", "cpu-clock", ""},
    {"io 16899  1388.682103:          1      page-faults: ", "io", "", "16899", 1388682103000, "1",
     "page-faults", ""},
    {"perf 12426 136526.798940:          1 cycles:ppp: ", "perf", "", "12426", 136526798940000, "1",
     "cycles:ppp", ""},
    {"node 22610 13108.211038: cpu-clock:u: ", "node", "", "22610", 13108211038000, "",
     "cpu-clock:u", ""},
    {"             thr 16595  1344.469959:    5025125 cpu-clock:      5568ef37d10a sym+0x52e (dso)",
     "thr", "", "16595", 1344469959000, "5025125", "cpu-clock", "5568ef37d10a sym+0x52e (dso)"},
    {"           false 39654 19115.489713:          1 cycles:u:  ffffffff9b201293 [unknown] "
     "([unknown])",
     "false", "", "39654", 19115489713000, "1", "cycles:u",
     "ffffffff9b201293 [unknown] ([unknown])"},
    {"program 69804 [000] 10223.364596: probe_libc:malloc: (7fa9195fe260)", "program", "", "69804",
     10223364596000, "", "probe_libc:malloc", "(7fa9195fe260)"},
    {"io 16950/16953  1391.161722: sched:sched_switch: prev_comm=io prev_pid=1 ==> next_comm=b",
     "io", "16950", "16953", 1391161722000, "", "sched:sched_switch",
     "prev_comm=io prev_pid=1 ==> next_comm=b"},
    {"Gecko\t25122 [007] 115539.936601:\t1000000 task-clock:u: ", "Gecko", "", "25122",
     115539936601000, "1000000", "task-clock:u", ""},
    {"V8 WorkerThread 25607 4794564.109216: cycles: ", "V8 WorkerThread", "", "25607",
     4794564109216000, "", "cycles", ""},
    {"kworker/0:1H 25607 4794564.109216: cycles: ", "kworker/0:1H", "", "25607", 4794564109216000,
     "", "cycles", ""},
    {"Web 2 Worker 77 1.5: cycles: ", "Web 2 Worker", "", "77", 1500000000, "", "cycles", ""},
    {"C2 CompilerThre 1/2 1.5: cycles: \r", "C2 CompilerThre", "1", "2", 1500000000, "", "cycles",
     ""},
    {"w 1 77 1.5: 7 cycles: ", "w 1", "", "77", 1500000000, "7", "cycles", ""},
    {"a b 1 77 [001] 1.5: cycles: ", "a b 1", "", "77", 1500000000, "", "cycles", ""},
    {"w 1 5/77 1.5: cycles: ", "w 1", "5", "77", 1500000000, "", "cycles", ""},
    {"w 1 2 77 1.5: cycles: ", "w 1 2", "", "77", 1500000000, "", "cycles", ""},
    {"w 1 77 1.5: 7 ", "w 1", "", "77", 1500000000, "7", "", ""},
    {"w 1 4711 cycles: ", "w 1", "", "4711", 0, "", "cycles", ""},
    {"w 1 4711     100000 cycles: ", "w 1", "", "4711", 0, "100000", "cycles", ""},
    {"w 1 [001]     100000 cycles: ", "w", "", "1", 0, "100000", "cycles", ""},
    {"w 1 1234567890 cycles: ", "w", "", "1", 0, "1234567890", "cycles", ""},
    {"a 1 1.5: cycles: ", "a", "", "1", 1500000000, "", "cycles", ""},
    {":1234 1234 1.5: cycles: ", ":1234", "", "1234", 1500000000, "", "cycles", ""},
    {"swapper     0 [012] 2281339.604067:   20834821 cycles:", "swapper", "", "0", 2281339604067000,
     "20834821", "cycles", ""},
    {"x 1 1.5: cpu/event=0x3c,umask=0x1/u: ", "x", "", "1", 1500000000, "",
     "cpu/event=0x3c,umask=0x1/u", ""},
    {"x 1 1.5: 7 raw 0x1a8: ", "x", "", "1", 1500000000, "7", "raw 0x1a8", ""},
    {"x 1 1700000000.123456: 7 cycles: ", "x", "", "1", 1700000000123456000, "7", "cycles", ""},
    {"x 1 9999999999.999999999: 7 cycles: ", "x", "", "1", 9999999999999999999u, "7", "cycles", ""},
    {"x 1 99999999999999999999.5: 7 cycles: ", "x", "", "1", 0, "7", "cycles", ""},
    {":-1    -1 [000] 1.5: 7 cycles: ", ":-1", "", "-1", 1500000000, "7", "cycles", ""},
    {":-1 -1/-1 [-01] 1.5: 7 cycles: ", ":-1", "-1", "-1", 1500000000, "7", "cycles", ""},
    {"x 1/2 [000] K     1.5: 7 cycles: ", "x", "1", "2", 1500000000, "7", "cycles", ""},
    {"x 1/2 [000] Sp    1.5: 7 cycles: ", "x", "1", "2", 1500000000, "7", "cycles", ""},
    {"x 1 [000] 2021-03-04 10:11:12.123456 1.5: 7 cycles: ", "x", "", "1", 1500000000, "7",
     "cycles", ""},
    {"x 1 2021-03-04 10:11:12.123456 7 cycles: ", "x", "", "1", 0, "7", "cycles", ""},
    {"1235 1.5: cycles: ", "1235", "", "1235", 1500000000, "", "cycles", ""},
    {"java 12 1.5: ", "java", "", "12", 1500000000, "", "", ""},
    {"java 12/13 1.5: 1001 ", "java", "12", "13", 1500000000, "1001", "", ""},
    {" 1234/1235 [000] 1.5: 7 cycles: ", "1234", "1234", "1235", 1500000000, "7", "cycles", ""},
};

static void expect(struct slice got, const char *want, const char *line, const char *what)
{
    cr_expect(slice_equal(got, slice_str(want)), "%s: %s is '%.*s'", line, what, SLICE_ARG(got));
}

static void expect_number(bool known, int64_t got, const char *want, const char *line,
                          const char *what)
{
    char text[24] = "";

    if (known)
        snprintf(text, sizeof(text), "%" PRId64, got);
    cr_expect_str_eq(text, want, "%s: %s is '%s'", line, what, text);
}

Test(input_perf_event, lines_are_taken_apart)
{
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const char *line = cases[i].line;
        struct perf_event e;

        if (!perf_event_parse(slice_str(line), &e)) {
            cr_expect(false, "%s: not taken for an event", line);
            continue;
        }
        expect(e.comm, cases[i].comm, line, "comm");
        expect_number(e.pid != PERF_NO_ID, e.pid, cases[i].pid, line, "pid");
        expect_number(true, e.tid, cases[i].tid, line, "tid");
        expect_number(e.has_period, (int64_t)e.period, cases[i].period, line, "period");
        expect(e.name, cases[i].name, line, "name");
        expect(e.rest, cases[i].rest, line, "rest");
        cr_expect_eq(e.has_time, cases[i].time != 0, "%s: has_time", line);
        if (e.has_time)
            cr_expect_eq(e.time_ns, cases[i].time, "%s: %" PRIu64, line, e.time_ns);
    }
}

Test(input_perf_event, numbers_have_limits)
{
    struct perf_event e;

    cr_assert(perf_event_parse(SLICE("x 1/2 [031] 1.5: 18446744073709551615 c: "), &e));
    cr_expect(e.has_cpu && e.cpu == 31);
    cr_expect(e.period == UINT64_MAX && !e.too_high.len);
    cr_assert(perf_event_parse(SLICE("x 1/2 [-01] 1.5: 0000000018446744073709551616 c: "), &e));
    cr_expect_not(e.has_cpu);
    expect(e.too_high, "0000000018446744073709551616", "too high", "period");
    cr_assert(perf_event_parse(SLICE("x 1/2 1.5: 000000000000000000000000000007 c: "), &e));
    cr_expect(e.period == 7 && !e.too_high.len);
    cr_assert(perf_event_parse(SLICE("x 123456789012345678 1.5: c: "), &e));
    cr_expect_eq(e.tid, 123456789012345678);
    cr_expect_not(perf_event_parse(SLICE("x 1234567890123456789 1.5: c: "), &e));
}

Test(input_perf_event, other_lines_are_not)
{
    static const char *const lines[] = {
        "",
        "java",
        "java 12",
        "java 12 1.5: cycles",
        "java 1x 1.5: cycles:",
        "java 12 7 ",
        "12 1.5: ",
        "x -a 1.5: cycles:",
        "x 1 K cycles:",
        "x 1 2021-03-04 1.5: cycles:",
        "# captured on: Thu Jan  1 00:00:00 2015",
        "\t    7f1e2215d058 main (/bin/a)",
        "  file.c:12",
        "a b c d e f g h i j k l m n o p q r s t 1 1.5: cycles:",
        "2024-01-01 12:00:00 error: it broke",
    };

    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
        struct perf_event e;

        cr_expect_not(perf_event_parse(slice_str(lines[i]), &e), "'%s' is taken for one", lines[i]);
    }
}

/* If a line is cut, nothing beyond the cut is read. */
Test(input_perf_event, reads_no_further_than_the_line)
{
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        for (size_t len = 0; len < strlen(cases[i].line); len++) {
            char *copy = xmalloc(len);
            struct perf_event e;

            memcpy(copy, cases[i].line, len);
            perf_event_parse(slice_make(copy, len), &e);
            free(copy);
        }
}

static const struct {
    const char *line;
    enum unit_kind kind;
    const char *noun;
} units[] = {
    {"a 1 1.5: 7 cpu-clock:u: ", UNIT_SECONDS, ""},
    {"a 1 1.5: 7 task-clock: ", UNIT_SECONDS, ""},
    {"a 1 1.5: cpu-clock: ", UNIT_COUNT, "samples"},
    {"a 1 1.5: 7 cycles:uppp: ", UNIT_COUNT, "cycles"},
    {"a 1 1.5: 7 page-faults: ", UNIT_COUNT, "page-faults"},
    {"a 1 1.5: 7 sched:sched_switch: x=1", UNIT_COUNT, "sched:sched_switch"},
    {"a 1 1.5: 250000 sched:sched_switch: x=1", UNIT_SECONDS, ""},
    {"a 1 1.5: 1000 sched:sched_switch: x=1", UNIT_SECONDS, ""},
    {"a 1 1.5: 999 sched:sched_switch: x=1", UNIT_COUNT, "sched:sched_switch"},
    {"a 1 1.5: 7 sched:sched_stat_sleep: comm=a", UNIT_SECONDS, ""},
    {"a 1 1.5: sched:sched_switch: x=1", UNIT_COUNT, "samples"},
    {"a 1 1.5: 7 sched:sched_wakeup: x=1", UNIT_COUNT, "sched:sched_wakeup"},
};

Test(input_perf_event, the_event_gives_the_unit)
{
    for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
        struct perf_event e;
        struct unit unit;

        cr_assert(perf_event_parse(slice_str(units[i].line), &e));
        unit = perf_event_unit(&e);
        cr_expect_eq(unit.kind, units[i].kind, "%s", units[i].line);
        cr_expect_eq(unit.exponent, units[i].kind == UNIT_SECONDS ? -9 : 0, "%s", units[i].line);
        expect(unit.noun, units[i].noun, units[i].line, "noun");
    }
}
