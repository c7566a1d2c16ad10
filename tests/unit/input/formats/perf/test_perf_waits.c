#include "input/formats/perf/perf_waits.h"

#include <criterion/criterion.h>

#include "unit/support/reading.h"

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
    {"a fast lock",
     EVENT("7", "1.0", "syscalls:sys_enter_futex", "uaddr: 0x7")
         EVENT("7", "1.000000001", "syscalls:sys_exit_futex", "0x0"),
     "futex lock wait", "app;main;ask 1\n", ""},
    {"a call that wakes others",
     EVENT("7", "1.0", "syscalls:sys_enter_futex", "uaddr: 0x7, op: 0x00000081, val: 0x1")
         EVENT("7", "1.5", "syscalls:sys_exit_futex", "0x1"),
     "futex lock wait", NULL, ""},
    {"one that waits for one of many",
     EVENT("7", "1.0", "syscalls:sys_enter_futex", "uaddr: 0x7, op: 0x00000189, val: 0x1")
         EVENT("7", "1.5", "syscalls:sys_exit_futex", "0x0"),
     "futex lock wait", "app;main;ask 500000000\n", ""},
    {"no request", ISSUE("7", "1.0", "nothing") COMPLETE("1.2", "254,0 R () 72 + 8 [0]"),
     "block I/O time", NULL, ""},
};

Test(input_perf_waits, time_goes_to_the_stack_that_asked)
{
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct reading r;
        struct buf got;
        uint32_t id;

        buf_init(&got);
        reading_text(&r, slice_str(rows[i].input), NULL);
        cr_assert_eq(r.result, INPUT_READ, "%s", rows[i].what);
        id = profile_find_series(&r.profile, slice_str(rows[i].series));
        cr_expect_eq(id != SERIES_NONE, rows[i].want != NULL, "%s", rows[i].what);
        if (id != SERIES_NONE && rows[i].want) {
            reading_fold(&r, id, &got);
            cr_expect_str_eq(got.ptr, rows[i].want, "%s: %s", rows[i].what, got.ptr);
            cr_expect_eq(r.profile.series.items[id].unit.exponent, -9);
        }
        cr_expect(slice_equal(profile_fact(&r.profile, SLICE("waits without an end")),
                              slice_str(rows[i].without_end)),
                  "%s", rows[i].what);
        reading_release(&r);
        buf_release(&got);
    }
}
