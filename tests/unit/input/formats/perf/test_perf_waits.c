#include "input/formats/perf/perf_waits.h"

#include "unit/support/reading.h"
#include "unit/support/test.h"

#define EVENT(who, time, name, fields)                                                             \
    "app " who " [000] " time ": " name ": " fields                                                \
    "\n\t 1 ask (/bin/app)\n\t 2 main (/bin/app)\n\n"
#define ISSUE(who, time, fields) EVENT(who, time, "block:block_rq_issue", fields)
#define COMPLETE(time, fields)                                                                     \
    "swapper 0 [000] " time ": block:block_rq_complete: " fields "\n\t 1 idle (k)\n\n"
#define BEGIN(who, time) EVENT(who, time, "lock:contention_begin", "0xff (flags=MUTEX)")
#define END(who, time) EVENT(who, time, "lock:contention_end", "0xff (ret=0)")

static const struct {
    const char *what, *input, *series, *want, *without_end;
} rows[] = {
    {"a lock", BEGIN("7", "1.0") END("7", "1.5"), "lock wait", "app;main;ask 500000000\n", ""},
    {"each thread has its own", BEGIN("7", "1.0") BEGIN("8", "1.1") END("8", "1.3") END("7", "1.5"),
     "lock wait", "app;main;ask 700000000\n", ""},
    {"an end without a beginning", END("7", "1.0") BEGIN("7", "1.1") END("7", "1.2"), "lock wait",
     "app;main;ask 100000000\n", ""},
    {"a beginning without an end",
     BEGIN("7", "1.0") BEGIN("7", "1.1") END("7", "1.2") BEGIN("9", "2.0"), "lock wait",
     "app;main;ask 100000000\n", "2"},
    {"a request, by device and sector",
     ISSUE("7", "1.0", "254,0 R 4096 () 64 + 8 0x2,0,4 [app]")
         ISSUE("8", "1.1", "254,1 R 4096 () 64 + 8 [app]") COMPLETE("1.2", "254,0 R () 64 + 8 [0]")
             COMPLETE("1.4", "254,1 R () 64 + 8 [0]"),
     "block I/O time", "app;main;ask 500000000\n", ""},
    {"another sector",
     ISSUE("7", "1.0", "254,0 R 4096 () 64 + 8 [app]") COMPLETE("1.2", "254,0 R () 72 + 8 [0]"),
     "block I/O time", "", "1"},
    {"a system call",
     EVENT("7", "1.0", "syscalls:sys_enter_fsync", "fd: 0x3")
         EVENT("7", "1.25", "syscalls:sys_exit_fsync", "0x0"),
     "I/O time", "app;main;ask 250000000\n", ""},
    {"a fast call",
     EVENT("7", "1.0", "syscalls:sys_enter_futex", "uaddr: 0x7")
         EVENT("7", "1.000000001", "syscalls:sys_exit_futex", "0x0"),
     "futex wait", "app;main;ask 1\n", ""},
    {"a call that wakes others",
     EVENT("7", "1.0", "syscalls:sys_enter_futex", "uaddr: 0x7, op: 0x00000081, val: 0x1")
         EVENT("7", "1.5", "syscalls:sys_exit_futex", "0x1"),
     "futex wait", NULL, ""},
    {"one that waits for one of many",
     EVENT("7", "1.0", "syscalls:sys_enter_futex", "uaddr: 0x7, op: 0x00000189, val: 0x1")
         EVENT("7", "1.5", "syscalls:sys_exit_futex", "0x0"),
     "futex wait", "app;main;ask 500000000\n", ""},
    {"a lock with priority inheritance",
     EVENT("7", "1.0", "syscalls:sys_enter_futex", "uaddr: 0x7, op: 0x00000086, val: 0x1")
         EVENT("7", "1.5", "syscalls:sys_exit_futex", "0x0"),
     "futex lock wait", "app;main;ask 500000000\n", ""},
    {"a condition with such a lock",
     EVENT("7", "1.0", "syscalls:sys_enter_futex", "uaddr: 0x7, op: 0x0000008b, val: 0x1")
         EVENT("7", "1.5", "syscalls:sys_exit_futex", "0x0"),
     "futex condition wait", "app;main;ask 500000000\n", ""},
    {"no request", ISSUE("7", "1.0", "nothing") COMPLETE("1.2", "254,0 R () 72 + 8 [0]"),
     "block I/O time", NULL, ""},
};

Test(input_perf_waits, time_goes_to_the_stack_that_asked)
{
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const struct unit *unit;
        struct reading r;

        reading_text(&r, slice_str(rows[i].input), NULL);
        cr_assert_eq(r.result, INPUT_READ, "%s", rows[i].what);
        unit = reading_expect_series(&r, rows[i].what, rows[i].series, rows[i].want);
        if (unit)
            cr_expect_eq(unit->exponent, -9);
        cr_expect(slice_equal(profile_fact(&r.profile, SLICE("waits without an end")),
                              slice_str(rows[i].without_end)),
                  "%s", rows[i].what);
        reading_release(&r);
    }
}

Test(input_perf_waits, the_stack_says_what_futex_waits_for)
{
    static const struct {
        const char *leaf, *caller, *series;
    } calls[] = {
        {"__GI___lll_lock_wait", "pthread_mutex_lock", "futex lock wait"},
        {"__futex_abstimed_wait_common", "pthread_cond_wait", "futex condition wait"},
        {"__lll_lock_wait", "pthread_cond_wait", "futex lock wait"},
        {"__futex_abstimed_wait_common", "__pthread_clockjoin_ex", "futex join wait"},
        {"__new_sem_wait_slow64.constprop.0", "work", "futex condition wait"},
        {"pthread_cond_timedwait", "take_gil", "futex lock wait"},
        {"pthread_cond_wait", "ObjectMonitor::enter", "futex lock wait"},
        {"runtime.futexsleep", "runtime.lock2", "futex lock wait"},
        {"runtime.futexsleep", "runtime.notesleep", "futex condition wait"},
        {"syscall", "std::sys::sync::mutex::futex::Mutex::lock_contended", "futex lock wait"},
        {"syscall", "std::sys::sync::condvar::futex::Condvar::wait", "futex condition wait"},
        {"syscall", "my_pthread_mutex_lock", "futex wait"},
        {"my_sem_wait", "work", "futex wait"},
    };

    for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
        struct reading r;
        struct buf input = {0};
        uint64_t times = 0;
        uint32_t id;

        buf_printf(&input,
                   "app 7 [000] 1.0: syscalls:sys_enter_futex: uaddr: 0x7, op: 0x00000080\n"
                   "\t 1 %s (/bin/app)\n\t 2 %s (/bin/app)\n\n"
                   "app 7 [000] 1.5: syscalls:sys_exit_futex: 0x0\n\t 1 x (/bin/app)\n\n",
                   calls[i].leaf, calls[i].caller);
        reading_text(&r, buf_slice(&input), NULL);
        id = profile_find_series(&r.profile, slice_str(calls[i].series));
        cr_assert(id != SERIES_NONE, "%s, %s", calls[i].leaf, calls[i].caller);
        cr_expect_eq(r.profile.series.items[id].total, 500000000);
        for (uint32_t k = 0; k < r.profile.series.count; k++)
            times += r.profile.series.items[k].unit.kind == UNIT_SECONDS
                         ? r.profile.series.items[k].total
                         : 0;
        cr_expect_eq(times, 500000000, "no other time");
        reading_release(&r);
        buf_release(&input);
    }
}

/* With split threads, the number of the thread is that in the line of the call. */
Test(input_perf_waits, a_split_thread_has_times_of_its_own)
{
    struct input_options options = input_options_default();
    struct reading r;
    uint32_t id;

    options.split_thread = true;
    reading_text(&r, SLICE(BEGIN("7", "1.0") BEGIN("8", "1.1") END("7", "1.5") END("8", "1.7")),
                 &options);
    id = profile_find_series(&r.profile, SLICE("lock wait, app (7)"));
    cr_assert(id != SERIES_NONE);
    cr_expect_eq(r.profile.series.items[id].total, 500000000);
    id = profile_find_series(&r.profile, SLICE("lock wait, app (8)"));
    cr_assert(id != SERIES_NONE);
    cr_expect_eq(r.profile.series.items[id].total, 600000000);
    reading_release(&r);
}
