#include "input/formats/perf/perf_sched.h"

#include "base/file.h"
#include "unit/support/corpus.h"
#include "unit/support/reading.h"
#include "unit/support/test.h"

#define SWITCH(who, time, from, to)                                                                \
    who " " time ": sched:sched_switch: prev_comm=a prev_pid=" from                                \
        " prev_prio=120 prev_state=S ==> next_comm=b c next_pid=" to " next_prio=120\n"            \
        "\t 2 schedule ([kernel.kallsyms])\n\t 1 wait+0x4 (/bin/a)\n\n"
#define SHORT(who, time, from, to)                                                                 \
    who " " time ": sched:sched_switch: a:" from " [120] S ==> b:c:" to " [120]\n"                 \
        "\t 2 schedule ([kernel.kallsyms])\n\t 1 wait+0x4 (/bin/a)\n\n"
#define WAKE(who, event, fields)                                                                   \
    who " 1.2: sched:" event ": " fields "\n\t 4 wake ([kernel.kallsyms])\n\t 3 post (/bin/b)\n\n"

#define OFF "a;wait;schedule "
#define WOKEN "a;wait;schedule;--;wake_[w];post_[w];b_[w] "

/* The series "off-cpu" and "off-cpu by waker", as folded lines. */
static const struct {
    const char *what, *input, *off, *by_waker;
} cases[] = {
    {"from switch to switch",
     SWITCH("a 7/7", "1.000001", "7", "8") SWITCH("b 8/8", "1.5", "8", "7"), OFF "499999000\n",
     NULL},
    {"nanoseconds", SWITCH("a 7/7", "1.000000001", "7", "8") SWITCH("b 8", "1.000000005", "8", "7"),
     OFF "4\n", NULL},
    {"as libtraceevent prints it", SHORT("a 7/7", "1.0", "7", "8") SHORT("b 8/8", "1.5", "8", "7"),
     OFF "500000000\n", NULL},
    {"to the idle thread and back",
     SWITCH("a 7/7", "1.0", "7", "0") SWITCH("swapper 0/0", "1.25", "0", "7"), OFF "250000000\n",
     NULL},
    {"idle threads have no time",
     SWITCH("swapper 0/0", "1.0", "0", "7") SWITCH("a 7/7", "1.25", "7", "0"), "", NULL},
    {"a delay that is given",
     SWITCH("a 7/7", "1.0", "7", "0")
         WAKE("b 8/8", "sched_stat_sleep", "comm=a pid=7 delay=77 [ns]")
             WAKE("b 8/8", "sched_stat_sleep", "comm=a pid=7 delay=77 [ns]")
                 SWITCH("swapper 0/0", "1.25", "0", "7"),
     OFF "77\n", WOKEN "77\n"},
    {"a waker",
     SWITCH("a 7/7", "1.0", "7", "0") WAKE("b 8/8", "sched_wakeup", "comm=a pid=7 prio=1")
         SWITCH("swapper 0/0", "1.25", "0", "7"),
     OFF "250000000\n", WOKEN "250000000\n"},
    {"a waker, as libtraceevent prints it",
     SWITCH("a 7/7", "1.0", "7", "0") WAKE("b 8/8", "sched_waking", "a:7 [120] CPU:001")
         SWITCH("swapper 0/0", "1.25", "0", "7"),
     OFF "250000000\n", WOKEN "250000000\n"},
    {"a name like a field",
     "a 7/7 1.0: sched:sched_switch: prev_comm= prev_pid=9 prev_pid=7 prev_state=S ==> "
     "next_comm=x next_pid=9 next_pid=8 next_prio=1\n\t 1 wait (/bin/a)\n\n" SWITCH("b 8/8", "1.5",
                                                                                    "8", "7"),
     "a;wait 500000000\n", NULL},
    {"periods that are times",
     "a 7 1.0: 5000 sched:sched_switch: prev_comm=a prev_pid=7 ==> next_comm=b next_pid=8\n"
     "\t 1 wait (/bin/a)\n\n" SWITCH("b 8/8", "1.5", "8", "7"),
     NULL, NULL},
    {"fields that are not there",
     "a 7 1.0: sched:sched_switch: nothing\n\t 1 wait (/bin/a)\n\n"
     "a 7 1.0: sched:sched_switch: prev_pid=x ==> next_pid=8\n\t 1 wait (/bin/a)\n\n"
     "a 7 1.0: sched:sched_stat_sleep: pid=7\n\t 1 wait (/bin/a)\n\n",
     NULL, NULL},
};

static void expect_series(const struct reading *r, const char *name, const char *want,
                          const char *what)
{
    uint32_t id = profile_find_series(&r->profile, slice_str(name));
    struct buf got = {0};

    cr_expect_eq(id != SERIES_NONE, want != NULL, "%s: '%s'", what, name);
    if (id != SERIES_NONE && want) {
        reading_fold(r, id, &got);
        cr_expect_str_eq(buf_string(&got), want, "%s: '%s'", what, buf_string(&got));
        cr_expect_eq(r->profile.series.items[id].unit.exponent, -9);
    }
    buf_release(&got);
}

Test(input_perf_sched, time_goes_to_the_stack_that_was_left)
{
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct reading r;

        reading_text(&r, slice_str(cases[i].input), NULL);
        cr_expect_eq(r.result, INPUT_READ, "%s", cases[i].what);
        expect_series(&r, "off-cpu", cases[i].off, cases[i].what);
        expect_series(&r, "off-cpu by waker", cases[i].by_waker, cases[i].what);
        cr_expect_neq(profile_find_series(&r.profile, SLICE("sched:sched_switch")), SERIES_NONE);
        reading_release(&r);
    }
}

Test(input_perf_sched, records_out_of_order_are_refused)
{
    struct buf messages = {0};
    struct reading r;

    reading_text(&r,
                 SLICE(SWITCH("a 7/7", "10.0", "7", "0") SWITCH("s 0/0", "11.2", "0", "7")
                           SWITCH("s 0/0", "10.5", "0", "7") SWITCH("a 7/7", "11.0", "7", "0")),
                 NULL);
    reading_messages(&r, &messages);
    cr_expect_eq(r.result, INPUT_FAILED);
    cr_expect(strstr(buf_string(&messages), "the time runs backwards by 700000000 ns"), "%s",
              buf_string(&messages));
    reading_release(&r);
    buf_release(&messages);
}

Test(input_perf_sched, what_has_no_end_is_told)
{
    struct buf messages = {0};
    struct reading r;

    reading_text(&r,
                 SLICE(SWITCH("a 7/7", "1.0", "7", "0") SWITCH("a 7/7", "1.5", "7", "0")
                           SWITCH("a 7/7", "1.7", "7", "8")),
                 NULL);
    cr_assert_eq(r.result, INPUT_READ);
    reading_messages(&r, &messages);
    cr_expect(strstr(buf_string(&messages), "2 times off the CPU have no end"), "%s",
              buf_string(&messages));
    cr_expect(slice_equal(profile_fact(&r.profile, SLICE("times off the CPU without an end")),
                          SLICE("2")));
    cr_expect(strstr(buf_string(&messages), "perf record -a"), "%s", buf_string(&messages));
    cr_expect_eq(profile_fact(&r.profile, SLICE("threads off the CPU at the end")).len, 0);
    expect_series(&r, "off-cpu", "", "nothing ends");
    reading_release(&r);
    buf_release(&messages);
}

/* Threads whose names are their numbers: one sleeps, wakes another, is interrupted, runs. */
#define SLEEP(who, time, state)                                                                    \
    who " " who "/" who " " time ": sched:sched_switch: prev_comm=" who " prev_pid=" who           \
        " prev_prio=120 prev_state=" state " ==> next_comm=swapper next_pid=0 next_prio=120\n"     \
        "\t 1 wait (/bin/a)\n\n"
#define RAISE(who, time, event, whom)                                                              \
    who " " who "/" who " " time ": sched:sched_" event ": comm=x pid=" whom " prio=120\n"         \
        "\t 2 post (/bin/a)\n\n"
#define IRQ(who, time, whom)                                                                       \
    who " " who "/" who " " time ": sched:sched_waking: comm=x pid=" whom " prio=120\n"            \
        "\t 2 wake ([kernel.kallsyms])\n\t 3 asm_sysvec_apic_timer_interrupt ([kernel])\n\n"
#define RUN(who, time)                                                                             \
    "swapper 0/0 " time ": sched:sched_switch: prev_comm=swapper prev_pid=0 prev_prio=120 "        \
    "prev_state=R ==> next_comm=" who " next_pid=" who " next_prio=120\n\t 1 idle (k)\n\n"
#define BY(who) ";--;post_[w];" who "_[w]"

/* The series "off-cpu chain". */
static const struct {
    const char *what, *input, *chains;
    uint64_t looped;
} chains[] = {
    {"the waker of the waker",
     SLEEP("7", "1.0", "S") SLEEP("8", "1.1", "S") RAISE("9", "1.2", "waking", "8") RUN("8", "1.2")
         RAISE("8", "1.3", "waking", "7") RUN("7", "1.3"),
     "7;wait" BY("8") BY("9") " 300000000\n8;wait" BY("9") " 100000000\n", 0},
    {"what was before the sleep has nothing to do with it",
     SLEEP("8", "1.0", "S") RAISE("9", "1.1", "waking", "8") RUN("8", "1.1") SLEEP("7", "1.2", "S")
         RAISE("8", "1.3", "waking", "7") RUN("7", "1.4"),
     "7;wait" BY("8") " 200000000\n8;wait" BY("9") " 100000000\n", 0},
    {"a waker that was interrupted has nothing to do with it, either",
     SLEEP("7", "1.0", "S") SLEEP("8", "1.1", "S") RAISE("9", "1.2", "waking", "8") RUN("8", "1.2")
         IRQ("8", "1.3", "7") RUN("7", "1.3"),
     "7;wait;--;wake_[w];asm_sysvec_apic_timer_interrupt_[w];8_[w] 300000000\n8;wait" BY(
         "9") " 100000000\n",
     0},
    {"a loop is cut",
     SLEEP("7", "1.0", "S") SLEEP("9", "1.0", "S") RAISE("8", "1.1", "waking", "9") RUN("9", "1.1")
         SLEEP("8", "1.1", "S") RAISE("9", "1.2", "waking", "8") RUN("8", "1.2")
             RAISE("8", "1.3", "waking", "7") RUN("7", "1.3"),
     "7;wait" BY("8")
         BY("9") " 300000000\n8;wait" BY("9") " 100000000\n9;wait" BY("8") " 100000000\n",
     2},
    {"preempted in between, a thread was woken all the same",
     SLEEP("7", "1.0", "S") SLEEP("8", "1.0", "S") RAISE("9", "1.1", "waking", "8") RUN("8", "1.1")
         SLEEP("8", "1.2", "R+") RUN("8", "1.3") RAISE("8", "1.4", "waking", "7") RUN("7", "1.4"),
     "7;wait" BY("8") BY("9") " 400000000\n8;wait 100000000\n8;wait" BY("9") " 100000000\n", 0},
    {"sched_waking happens in the thread that wakes, sched_wakeup anywhere",
     SLEEP("7", "1.0", "S") RAISE("8", "1.1", "waking", "7") RAISE("9", "1.2", "wakeup", "7")
         RUN("7", "1.3"),
     "7;wait" BY("8") " 300000000\n", 0},
};

static const struct {
    const char *what, *input, *off, *message; /* NULL: none */
} ends[] = {
    {"the number of a dead thread is used again",
     SLEEP("7", "1.0", "X") RUN("7", "5.0") SLEEP("7", "5.5", "S") RUN("7", "6.0"),
     "7;wait 500000000\n", NULL},
    {"a zombie has ended", SLEEP("7", "1.0", "Z") SLEEP("8", "2.0", "S") RUN("8", "3.0"),
     "8;wait 1000000000\n", NULL},
    {"a living thread is off until the end",
     SLEEP("7", "1.0", "D") SLEEP("8", "2.0", "S") RUN("8", "10.25"),
     "7;wait 9250000000\n8;wait 8250000000\n",
     "threads off the CPU when the recording ends: 1; their 9250.000 ms"},
    {"a missing switch", SLEEP("7", "1.0", "S") SLEEP("7", "2.0", "S") RUN("7", "3.0"),
     "7;wait 1000000000\n", "1 time off the CPU has no end in the recording and is left out\n"},
    {"two missing switches",
     SLEEP("7", "1.0", "S") SLEEP("7", "2.0", "S") SLEEP("7", "3.0", "S") RUN("7", "4.0"),
     "7;wait 1000000000\n", "2 times off the CPU have no end in the recording and are left out\n"},
};

Test(input_perf_sched, ends_of_threads_and_recordings)
{
    for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
        struct buf messages = {0};
        struct reading r;

        reading_text(&r, slice_str(ends[i].input), NULL);
        reading_messages(&r, &messages);
        cr_expect_eq(r.result, INPUT_READ, "%s", ends[i].what);
        expect_series(&r, "off-cpu", ends[i].off, ends[i].what);
        cr_expect(ends[i].message ? strstr(buf_string(&messages), ends[i].message) != NULL
                                  : !messages.len,
                  "%s: %s", ends[i].what, buf_string(&messages));
        reading_release(&r);
        buf_release(&messages);
    }
}

/* No thread runs instead of the idle task, which would prove that all CPUs were recorded. */
#define MISSING                                                                                    \
    "7 7/7 1.0: sched:sched_switch: prev_comm=7 prev_pid=7 prev_prio=120 prev_state=S ==> "        \
    "next_comm=9 next_pid=9 next_prio=120\n\t 1 wait (/bin/a)\n\n"

Test(input_perf_sched, the_hint_about_all_cpus)
{
    static const struct {
        const char *options;
        bool hint;
    } rows[] = {
        {"-g", true},       {"-a -g", false},      {"-ga", false},        {"-g -- ls -a", true},
        {"-g ls -a", true}, {"-e x -a ls", false}, {"--all-cpus", false}, {"-F 99 ls -a", true},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct buf text = {0}, messages = {0};
        struct reading r;

        buf_printf(&text, "# cmdline : /usr/bin/perf record %s\n" MISSING MISSING, rows[i].options);
        reading_text(&r, buf_slice(&text), NULL);
        reading_messages(&r, &messages);
        cr_expect(strstr(buf_string(&messages), "1 time off the CPU has no end"), "row %zu", i);
        cr_expect_eq(strstr(buf_string(&messages), "(perf record -a") != NULL, rows[i].hint,
                     "row %zu: %s", i, buf_string(&messages));
        reading_release(&r);
        buf_release(&messages);
        buf_release(&text);
    }
}

Test(input_perf_sched, chains)
{
    struct input_options options = input_options_default();

    options.chains = true;
    for (size_t i = 0; i < sizeof(chains) / sizeof(chains[0]); i++) {
        struct reading r;

        reading_text(&r, slice_str(chains[i].input), &options);
        cr_expect_eq(r.result, INPUT_READ, "%s", chains[i].what);
        expect_series(&r, "off-cpu chain", chains[i].chains, chains[i].what);
        cr_expect_eq(reading_note(&r, "off-cpu chain", NOTE_WAKERS_LOOPED), chains[i].looped, "%s",
                     chains[i].what);
        cr_expect_eq(reading_note(&r, "off-cpu", NOTE_WAKERS_LOOPED), 0, "%s", chains[i].what);
        cr_expect_eq(r.profile.ledger.notes[NOTE_WAKERS_LOOPED], 0, "%s", chains[i].what);
        reading_release(&r);
        reading_text(&r, slice_str(chains[i].input), NULL);
        expect_series(&r, "off-cpu chain", NULL, "not asked for");
        reading_release(&r);
    }
}

/* The waker's stack and the process that it woke; waits without an end are left out. */
Test(input_perf_sched, wakeups)
{
    struct input_options options = input_options_default();
    struct reading r;

    options.wakeups = true;
    reading_text(&r,
                 SLICE(SLEEP("7", "1.0", "S") SLEEP("8", "1.1", "S") RAISE(
                     "9", "1.2", "waking", "8") RUN("8", "1.2") RAISE("9", "1.3", "waking", "7")
                           RUN("7", "1.3") SLEEP("7", "1.4", "R+") RUN("7", "1.5")),
                 &options);
    cr_expect_eq(r.result, INPUT_READ);
    expect_series(&r, "wakeup", "9;post;7 300000000\n9;post;8 100000000\n", "wakeup");
    reading_release(&r);
}

/*
 * Each thread waits for the next one, and the last is woken: the chain of the first has all of
 * them.
 */
Test(input_perf_sched, long_chains_are_cut)
{
    enum { THREADS = PERF_WAKERS_MOST + 4 };
    struct input_options options = input_options_default();
    struct reading r;
    struct buf text = {0};

    options.chains = true;
    for (int i = 0; i < THREADS; i++)
        buf_printf(&text,
                   "t 0/%d 1.%02d: sched:sched_switch: prev_comm=t prev_pid=%d prev_state=S ==> "
                   "next_comm=s next_pid=0 \n"
                   "\t 1 wait (/bin/a)\n\n",
                   i + 1, i, i + 1);
    for (int i = THREADS - 1; i >= 0; i--)
        buf_printf(
            &text,
            "t 0/%d 2.%02d: sched:sched_waking: comm=t pid=%d \n\t 2 post (/bin/a)\n\n"
            "swapper 0/0 2.%02d: sched:sched_switch: prev_comm=s prev_pid=0 prev_state=R ==> "
            "next_comm=t next_pid=%d \n\t 1 idle (k)\n\n",
            i + 2, THREADS - i, i + 1, THREADS - i, i + 1);
    reading_text(&r, buf_slice(&text), &options);
    cr_expect_eq(r.result, INPUT_READ);
    cr_expect_eq(reading_note(&r, "off-cpu chain", NOTE_WAKERS_CUT), THREADS - PERF_WAKERS_MOST);
    cr_expect_eq(reading_note(&r, "off-cpu chain", NOTE_WAKERS_LOOPED), 0);
    cr_expect_eq(r.profile.ledger.notes[NOTE_WAKERS_CUT], 0);
    buf_release(&text);
    reading_release(&r);
}

Test(input_perf_sched, states)
{
    static const struct {
        const char *state, *off;
        uint64_t left_out;
    } rows[] = {
        {"D", "8;wait 100000000\n", 5},
        {"uninterruptible", "8;wait 100000000\n", 5},
        {"S", "7;wait 300000000\n", 5},
        {"involuntary", "9;wait 100000000\n", 2},
    };
    static const char input[] = SLEEP("7", "1.0", "S") SLEEP("8", "1.1", "D|K")
        SLEEP("9", "1.1", "R+") RUN("8", "1.2") RUN("9", "1.2") RUN("7", "1.3");

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct input_options options = input_options_default();
        struct reading r;

        options.states = &rows[i].state;
        options.state_count = 1;
        reading_text(&r, slice_str(input), &options);
        expect_series(&r, "off-cpu", rows[i].off, rows[i].state);
        cr_expect_eq(r.profile.ledger.left_out, rows[i].left_out, "%s: %d", rows[i].state,
                     (int)r.profile.ledger.left_out);
        reading_release(&r);
    }
}

Test(input_perf_sched, samples_that_are_left_out_end_the_time_of_others)
{
    static const char *const names[] = {"a"};
    struct input_options options = input_options_default();
    struct slice input =
        SLICE(SWITCH("a 7/7", "0.5", "7", "8") SWITCH("b 8/8", "1.0", "8", "7")
                  WAKE("c 9/9", "sched_wakeup", "comm=b pid=8") SWITCH("a 7/7", "1.5", "7", "8"));
    struct reading r;

    options.processes = names;
    options.process_count = 1;
    reading_text(&r, input, &options);
    expect_series(&r, "off-cpu", OFF "500000000\n", "one process");
    cr_expect_eq(r.profile.ledger.left_out, 2);
    reading_release(&r);
    options = input_options_default();
    options.split_process = true;
    reading_text(&r, input, &options);
    expect_series(&r, "off-cpu, a (7)", OFF "500000000\n", "the first");
    expect_series(&r, "off-cpu, b (8)", "b;wait;schedule 500000000\n", "the second");
    expect_series(&r, "off-cpu by waker, b (8)",
                  "b;wait;schedule;--;wake_[w];post_[w];c_[w] 500000000\n", "its waker");
    reading_release(&r);
}

Test(input_perf_sched, times_beyond_64_bits_are_refused)
{
    struct buf messages = {0};
    struct reading r;

    reading_text(
        &r,
        SLICE(SWITCH("a 7/7", "1.0", "7", "0") WAKE("b 8/8", "sched_stat_sleep",
                                                    "pid=7 delay=18446744073709551615")
                  WAKE("b 8/8", "sched_stat_sleep",
                       "comm= pid=7 delay=1844674407370955161") SWITCH("a 7/7", "1.2", "7", "0")
                      WAKE("b 8/8", "sched_stat_sleep", "comm=a pid=7 delay=18446744073709551615")),
        NULL);
    reading_messages(&r, &messages);
    cr_expect_eq(r.result, INPUT_FAILED, "%s", buf_string(&messages));
    cr_expect(strstr(buf_string(&messages), "the sum of the weights does not fit in 64 bits"), "%s",
              buf_string(&messages));
    reading_release(&r);
    buf_release(&messages);
}

/* The script's output for the same file; it writes microseconds. */
static void expect_reference(const char *series, const char *expected)
{
    static const char input[] = "shape-samples/perf-sched-stat-sleep.txt";
    struct input_options options = input_options_default();
    struct buf path = {0}, why = {0}, want = {0}, sorted = {0}, got = {0};
    struct slice rest, line;
    struct reading r;

    options.names = NAMES_REFERENCE;
    cr_assert(file_read(corpus_path(&path, expected), 1 << 20, &want, &why), "%s",
              buf_string(&why));
    rest = buf_slice(&want);
    buf_clear(&why);
    while (slice_line(&rest, &line))
        buf_printf(&why, "%.*s000\n", SLICE_ARG(line));
    reading_sort(buf_slice(&why), &sorted);
    reading_path(&r, corpus_path(&path, input), input, &options, 1);
    reading_fold(&r, profile_find_series(&r.profile, slice_str(series)), &got);
    cr_expect_str_eq(buf_string(&got), buf_string(&sorted));
    reading_release(&r);
    buf_release(&path);
    buf_release(&why);
    buf_release(&want);
    buf_release(&sorted);
    buf_release(&got);
}

Test(input_perf_sched, reference_names_are_those_of_the_script)
{
    corpus_need();
    expect_reference("off-cpu",
                     "shape-samples/expected/perf-sched-stat-sleep.txt.reference.folded");
    expect_reference("off-cpu by waker",
                     "shape-samples/expected/perf-sched-stat-sleep.txt.recurse.reference.folded");
}
