#include "cli/kind.h"

#include <criterion/criterion.h>
#include <string.h>

#include "layout/palette.h"
#include "unit/support/corpus.h"
#include "unit/support/reading.h"

/* A series by what its reader says of it. */
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
    {"perf-script", "syscalls:sys_enter_brk", "samples", "allocations"},
    {"perf-script", "brk bytes", "bytes", "brk"},
    {"perf-script", "page_alloc bytes", "bytes", "malloc"},
    {"perf-script", "mmap bytes", "bytes", "mmap"},
    {"perf-script", "block:block_rq_issue", "samples", "io"},
    {"perf-script", "block I/O time", "ns", "io-time"},
    {"perf-script", "futex lock wait", "ns", "lock-wait"},
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

Test(cli_kind, recognised_by_format_event_and_unit)
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

/* Texts whose stacks or first lines say it. */
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

Test(cli_kind, recognised_by_stacks_and_first_lines)
{
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        struct reading r;

        reading_text(&r, slice_str(texts[i].text), NULL);
        cr_assert_eq(r.result, INPUT_READ, "%s", texts[i].what);
        cr_expect_str_eq(kind_recognise(&r.profile, 0)->name, texts[i].kind, "%s", texts[i].what);
        reading_release(&r);
    }
}

Test(cli_kind, recordings)
{
    static const struct {
        const char *path, *kind;
    } files[] = {
        {"bcc/offcputime-K.txt", "off-cpu"},       {"bcc/offwaketime.txt", "off-wake"},
        {"bcc/offwaketime-fu.folded", "off-wake"}, {"bcc/profile.txt", "stacks"},
        {"seeds/wakeuptime-raw.txt", "wakeup"},    {"heapprofile/node20.heapprofile", "heap"},
        {"massif/massif.out.thr", "heap"},         {"seeds/offwaketime-raw.txt", "off-wake"},
    };
    struct buf path;

    corpus_need();
    buf_init(&path);
    for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
        struct reading r;

        reading_path(&r, corpus_path(&path, files[i].path), files[i].path, NULL, 1);
        cr_expect_str_eq(kind_recognise(&r.profile, 0)->name, files[i].kind, "%s", files[i].path);
        reading_release(&r);
    }
    buf_release(&path);
}

/* Applies a kind, or none, to weights of 3 of `event`. */
static bool apply(struct profile *p, const char *event, const char *unit, const char *kind,
                  const char *count_name, uint64_t weight)
{
    struct options o;
    struct diag diag;
    bool ok;

    options_init(&o);
    diag_init(&diag, SLICE("x"));
    o.kind = kind;
    o.count_name = count_name;
    profile_init(p);
    p->format = "perf-script";
    profile_add(
        p, profile_series(p, slice_str(event), unit_named(slice_str(unit))),
        stacks_push(&p->stacks, STACK_ROOT, symbols_add(&p->symbols, SLICE("main"), SYMBOL_USER)),
        weight);
    ok = kind_apply(&o, p, &diag);
    cr_expect_eq(diag.counts[DIAG_ERROR], !ok);
    diag_release(&diag);
    options_release(&o);
    return ok;
}

Test(cli_kind, units)
{
    static const struct {
        const char *event, *unit, *kind, *count_name, *word;
        uint64_t total;
    } rows[] = {
        {"page-faults", "page-faults", NULL, NULL, "bytes", 3 * 4096},
        {"page-faults", "page-faults", NULL, "faults", "page-faults", 3},
        {"page-faults", "page-faults", "stacks", NULL, "page-faults", 3},
        {"", "samples", "off-cpu", NULL, "seconds", 3},
        {"", "samples", "malloc", NULL, "bytes", 3},
        {"", "samples", "io", NULL, "I/Os", 3},
        {"sched:sched_wakeup", "samples", NULL, NULL, "wakeups", 3},
        {"sched:sched_switch", "sched:sched_switch", NULL, NULL, "switches", 3},
        {"syscalls:sys_enter_mmap", "samples", NULL, NULL, "allocations", 3},
        {"probe:grow", "samples", "mmap", NULL, "bytes", 3},
        {"x", "calls", "off-cpu", NULL, "calls", 3},
        {"off-cpu", "ns", NULL, NULL, "seconds", 3},
        {"", "samples", NULL, NULL, "samples", 3},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct profile p;
        const struct series *s;

        cr_assert(apply(&p, rows[i].event, rows[i].unit, rows[i].kind, rows[i].count_name, 3));
        s = &p.series.items[0];
        cr_expect(slice_equal(unit_word(&s->unit), slice_str(rows[i].word)), "row %zu", i);
        cr_expect_eq(s->total, rows[i].total, "row %zu", i);
        cr_expect_eq(s->weight[0], rows[i].total, "row %zu", i);
        profile_release(&p);
    }
}

Test(cli_kind, bytes_beyond_64_bits_are_refused)
{
    struct profile p;

    cr_expect(!apply(&p, "page-faults", "page-faults", NULL, NULL, UINT64_MAX / 4095));
    profile_release(&p);
}

Test(cli_kind, a_kind_of_the_input_selects)
{
    struct options o;
    struct profile p;

    options_init(&o);
    cr_expect(apply(&p, "off-cpu", "ns", NULL, NULL, 3));
    cr_expect(!kind_selects(&o, &p));
    o.kind = "off-cpu";
    cr_expect(kind_selects(&o, &p));
    o.kind = "cpu";
    cr_expect(!kind_selects(&o, &p));
    cr_expect_str_eq(kind_of(&o, &p, 0)->name, "cpu");
    profile_release(&p);
    options_release(&o);
}

Test(cli_kind, the_others_stay_what_they_are)
{
    struct options o;
    struct diag diag;
    struct profile p;
    uint32_t counts, bytes;

    options_init(&o);
    diag_init(&diag, SLICE("x"));
    o.kind = "brk";
    cr_expect(apply(&p, "cpu-clock", "ns", NULL, NULL, 3));
    counts = profile_series(&p, SLICE("syscalls:sys_enter_brk"), unit_samples);
    bytes = profile_series(&p, SLICE("brk bytes"), unit_named(SLICE("bytes")));
    profile_add(&p, counts, 1, 2);
    profile_add(&p, bytes, 1, 4096);
    cr_expect(kind_apply(&o, &p, &diag));
    cr_expect_eq(p.series.items[counts].unit.kind, UNIT_COUNT);
    cr_expect_eq(p.series.items[bytes].unit.kind, UNIT_BYTES);
    profile_release(&p);
    diag_release(&diag);
    options_release(&o);
}

Test(cli_kind, table)
{
    struct arena memory;
    struct options o;

    arena_init(&memory);
    options_init(&o);
    for (const struct kind *k = kinds; k->name; k++) {
        cr_expect_eq(kind_find(slice_str(k->name)), k, "%s is there twice", k->name);
        cr_expect(k->about && *k->about && k->about[strlen(k->about) - 1] != '.');
        cr_expect_not_null(k->palette);
        cr_expect(!k->each || k->unit);
    }
    cr_expect_null(kind_find(SLICE("of-cpu")));
    cr_expect(slice_equal(kind_title(&kinds[0], &o, false, &memory), SLICE("Flame Graph")));
    o.inverted = true;
    cr_expect(slice_equal(kind_title(kind_find(SLICE("io")), &o, false, &memory),
                          SLICE("I/O Icicle Graph")));
    options_release(&o);
    arena_release(&memory);
}
