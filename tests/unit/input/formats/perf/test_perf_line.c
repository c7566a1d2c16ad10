#include "input/formats/perf/perf_line.h"

#include "unit/support/test.h"

static const struct {
    const char *line;
    enum perf_line_kind kind;
} lines[] = {
    {"", PERF_BLANK},
    {" \t\r", PERF_BLANK},
    {"# captured on: today", PERF_COMMENT},
    {"  # indented", PERF_COMMENT},
    {"java 25607 4794564.109216: cycles:", PERF_EVENT},
    {"   thr 16595  1344.469959:    5025125 cpu-clock:      5568ef37d10a s (dso)", PERF_EVENT},
    {"  cafe 16595  1344.469959:    5025125 cpu-clock:      5568ef37d10a s (dso)", PERF_EVENT},
    {"  cafe 16595 operator:", PERF_FRAME},
    {"\t    7fffab39798b perf_event_exec+0x1 ([kernel.kallsyms])", PERF_FRAME},
    {"        ffffffff8163cb2b _raw_spin_unlock ([kernel.kallsyms])", PERF_FRAME},
    {"\t7f1e2215d058  (/lib/libc-2.15.so)", PERF_FRAME},
    {"\t            3104 std::f<int> >::push_back", PERF_FRAME},
    {"\t0 [unknown] ([unknown])\r", PERF_FRAME},
    {"7f1e main (a)", PERF_FRAME},
    {"7f1e2215d058 std::f<int (*)()>::g(int) (/lib/libc-2.15.so)\r", PERF_FRAME},
    {"0 [unknown] ([unknown])", PERF_FRAME},
    {"7f1e main", PERF_OTHER},
    {"add (a)", PERF_FRAME},
    {"adding 1 (a)", PERF_OTHER},
    {"  thr.cpp:33", PERF_SOURCE},
    {"  thr[20e0]", PERF_SOURCE},
    {"  [kernel.kallsyms][ffffffff821f5b65]", PERF_SOURCE},
    {"  ??:0", PERF_SOURCE},
    {" thr.cpp:33", PERF_OTHER},
    {"  thr.cpp", PERF_OTHER},
    {"\t          THIS_IS_A_WEIRD_LINE", PERF_OTHER},
    {"swapper     0 [000] 12.3: PERF_RECORD_LOST lost 12", PERF_RECORD},
    {"swapper     0 [000] 0.0: PERF_RECORD_MMAP -1/0: [0x81(0x1000) @ 0x81]: x [kernel]_text",
     PERF_RECORD},
    {"perf-exec     0     0.0: PERF_RECORD_COMM: perf-exec:24146/24146", PERF_RECORD},
    {"sh 24146 35535.851693: PERF_RECORD_FORK(24153:24153):(24146:24146)", PERF_RECORD},
    {"app 1 [000] 0.0: PERF_RECORD_MMAP2 1/1: [0x4(0x1) @ 0 08:01 12 0]: r-xp /bin/a", PERF_RECORD},
    {" 0x4004e6/0x4004d0/P/-/-/0  0x4004e6/0x4004d0/M/-/-/12 ", PERF_EXTRA},
    {" main+0x10/f+0x0/M/-/-/0 ", PERF_EXTRA},
    {" ABI:2    AX:0x1    IP:0x401000 ", PERF_EXTRA},
    {" insn: 48 89 e5", PERF_EXTRA},
    {" /system.slice/a.service", PERF_EXTRA},
    {"|12         f();", PERF_EXTRA},
    {"|", PERF_OTHER},
    {" insane", PERF_OTHER},
    {"Failed to open /tmp/perf-1.map, continuing without symbols", PERF_REMARK},
    {"pwd 2312 121.163447: DEFERRED CALLCHAIN [cookie: b00000006]", PERF_CHAIN},
    {"\t       b00000006 (cookie) ([unknown])", PERF_COOKIE},
    {"no symbols found in /usr/bin/gcc, maybe install a debug package?", PERF_REMARK},
    {"Processed 10 events and lost 1 chunks!", PERF_REMARK},
    {"/usr/lib/x.so with build id 9dd0 not found, continuing without symbols", PERF_REMARK},
    {"[vdso] with build id 17a4 not found, continuing without symbols", PERF_REMARK},
    {"cmd__addr2line /usr/bin/a: could not read first record", PERF_REMARK},
    {"\t 401010 mid+0x1cmd__addr2line /usr/bin/a: could not read first record", PERF_OTHER},
    {"\t 401010 cmd__addr2line (/usr/bin/perf)", PERF_FRAME},
    {"addr2line /usr/bin/a: could not read first record", PERF_REMARK},
    {"addr2line: DWARF error: section .debug_info is larger than its filesize!", PERF_REMARK},
    {"/usr/bin/addr2line: Dwarf Error: Offset (12) too large", PERF_REMARK},
    {"BFD: Dwarf Error: Can't find .debug_ranges section.", PERF_REMARK},
    {"Warning: Processed 10 events and lost 1 chunks!", PERF_REMARK},
    {"0x1f8 [0x8]: failed to process type: 68", PERF_REMARK},
    {"Processed 10 orders", PERF_OTHER},
    {"To whom it may concern", PERF_OTHER},
};

Test(input_perf_line, each_line_tells_what_it_is)
{
    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
        struct perf_event e;

        cr_expect_eq(perf_line_classify(slice_str(lines[i].line), &e), lines[i].kind, "'%s'",
                     lines[i].line);
    }
}

#define EVENT "a 1 1.5: cycles: \n"
#define FRAME "\t 7f main (a)\n"

static const struct {
    const char *head;
    bool whole, claimed;
} heads[] = {
    {EVENT FRAME "\n", true, true},
    {EVENT FRAME, false,
     false}, /* the last line, which may be cut, is the only one besides the event */
    {EVENT FRAME "\n" EVENT, false, true},
    {"\n\n" EVENT FRAME, true, true},
    {"# ========\n# captured on: today\n#\n" EVENT FRAME, true, true},
    {"# ========\n# captured on: today\n#\n", true, true},
    {"# ========\n# captured on: today\n#\n", false, false},
    {"# captured on: today\n# Overhead  Command\n    37.56%  thr\n", true, false}, /* perf report */
    {"# a comment\n", true, false},
    {EVENT EVENT, true, true},
    {"a 1 cycles: \n" FRAME, true, true},
    {"a 1 cycles: \na 1 cycles: \n", true, false},
    {"worker 12 error: it broke\n", true, false},
    {EVENT "some text\nmore text\nand more\nand more\n", true, false},
    {"some text\n" EVENT FRAME, true, false},
    {"Failed to open /tmp/perf-1.map, continuing without symbols\n" EVENT FRAME, true, true},
    {"[vdso] with build id 17a4 not found, continuing without symbols\n" EVENT FRAME, true, true},
    {EVENT "7f main (a)\n7f f (a)\n\n", true, true},
    {"7f main (a)\n7f f (a)\n", true, false},
    {"Warning:\n", true, false},
    {"sh 1 1.5: \nsh 1 1.6: \n", true, false},
    {"sh 1 1.5: \n" FRAME "\n", true, true},
    {EVENT FRAME "  a.c:5\n|5    f();\n" FRAME "  a.c:7\n|7    g();\n", true, true},
    {FRAME FRAME, true, false},
    {"", true, false},
    {"\n\n\n", true, false},
    {"main;foo;bar 12\n", true, false},
};

Test(input_perf_line, an_event_and_a_frame_claim_the_file)
{
    for (size_t i = 0; i < sizeof(heads) / sizeof(heads[0]); i++)
        cr_expect_eq(perf_line_claims(slice_str(heads[i].head), heads[i].whole), heads[i].claimed,
                     "'%s'", heads[i].head);
}

Test(input_perf_line, the_header_becomes_facts)
{
    static const char *const comments[] = {
        "# captured on    : Tue Nov  3 01:02:03 2020\r",
        "# hostname : vm",
        "# hostname : another",
        "# os release : 6.1.0",
        "# event : name = cycles, type = 1, config = 0x0, id = { 1, 2 }",
        "# cmdline : /usr/bin/perf record -g -- sh -c a:b",
        "# nothing",
        "# HEADER_CPU_TOPOLOGY info available, use -I to display",
        "# arch :",
    };
    static const char *const facts[][2] = {
        {"captured on", "Tue Nov  3 01:02:03 2020"},
        {"hostname", "vm"},
        {"os release", "6.1.0"},
        {"event", "cycles"},
        {"cmdline", "/usr/bin/perf record -g -- sh -c a:b"},
        {"arch", ""},
    };
    struct profile p;

    profile_init(&p);
    for (size_t i = 0; i < sizeof(comments) / sizeof(comments[0]); i++)
        perf_line_note(slice_str(comments[i]), &p);
    for (size_t i = 0; i < sizeof(facts) / sizeof(facts[0]); i++) {
        struct slice value = profile_fact(&p, slice_str(facts[i][0]));

        cr_expect(slice_equal(value, slice_str(facts[i][1])), "%s is '%.*s'", facts[i][0],
                  SLICE_ARG(value));
    }
    cr_expect_eq(p.facts.count, 5);
    profile_release(&p);
}

Test(input_perf_line, fixed_periods_become_facts)
{
    static const struct {
        const char *comment, *key, *value;
    } rows[] = {
        {"# event : name = cycles:u, , id = { 5 }, { sample_period, sample_freq } = 1000, "
         "sample_type = IP",
         "period of cycles:u", "1000"},
        {"# event : name = cycles, , sample_period = 70, x = 1", "period of cycles", "70"},
        {"# event : name = cycles, , { sample_period, sample_freq } = 99, comm = 1, freq = 1",
         "period of cycles", ""},
        {"# event : name = dummy:u, , { sample_period, sample_freq } = 0, x = 1",
         "period of dummy:u", ""},
        {"# event : name = cycles, , id = { 5 }", "period of cycles", ""},
        {"# cmdline : /usr/bin/perf record -c 1000 -g -- sh", "period", "1000"},
        {"# cmdline : perf record -c1000 sh", "period", "1000"},
        {"# cmdline : perf record --count=1000 sh", "period", "1000"},
        {"# cmdline : perf record --count 1000 sh", "period", "1000"},
        {"# cmdline : perf record -F 99 -- sh -c 1000", "period", ""},
        {"# cmdline : perf record --call-graph dwarf -c", "period", ""},
        {"# cmdline : perf record -c x", "period", ""},
        {"# cmdline : perf record -c 0", "period", ""},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct slice value;
        struct profile p;

        profile_init(&p);
        perf_line_note(slice_str(rows[i].comment), &p);
        value = profile_fact(&p, slice_str(rows[i].key));
        cr_expect(slice_equal(value, slice_str(rows[i].value)), "%s: %.*s", rows[i].comment,
                  SLICE_ARG(value));
        profile_release(&p);
    }
}
