#include "input/formats/perf/perf_origin.h"

#include "unit/support/reading.h"
#include "unit/support/test.h"

#define SAMPLE(who, period) who " 1.5: " period " cycles: \n\t 1 main (a)\n\n"

/* bash becomes ls, which has a thread; the number of the process is printed in some lines only. */
static const char input[] = SAMPLE("bash 7/7", "1") SAMPLE("io 7/8", "2") SAMPLE("ls 7/7", "4")
    SAMPLE("io 7/8", "8") SAMPLE("old 9", "16");

static const char *const bash[] = {"bash"}, *const seven[] = {"7"}, *const io[] = {"io", "9"},
                         *const none[] = {"nobody"};

static const struct {
    const char *what;
    struct input_options options;
    const char *series; /* name total, each with a semicolon */
    uint64_t left_out;
} cases[] = {
    {"nothing asked", {0}, "cycles 31;", 0},
    {"a name", {.processes = bash, .process_count = 1}, "cycles 1;", 4},
    {"a number", {.processes = seven, .process_count = 1}, "cycles 15;", 1},
    {"threads", {.threads = io, .thread_count = 2}, "cycles 26;", 2},
    {"nobody", {.threads = none, .thread_count = 1}, "", 5},
    {"by process", {.split_process = true}, "cycles, ls (7) 15;cycles, old (9) 16;", 0},
    {"by thread",
     {.split_thread = true},
     "cycles, bash (7) 1;cycles, io (8) 10;cycles, ls (7) 4;cycles, old (9) 16;",
     0},
    {"both",
     {.split_process = true, .processes = bash, .process_count = 1},
     "cycles, bash (7) 1;",
     4},
};

Test(input_perf_origin, samples_go_to_whom_they_belong)
{
    struct buf got = {0};

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct input_options options = cases[i].options;
        struct reading r;

        options.limits = input_options_default().limits;
        reading_text(&r, slice_str(input), &options);
        buf_clear(&got);
        vec_each (struct series, s, &r.profile.series)
            buf_printf(&got, "%.*s %llu;", SLICE_ARG(s->name), (unsigned long long)s->total);
        cr_expect_str_eq(buf_string(&got), cases[i].series, "%s: '%s'", cases[i].what,
                         buf_string(&got));
        cr_expect_eq(r.profile.ledger.left_out, cases[i].left_out, "%s", cases[i].what);
        cr_expect_eq(r.result, *cases[i].series ? INPUT_READ : INPUT_FAILED, "%s", cases[i].what);
        reading_release(&r);
    }
    buf_release(&got);
}

Test(input_perf_origin, a_split_series_knows_its_event)
{
    struct input_options options = input_options_default();
    struct reading r;

    options.split_process = true;
    reading_text(&r, slice_str(input), &options);
    cr_assert_eq(r.profile.series.count, 2);
    cr_expect(slice_equal(r.profile.series.items[0].event, SLICE("cycles")));
    cr_expect(r.profile.has_processes && r.profile.has_threads);
    reading_release(&r);
}

Test(input_perf_origin, each_cpu_has_a_series)
{
    struct input_options options = {.split_cpu = true};
    struct reading r;
    struct buf got = {0};

    options.limits = input_options_default().limits;
    reading_text(&r,
                 SLICE("a 1/1 [000] 1.5: 3 cycles: \n\t 1 main (a)\n\n"
                       "b 1/2 [011] 1.6: 4 cycles: \n\t 1 main (a)\n\n"
                       "a 1/1 [000] 1.7: 5 cycles: \n\t 1 main (a)\n\n"),
                 &options);
    vec_each (struct series, s, &r.profile.series)
        buf_printf(&got, "%.*s %llu;", SLICE_ARG(s->name), (unsigned long long)s->total);
    cr_expect_str_eq(buf_string(&got), "cycles, CPU 0 8;cycles, CPU 11 4;");
    reading_release(&r);
    buf_release(&got);
}
