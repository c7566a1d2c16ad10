#include "input/formats/perf/perf_derived.h"

#include "unit/support/reading.h"
#include "unit/support/test.h"

#define EVENT(who, name, fields)                                                                   \
    "app " who " [000] 1.5: " name ": " fields "\n\t 1 get (/bin/app)\n\t 2 main (/bin/app)\n\n"
#define BRK(who, end) EVENT(who, "syscalls:sys_enter_brk", "brk: 0x" end)
#define END_IS(who, end) EVENT(who, "syscalls:sys_exit_brk", "0x" end)

static const struct {
    const char *what, *input, *series, *want;
} rows[] = {
    {"mapped",
     EVENT("7", "syscalls:sys_enter_mmap", "addr: 0x00000000, len: 0x00021000, prot: 0x3")
         EVENT("7", "syscalls:sys_enter_mmap", "addr: 0x00000000, len: 0x10"),
     "mmap bytes", "app;main;get 135184\n"},
    {"the heap rises", BRK("7", "00000000") BRK("7", "1000") BRK("7", "3000") BRK("7", "3800"),
     "brk bytes", "app;main;get 145408\n"}, /* 132 KiB + 0x2800 */
    {"the first rise, which the answer tells",
     BRK("7", "0") END_IS("7", "5000") BRK("7", "0") END_IS("7", "5000") BRK("7", "7000")
         END_IS("7", "7000"),
     "brk bytes", "app;main;get 8192\n"},
    {"a rise that was refused", BRK("7", "1000") BRK("7", "900000000") END_IS("7", "1000"),
     "brk allocations", "app;main;get 1\n"},
    {"it falls and rises again",
     BRK("7", "1000") BRK("7", "3000") BRK("7", "2000") BRK("7", "3000"), "brk bytes",
     "app;main;get 12288\n"},
    {"a fall and a question are no allocations",
     BRK("7", "0") BRK("7", "0") BRK("7", "3000") BRK("7", "2000") BRK("7", "3000"),
     "brk allocations", "app;main;get 2\n"},
    {"each process has its own",
     BRK("7", "1000") BRK("8", "9000") BRK("7", "2000") BRK("8", "9100"), "brk bytes",
     "app;main;get 4352\n"},
    {"each process has a first rise", BRK("7", "0") BRK("7", "1000") BRK("8", "0") BRK("8", "9000"),
     "brk bytes", "app;main;get 270336\n"},
    {"another program asks anew", BRK("7", "9000") BRK("7", "00000000") BRK("7", "1000"),
     "brk bytes", "app;main;get 135168\n"},
    {"a process that was there before has no known end", BRK("7", "9000"), "brk bytes", NULL},
    {"a file map is no allocation",
     EVENT("7", "syscalls:sys_enter_mmap", "addr: 0x0, len: 0x10, prot: 0x1, flags: 0x802, fd: 0x3")
         EVENT("7", "syscalls:sys_enter_mmap", "addr: 0x0, len: 0x10, prot: 0x3, flags: 0x22"),
     "mmap allocations", "app;main;get 1\n"},
    {"a field that is not there", EVENT("7", "syscalls:sys_enter_mmap", "addr: 0x00000000"),
     "mmap bytes", NULL},
};

Test(input_perf_memory, bytes_beside_counts)
{
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const struct unit *unit;
        struct reading r;

        reading_text(&r, slice_str(rows[i].input), NULL);
        cr_assert_eq(r.result, INPUT_READ, "%s", rows[i].what);
        unit = reading_expect_series(&r, rows[i].what, rows[i].series, rows[i].want);
        if (unit)
            cr_expect_eq(unit->kind,
                         strstr(rows[i].series, "allocations") ? UNIT_COUNT : UNIT_BYTES);
        reading_release(&r);
    }
}

Test(input_perf_memory, processes_apart)
{
    struct input_options options = input_options_default();
    struct reading r;

    options.split_process = true;
    reading_text(&r, SLICE(BRK("7", "1000") BRK("8", "9000") BRK("7", "2000") BRK("8", "9100")),
                 &options);
    cr_expect_neq(profile_find_series(&r.profile, SLICE("brk bytes, app (7)")), SERIES_NONE);
    cr_expect_neq(profile_find_series(&r.profile, SLICE("brk bytes, app (8)")), SERIES_NONE);
    reading_release(&r);
}

Test(input_perf_memory, more_than_64_bits_is_refused)
{
    static const char most[] =
        EVENT("7", "syscalls:sys_enter_mmap", "addr: 0x0, len: 0xffffffffffffffff, prot: 0x3");
    struct buf messages = {0}, text = {0};
    struct reading r;

    buf_printf(&text, "%s%s", most, most);
    reading_text(&r, buf_slice(&text), NULL);
    reading_messages(&r, &messages);
    cr_expect_eq(r.result, INPUT_FAILED);
    cr_expect(strstr(buf_string(&messages), "the sum of the weights does not fit in 64 bits"), "%s",
              buf_string(&messages));
    reading_release(&r);
    buf_release(&text);
    buf_release(&messages);
}
