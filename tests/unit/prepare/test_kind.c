#include "prepare/kind.h"

#include <string.h>

#include "layout/palette.h"
#include "unit/support/corpus.h"
#include "unit/support/reading.h"
#include "unit/support/test.h"

/* A series as a reader describes it, and the kind it must be recognised as. */
static const struct {
    const char *format, *event, *unit, *kind;
} cases[] = {
    {"perf-script", "cpu-clock", "ns", "cpu"},
    {"perf-script", "cycles:uppp", "cycles", "cpu"},
    {"perf-script", "cpu-cycles:P", "cpu-cycles", "cpu"},
    {"perf-script", "off-cpu", "ns", "off-cpu"},
    {"perf-script", "off-cpu by waker", "ns", "off-wake"},
    {"perf-script", "off-cpu chain", "ns", "chain"},
    {"perf-script", "sched:sched_switch", "sched:sched_switch", "switches"},
    {"perf-script", "sched:sched_wakeup", "sched:sched_wakeup", "wakeups"},
    {"perf-script", "context-switches", "context-switches", "switches"},
    {"perf-script", "page-faults", "page-faults", "page-faults"},
    {"perf-script", "page-faults:u", "page-faults", "page-faults"},
    {"perf-script", "exceptions:page_fault_user", "samples", "page-faults"},
    {"perf-script", "syscalls:sys_enter_brk", "samples", "stacks"},
    {"perf-script", "brk allocations", "allocations", "allocations"},
    {"perf-script", "probe_libc:malloc", "samples", "allocations"},
    {"perf-script", "probe_libc:malloc__return", "samples", "stacks"},
    {"perf-script", "brk bytes", "bytes", "brk"},
    {"perf-script", "page_alloc bytes", "bytes", "malloc"},
    {"perf-script", "mmap bytes", "bytes", "mmap"},
    {"perf-script", "block:block_rq_issue", "samples", "io"},
    {"perf-script", "block I/O time", "ns", "io-time"},
    {"perf-script", "futex lock wait", "ns", "lock-wait"},
    {"perf-script", "futex condition wait", "ns", "cond-wait"},
    {"perf-script", "futex join wait", "ns", "join-wait"},
    {"perf-script", "futex wait", "ns", "futex-wait"},
    {"jfr", "jdk.JavaMonitorWait", "ns", "cond-wait"},
    {"perf-script", "lock:contention_begin", "samples", "locks"},
    {"perf-script", "syscalls:sys_enter_futex", "samples", "stacks"},
    {"perf-script", "syscalls:sys_enter_pread64", "samples", "io"},
    {"perf-script", "syscalls:sys_enter_fdatasync", "samples", "io"},
    {"perf-script", "cache-misses", "cache-misses", "cache-misses"},
    {"perf-script", "LLC-load-misses:pp", "LLC-load-misses", "cache-misses"},
    {"perf-script", "stalled-cycles-frontend", "samples", "stalls"},
    {"perf-script", "branch-misses", "branch-misses", "branch-misses"},
    {"perf-script", "instructions", "instructions", "stacks"},
    {"pmcstat", "RESOURCE_STALLS.ANY", "RESOURCE_STALLS.ANY", "stalls"},
    {"pmcstat", "CPU_CLK_UNHALTED.THREAD_P", "samples", "cpu"},
    {"callgrind", "D1mr", "D1mr", "cache-misses"},
    {"callgrind", "Bcm", "Bcm", "branch-misses"},
    {"callgrind", "Dr", "Dr", "stacks"},
    {"pprof", "alloc_space", "bytes", "malloc"},
    {"pprof", "alloc_objects", "objects", "allocations"},
    {"pprof", "inuse_space", "bytes", "heap"},
    {"pprof", "inuse_objects", "objects", "objects"},
    {"pprof", "cpu", "ns", "cpu"},
    {"pprof", "delay", "ns", "lock-wait"},
    {"pprof", "contentions", "contentions", "locks"},
    {"heaptrack", "leaked", "bytes", "leak"},
    {"heaptrack", "peak", "bytes", "heap"},
    {"heaptrack", "allocated", "bytes", "malloc"},
    {"massif", "mem_heap_B", "bytes", "heap"},
    {"dhat", "total bytes", "bytes", "malloc"},
    {"dhat", "read bytes", "bytes", "memory"},
    {"heapprofile", "", "bytes", "heap"},
    {"memleak", "", "bytes", "leak"},
    {"jfr", "jdk.ObjectAllocationSample", "bytes", "malloc"},
    {"jfr", "jdk.JavaMonitorEnter", "ns", "lock-wait"},
    {"jfr", "jdk.FileRead", "ns", "io-time"},
    {"jfr", "jdk.ExecutionSample", "samples", "cpu"},
    {"austin", "wall", "us", "wall"},
    {"trace-event", "CrRendererMain", "us", "stacks"},
    {"folded", "", "samples", "stacks"},
};

Test(prepare_kind, recognised_by_format_event_and_unit)
{
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct profile p;
        uint32_t id;

        profile_init(&p);
        p.format = cases[i].format;
        id = profile_series(&p, slice_str(cases[i].event), unit_named(slice_str(cases[i].unit)));
        cr_expect_str_eq(kind_recognise(&p, id)->name, cases[i].kind, "%s: %s", cases[i].format,
                         cases[i].event);
        profile_release(&p);
    }
}

/* Texts whose kind is recognised from their stacks or first lines. */
static const struct {
    const char *what, *text, *kind;
} texts[] = {
    {"a waker behind two dashes", "a;read;schedule;--;wake;irq 5\n", "off-wake"},
    {"wakers of wakers", "a;read;schedule;--;wake;b;--;wake;c 5\nx;y 7\n", "chain"},
    {"bcc's older delimiter", "a;read;schedule;-;wake;-;irq 5\n", "off-wake"},
    {"a dash between kernel and user", "a;main;-;read_[k] 5\n", "stacks"},
    {"offcputime",
     "Tracing off-CPU time (us) of all threads by user + kernel stack... Hit Ctrl-C to end.\n\n"
     "    schedule\n    main\n    -                bash (4018)\n        13\n\n",
     "off-cpu"},
};

Test(prepare_kind, recognised_by_stacks_and_first_lines)
{
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        struct reading r;

        reading_text(&r, slice_str(texts[i].text), NULL);
        cr_assert_eq(r.result, INPUT_READ, "%s", texts[i].what);
        cr_expect_str_eq(kind_recognise(&r.profile, 0)->name, texts[i].kind, "%s", texts[i].what);
        reading_release(&r);
    }
}

Test(prepare_kind, recordings)
{
    static const struct {
        const char *path, *kind;
    } files[] = {
        {"bcc/offcputime-K.txt", "off-cpu"},       {"bcc/offwaketime.txt", "off-wake"},
        {"bcc/offwaketime-fu.folded", "off-wake"}, {"bcc/profile.txt", "stacks"},
        {"seeds/wakeuptime-raw.txt", "wakeup"},    {"heapprofile/node20.heapprofile", "heap"},
        {"massif/massif.out.thr", "heap"},         {"seeds/offwaketime-raw.txt", "off-wake"},
    };
    struct buf path = {0};

    corpus_need();
    for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
        struct reading r;

        reading_path(&r, corpus_path(&path, files[i].path), files[i].path, NULL, 1);
        cr_expect_str_eq(kind_recognise(&r.profile, 0)->name, files[i].kind, "%s", files[i].path);
        reading_release(&r);
    }
    buf_release(&path);
}

Test(prepare_kind, table)
{
    for (size_t i = 0; i < KINDS; i++) {
        const struct kind *k = &kinds[i];

        cr_assert_not_null(k->name, "row %zu", i);
        cr_expect_eq(kind_find(slice_str(k->name)), k, "%s is there twice", k->name);
        cr_expect(k->about && *k->about && k->about[strlen(k->about) - 1] != '.');
        cr_expect_not_null(palette_find(slice_str(k->palette)));
        cr_expect(!k->each || k->unit);
    }
    cr_expect_null(kinds[KINDS].name);
    cr_expect_null(kind_find(SLICE("of-cpu")));
}
