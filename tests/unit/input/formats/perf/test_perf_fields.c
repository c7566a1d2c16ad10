#include "input/formats/perf/perf_fields.h"

#include "base/buf.h"
#include "unit/support/test.h"

/* Events as perf script writes them, and the numbers and the state in them. */
static const struct {
    const char *event, *text, *want;
} rows[] = {
    {"sched:sched_switch",
     "prev_comm= prev_pid=9 prev_pid=7 prev_prio=120 prev_state=R+ ==> next_comm=x next_pid=9 "
     "next_pid=8 next_prio=120",
     "prev_pid=7 next_pid=8 R+"},
    {"sched:sched_switch", "io:7 [120] S ==> b:c:8 [120]", "prev_pid=7 next_pid=8 S"},
    {"sched:sched_switch", "nothing", ""},
    {"sched:sched_stat_sleep", "comm=a pid=1 pid=7 delay=77 [ns]", "pid=7 delay=77 "},
    {"sched:sched_waking", "a:7 [120] CPU:001", "pid=7 "},
    {"sched:sched_waking", "comm=a pid=-1 prio=1", ""},
    {"syscalls:sys_enter_mmap", "addr: 0x00000000, len: 0x00021000, flags: 0x00000022",
     "addr=0 len=135168 flags=34 "},
    {"syscalls:sys_enter_brk", "brk: 0x564cebcda000", "brk=94888373624832 "},
    {"syscalls:sys_exit_brk", "0x564cebcda000", "ret=94888373624832 "},
    {"block:block_rq_issue", "254,3 R 4096 () 1952 + 8 [app]", "dev=266338307 sector=1952 "},
    {"block:block_rq_issue", "254,3 WS 0 () 18446744073709551615 + 0 none,0,0 [kworker/0:1H]",
     "dev=266338307 sector=18446744073709551615 "},
    {"block:block_rq_issue", "4096,0 R 8 () 1 + 8 [a]", "sector=1 "},
    {"lock:lock_acquire", "0xff00 try read &mm->mmap_lock",
     "lock_addr=65280 lockdep_addr=65280 flags=1 "},
    {"lock:contention_end", "0xff00 (ret=0)", "lock_addr=65280 lockdep_addr=65280 flags=0 ret=0 "},
    {"lock:contention_end", "0xff00 (ret=-4)", "lock_addr=65280 lockdep_addr=65280 flags=0 "},
    {"kmem:kmalloc", "call_site=f+0x1 ptr=0xff00 bytes_req=100 bytes_alloc=128, node=-1",
     "ptr=65280 bytes_req=100 bytes_alloc=128 "},
    {"kmem:kfree", "call_site=f ptr=ff00", "ptr=65280 "},
    {"kmem:kfree", "call_site=f ptr=0000000000001000", "ptr=4096 "},
    {"kmem:kmalloc", "ptr=(nil) bytes_alloc=8", "ptr=0 bytes_alloc=8 "},
    {"probe_libc:malloc", "size=48", ""},
    {"probe_libc:malloc", "(7f) size=48 name=\"a\"", "size=48 "},
    {"cycles", "7f main (/bin/a)", ""},
};

Test(input_perf_fields, numbers_by_name)
{
    struct perf_fields f = {0};
    struct buf got = {0};

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        perf_fields_parse(&f, slice_str(rows[i].event), slice_str(rows[i].text));
        buf_clear(&got);
        vec_each (struct perf_field, field, &f.items)
            if (field->is_number)
                buf_printf(&got, "%.*s=%llu ", SLICE_ARG(field->name),
                           (unsigned long long)field->number);
        buf_add_slice(&got, f.state);
        cr_expect_str_eq(buf_string(&got), rows[i].want, "%s: %s: '%s'", rows[i].event,
                         rows[i].text, buf_string(&got));
    }
    perf_fields_release(&f);
    buf_release(&got);
}

static const struct {
    const char *event, *text, *function; /* NULL if it is no probe */
    bool returns;
    unsigned count;
    uint64_t args[PERF_ARGS_MOST];
} probes[] = {
    {"probe_libc:malloc", "(7f5da47a6930) size=48", "malloc", false, 1, {48}},
    {"probe_libc:malloc__return", "(7f <- 56) ptr=0x7f", "malloc", true, 1, {0x7f}},
    {"probe_libc:__libc_calloc_1", "(7f) n=1 size=0x20", "calloc", false, 2, {1, 32}},
    {"sdt_libpthread:mutex_acquired", "(7f) arg1=9402", "mutex_acquired", false, 1, {9402}},
    {"probe:f", "(7f) a=1 name=\"x\" c=3", "f", false, 1, {1}},
    {"probe:f", "(7f) a=-1 b=2", "f", false, 0, {0}},
    {"probe:f", "(7f) a=1 b=2 c=3 d=4 e=5", "f", false, 4, {1, 2, 3, 4}},
    {"probe:f", "(7f) 5", "f", false, 0, {0}},
    {"probe:f", "7f a=1", NULL, false, 0, {0}},
    {"probe:f", "(7f a=1", NULL, false, 0, {0}},
    {"other:f", "(7f) a=1", NULL, false, 0, {0}},
};

Test(input_perf_fields, arguments_of_probes_by_their_order)
{
    struct perf_fields f = {0};

    for (size_t i = 0; i < sizeof(probes) / sizeof(probes[0]); i++) {
        struct slice event = slice_str(probes[i].event);
        struct perf_probe p;

        perf_fields_parse(&f, event, slice_str(probes[i].text));
        cr_expect_eq(perf_fields_probe(&f, event, &p), probes[i].function != NULL, "row %zu", i);
        if (!probes[i].function)
            continue;
        cr_expect(slice_equal(p.function, slice_str(probes[i].function)), "row %zu", i);
        cr_expect(p.returns == probes[i].returns && p.count == probes[i].count, "row %zu", i);
        for (unsigned arg = 0; arg < p.count; arg++)
            cr_expect_eq(p.args[arg], probes[i].args[arg], "row %zu", i);
    }
    perf_fields_release(&f);
}

Test(input_perf_fields, the_number_of_fields_is_bounded)
{
    struct perf_fields f = {0};
    struct buf text = {0};
    uint64_t value;

    buf_add_str(&text, "(7f)");
    for (int i = 0; i < 1000; i++)
        buf_printf(&text, " a%d=%d", i, i);
    perf_fields_parse(&f, SLICE("probe:f"), buf_slice(&text));
    cr_expect_leq(f.items.count, 64);
    cr_expect(perf_fields_number(&f, SLICE("a7"), &value) && value == 7);
    cr_expect_not(perf_fields_number(&f, SLICE("a999"), &value));
    cr_expect_not(perf_fields_number(NULL, SLICE("a7"), &value));
    perf_fields_release(&f);
    buf_release(&text);
}
