#include "prepare/hotcold.h"

#include "prepare/kind.h"
#include "tree/chart.h"
#include "unit/support/reading.h"
#include "unit/support/test.h"

#define CLOCK(who, time, period, frame)                                                            \
    who " " who "/" who " " time ": " period " cpu-clock: \n\t 1 " frame " (/bin/a)\n\n"
#define SLEEP(who, time)                                                                           \
    who " " who "/" who " " time ": sched:sched_switch: prev_comm=" who " prev_pid=" who           \
        " prev_state=S ==> next_comm=x next_pid=0\n\t 1 wait (/bin/a)\n\n"
#define RUN(who, time)                                                                             \
    "x 0/0 " time ": sched:sched_switch: prev_comm=x prev_pid=0 prev_state=R ==> next_comm=" who   \
    " next_pid=" who "\n\t 1 idle (k)\n\n"
#define BCC                                                                                        \
    "Tracing off-CPU time (us) of all threads by user + kernel stack... Hit Ctrl-C to end.\n\n"    \
    "    read\n    main\n    -                sh (4018)\n        13\n\n"

/* Inputs, and the expected series "hot/cold" or a part of the message. */
static const struct {
    const char *what, *inputs[2];
    unsigned frequency;
    bool pair;
    const char *want, *error;
} rows[] = {
    {"one recording of both",
     {CLOCK("7", "1.0", "2000000", "work") SLEEP("7", "1.1") RUN("7", "1.2")},
     0,
     false,
     "7;wait_[c] 100000000\n7;work_[h] 2000000\n",
     NULL},
    {"side by side",
     {CLOCK("7", "1.0", "2000000", "work") SLEEP("7", "1.1") RUN("7", "1.2")},
     0,
     true,
     "off-CPU_[c];7;wait_[c] 100000000\non-CPU_[h];7;work_[h] 2000000\n",
     NULL},
    {"a tool's file and one of samples",
     {"sh;main;work 3\nsh;main;idle_[k] 1\n", BCC},
     1000,
     false,
     "sh;main_[c];read_[c] 13000\nsh;main_[h];idle_[h] 1000000\nsh;main_[h];work_[h] 3000000\n",
     NULL},
    {"in the other order: the tool says what it is",
     {BCC, CLOCK("7", "1.0", "2000000", "work")},
     0,
     false,
     "7;work_[h] 2000000\nsh;main_[c];read_[c] 13000\n",
     NULL},
    {"two folded files",
     {"sh;a 10\n", "sh;b 20\n"},
     100,
     false,
     "sh;a_[h] 100000000\nsh;b_[c] 20000\n",
     NULL},
    {"a third of a nanosecond is given to the next",
     {"sh;a 1\nsh;b 1\nsh;c 1\n", "sh;d 1\n"},
     3,
     false,
     "sh;a_[h] 333333333\nsh;b_[h] 333333333\nsh;c_[h] 333333334\nsh;d_[c] 1000\n",
     NULL},
    {"cycles share the time of their samples",
     {"a 7/7 1.0: 300 cycles: \n\t 1 f (/bin/a)\n\na 7/7 1.1: 100 cycles: \n\t 2 g (/bin/a)\n\n",
      "a;b 20\n"},
     100,
     false,
     "a;b_[c] 20000\na;f_[h] 15000000\na;g_[h] 5000000\n",
     NULL},
    {"samples without a frequency", {"sh;a 10\n", "sh;b 20\n"}, 0, false, NULL, "--frequency 99"},
    {"one side alone", {"sh;a 10\n"}, 0, false, NULL, "does not say that it has either"},
    {"the other alone", {BCC}, 0, false, NULL, "the input has no on-CPU time"},
    {"only on the CPU",
     {CLOCK("7", "1.0", "2000000", "work")},
     0,
     false,
     NULL,
     "the input has no off-CPU time"},
    {"no times at all",
     {CLOCK("7", "1.0", "2000000", "work"), "a 7/7 1.0: 300 page-faults: \n\t 1 f (/bin/a)\n\n"},
     0,
     false,
     NULL,
     "hotcold needs times, and off-CPU is in page-faults"},
    {"more than 64 bits", {"sh;a 18446744073709551615\n", "sh;b 20\n"}, 1, false, NULL, "64 bits"},
};

/* Adds inputs as flamepress does: a single one unchanged, several by hotcold_take(). */
static bool read_all(size_t row, struct reading *all)
{
    struct reading part;

    if (!rows[row].inputs[1]) {
        reading_text(all, slice_str(rows[row].inputs[0]), NULL);
        return all->result == INPUT_READ;
    }
    *all = (struct reading){0};
    profile_init(&all->profile);
    diag_init(&all->diag, SLICE("in"));
    for (size_t i = 0; i < 2; i++) {
        reading_text(&part, slice_str(rows[row].inputs[i]), NULL);
        cr_assert_eq(part.result, INPUT_READ, "%s", rows[row].what);
        cr_assert(hotcold_take(&all->profile, &part.profile, i, &all->diag));
        reading_release(&part);
    }
    return true;
}

Test(prepare_hotcold, table)
{
    struct recipe r;
    struct buf got = {0};

    recipe_init(&r);
    r.kind = &kinds[KIND_HOTCOLD];
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct reading all;
        uint32_t id;

        r.frequency = rows[i].frequency;
        r.side_by_side = rows[i].pair;
        cr_assert(read_all(i, &all), "%s", rows[i].what);
        buf_clear(&got);
        cr_expect_eq(hotcold_join(&r, &all.profile, &all.diag), rows[i].want != NULL, "%s",
                     rows[i].what);
        id = profile_find_series(&all.profile, SLICE("hot/cold"));
        if (rows[i].want) {
            cr_assert_neq(id, SERIES_NONE);
            cr_expect_str_eq(kind_recognise(&all.profile, id)->name, "hotcold");
            cr_expect_eq(all.profile.series.items[id].unit.exponent, -9);
            reading_fold(&all, id, &got);
            cr_expect_str_eq(buf_string(&got), rows[i].want, "%s: %s", rows[i].what,
                             buf_string(&got));
        } else {
            reading_messages(&all, &got);
            cr_expect(strstr(buf_string(&got), rows[i].error), "%s: %s", rows[i].what,
                      buf_string(&got));
        }
        reading_release(&all);
    }
    recipe_release(&r);
    buf_release(&got);
}

/* Reads an input whose samples are kept one by one, joins it and returns its timed samples. */
static void join_moments(const char *const *inputs, size_t count, struct buf *out, bool *possible)
{
    struct input_options input = input_options_default();
    struct reading all = {0}, part;
    struct recipe r;
    uint32_t id;

    input.timed = true;
    recipe_init(&r);
    r.kind = &kinds[KIND_HOTCOLD];
    r.frequency = 100;
    profile_init(&all.profile);
    diag_init(&all.diag, SLICE("in"));
    for (size_t i = 0; i < count; i++) {
        reading_text(&part, slice_str(inputs[i]), &input);
        cr_assert(hotcold_take(&all.profile, &part.profile, i, &all.diag));
        reading_release(&part);
    }
    cr_assert(hotcold_join(&r, &all.profile, &all.diag));
    id = profile_find_series(&all.profile, SLICE("hot/cold"));
    cr_assert_neq(id, SERIES_NONE);
    *possible = chart_is_possible(&all.profile, id);
    reading_moments(&all, id, out);
    reading_release(&all);
    recipe_release(&r);
}

/* The ledger of an input with both sides is counted once. */
Test(prepare_hotcold, ledger_counts_once)
{
    struct reading both;
    struct profile all;
    struct diag diag;

    reading_text(
        &both,
        SLICE("a 7/7 1.0: 1 cpu-clock: \n\t 1 f (/bin/a)\n\n"
              "a 7/7 1.1: sched:sched_switch: prev_comm=a prev_pid=7 prev_prio=120 "
              "prev_state=S ==> next_comm=b next_pid=8 next_prio=120\n\t 1 f (/bin/a)\n\n"
              "b 8/8 1.3: sched:sched_switch: prev_comm=b prev_pid=8 prev_prio=120 "
              "prev_state=S ==> next_comm=a next_pid=7 next_prio=120\n\t 1 f (/bin/a)\n\n"),
        NULL);
    both.profile.ledger.lost = 5;
    profile_init(&all);
    diag_init(&diag, SLICE("in"));
    cr_assert(hotcold_take(&all, &both.profile, 0, &diag));
    cr_expect_eq(all.series.count, 2);
    cr_expect_eq(all.ledger.lost, 5);
    profile_release(&all);
    diag_release(&diag);
    reading_release(&both);
}

Test(prepare_hotcold, moments_are_those_of_both_sides)
{
    static const char *const one[] = {CLOCK("7", "1.0", "2000000", "work") SLEEP("7", "1.1")
                                          RUN("7", "1.2") CLOCK("7", "1.3", "3000000", "work")};
    static const char *const folded[] = {"sh;a 10\n", "sh;b 20\n"};
    struct buf got = {0};
    bool possible;

    join_moments(one, 1, &got, &possible);
    cr_expect_str_eq(buf_string(&got), "1000000000:7;work_[h] 2000000\n"
                                       "1100000000:7;wait_[c] 100000000\n"
                                       "1300000000:7;work_[h] 3000000\n");
    cr_expect(possible);
    buf_clear(&got);
    join_moments(folded, 2, &got, &possible);
    cr_expect_not(possible, "two files that merely stand in order have no order of both");
    buf_release(&got);
}
