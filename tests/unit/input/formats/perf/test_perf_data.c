#include <fcntl.h>
#include <link.h>

#include "base/build_id.h"
#include "unit/support/made.h"
#include "unit/support/own_code.h"
#include "unit/support/reading.h"
#include "unit/support/test.h"

static void read_made(struct reading *r, const struct made *m)
{
    struct input_options o = made_options();

    reading_text(r, buf_slice(&m->bytes), &o);
}

static void expect_fold(struct made *m, const char *name, const char *want)
{
    struct reading r;

    read_made(&r, m);
    reading_expect_fold(&r, name, 0, want);
    reading_release(&r);
    buf_release(&m->bytes);
}

/* Expects an error, or any message, that contains `part`. */
static void expect_message(struct made *m, enum input_result result, const char *part)
{
    struct reading r;

    read_made(&r, m);
    cr_expect_eq(r.result, result, "%s", part);
    reading_expect_message(&r, part);
    reading_release(&r);
    buf_release(&m->bytes);
}

/* ---- tests ----------------------------------------------------------------------------------- */

Test(input_perf_data, both_byte_orders)
{
    for (int big = 0; big < 2; big++) {
        struct made m;

        made_begin_pipe(&m, big);
        made_map(&m, UINT32_MAX, 0xffff0000, "[kernel.kallsyms]_text", 0);
        made_comm(&m, 3, "app", 10);
        made_map(&m, 3, 0x1000, "/bin/app", 11);
        made_map(&m, 3, 0x2000, "/lib/libx.so", 12);
        made_sample(&m, 3, 20);
        expect_fold(&m, big ? "big" : "little", "app;[libx.so];[app];[kernel.kallsyms] 5\n");
    }
}

Test(input_perf_data, records_in_the_order_of_time)
{
    struct made m;

    made_begin_pipe(&m, false);
    made_sample(&m, 3, 40);
    made_comm(&m, 3, "old", 10);
    made_sample(&m, 3, 20);
    made_comm(&m, 3, "new", 30);
    expect_fold(&m, "sorted",
                "new;[unknown];[unknown];[unknown] 5\nold;[unknown];[unknown];[unknown] 5\n");
}

Test(input_perf_data, a_fork_has_name_and_maps_of_its_parent)
{
    struct made m;

    made_begin_pipe(&m, false);
    made_comm(&m, 3, "app", 10);
    made_map(&m, 3, 0x1000, "/bin/app", 11);
    made_record(&m, PERF_RECORD_FORK, 0, 24 + 24);
    for (size_t i = 0; i < 4; i++)
        made_number(&m, i % 2 ? 3 : 4, 4);
    WORDS(&m, 12);
    made_end(&m, 3, 12);
    made_map(&m, 4, 0x2000, "/lib/libx.so", 13);
    made_sample(&m, 3, 20);
    made_sample(&m, 4, 21);
    expect_fold(&m, "forked", "app;[libx.so];[app];[unknown] 5\napp;[unknown];[app];[unknown] 5\n");
}

Test(input_perf_data, a_map_replaces_what_it_covers)
{
    struct made m;

    made_begin_pipe(&m, false);
    made_comm(&m, 3, "app", 10);
    made_map(&m, 3, 0x1000, "/lib/old.so", 11);
    made_map(&m, 3, 0x2000, "/lib/old.so", 12);
    made_map(&m, 3, 0x1800, "/lib/new.so", 13);
    made_sample(&m, 3, 20);
    expect_fold(&m, "replaced", "app;[new.so];[old.so];[unknown] 5\n");
}

Test(input_perf_data, lost_records_are_counted)
{
    struct made m;
    struct reading r;

    made_begin_pipe(&m, false);
    made_sample(&m, 3, 20);
    made_record(&m, PERF_RECORD_LOST, 0, 16 + 24);
    WORDS(&m, 7, 12);
    made_end(&m, 3, 21);
    made_record(&m, PERF_RECORD_LOST_SAMPLES, 0, 8 + 24);
    WORDS(&m, 5);
    made_end(&m, 3, 22);
    read_made(&r, &m);
    cr_expect_eq(r.profile.ledger.lost, 17);
    reading_release(&r);
    buf_release(&m.bytes);
}

/* The bit of an event's flags that child processes inherit it. */
static void make_inherited(struct made *m)
{
    enum { FLAGS_AT = 40, INHERIT = 1 };
    size_t at = m->bytes.len - MADE_ATTR + FLAGS_AT + (m->big ? 7 : 0);

    m->bytes.ptr[at] = (char)(m->bytes.ptr[at] | 1 << INHERIT);
    if (m->big)
        m->bytes.ptr[at - 7] = (char)(m->bytes.ptr[at - 7] | 1 << (7 - INHERIT));
}

/*
 * Each sample has all counters of the group; the weight is the growth of a counter: of the
 * thread's own, if threads inherit the event. A lower value is that of a counter that began again.
 */
Test(input_perf_data, a_group)
{
    enum { GROUPED = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TID | PERF_SAMPLE_READ };
    static const uint64_t values[][3] = {
        {3, 100, 10}, {3, 150, 10}, {4, 90, 1}, {3, 170, 12}, {4, 95, 1}};
    static const uint64_t totals[2][2] = {{150 + 90 + 80 + 95, 10 + 1 + 11 + 1},
                                          {170 + 95, 12 + 1}};

    for (size_t inherited = 0; inherited < 2; inherited++) {
        struct made m;
        struct reading r;

        made_begin(&m, false);
        WORDS(&m, PERF_PIPE_HEADER);
        for (uint64_t i = 0; i < 2; i++) {
            made_record(&m, PERF_RECORD_HEADER_ATTR, 0, MADE_ATTR + 8);
            made_attr(&m, i, GROUPED, PERF_FORMAT_ID | PERF_FORMAT_GROUP);
            if (inherited)
                make_inherited(&m);
            WORDS(&m, 7 + i);
        }
        for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
            made_record(&m, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, 8 * 7);
            WORDS(&m, 7, values[i][0] | values[i][0] << 32, 2, values[i][1], 7, values[i][2], 8);
        }
        read_made(&r, &m);
        cr_assert_eq(r.profile.series.count, 2);
        for (size_t i = 0; i < 2; i++)
            cr_expect_eq(r.profile.series.items[i].total, totals[inherited][i], "%zu %zu: %llu",
                         inherited, i, (unsigned long long)r.profile.series.items[i].total);
        reading_release(&r);
        buf_release(&m.bytes);
    }
}

/* A sample of a group may have the counter of an event that the file does not describe. */
Test(input_perf_data, a_counter_of_an_unknown_event)
{
    enum { GROUPED = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TID | PERF_SAMPLE_READ };
    struct made m;
    struct reading r;

    made_begin(&m, false);
    WORDS(&m, PERF_PIPE_HEADER);
    made_record(&m, PERF_RECORD_HEADER_ATTR, 0, MADE_ATTR + 8);
    made_attr(&m, 0, GROUPED, PERF_FORMAT_ID | PERF_FORMAT_GROUP);
    WORDS(&m, 7);
    for (uint64_t count = 100; count <= 200; count += 100) {
        made_record(&m, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, 8 * 7);
        WORDS(&m, 7, 3 | 3ull << 32, 2, count, 7, 55, 99);
    }
    read_made(&r, &m);
    cr_expect_eq(r.profile.series.items[0].total, 200);
    cr_expect_eq(r.profile.ledger.unreadable, 2);
    reading_expect_message(&r, "skipped a counter of an event that is not described");
    reading_release(&r);
    buf_release(&m.bytes);
}

/* perf record -e '{a}:S': the weight is the growth of the counter, not the period. */
Test(input_perf_data, a_single_event_with_its_counter)
{
    enum {
        COUNTED = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TID | PERF_SAMPLE_READ | PERF_SAMPLE_PERIOD,
        FORMAT = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING | PERF_FORMAT_ID |
                 PERF_FORMAT_LOST,
    };
    static const uint64_t values[] = {100, 150, 150, 175};
    struct made m;

    made_begin(&m, false);
    WORDS(&m, PERF_PIPE_HEADER);
    made_record(&m, PERF_RECORD_HEADER_ATTR, 0, MADE_ATTR + 8);
    made_attr(&m, 0, COUNTED, FORMAT);
    WORDS(&m, 7);
    for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
        made_record(&m, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, 8 * 8);
        WORDS(&m, 7, 3 | 3ull << 32, 1000, values[i], 7000, 7001, 7, 0);
    }
    expect_fold(&m, "single", ":3 175\n");
}

/* The first series is that of the first event of the recording, whichever happened first. */
Test(input_perf_data, series_in_the_order_of_the_attributes)
{
    struct made m;
    struct reading r;

    made_begin_pipe(&m, false);
    made_record(&m, PERF_RECORD_HEADER_ATTR, 0, MADE_ATTR + 8);
    made_attr(&m, 2, MADE_TYPE, 0);
    WORDS(&m, 8);
    made_record(&m, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, 8 * 6);
    WORDS(&m, 8, 0x1010, 3 | 3ull << 32, 20, 5, 0);
    made_sample(&m, 3, 30);
    read_made(&r, &m);
    cr_assert_eq(r.profile.series.count, 2);
    cr_expect(slice_equal(r.profile.series.items[0].name, SLICE("cpu-clock")));
    cr_expect(slice_equal(r.profile.series.items[1].name, SLICE("page-faults")));
    reading_release(&r);
    buf_release(&m.bytes);
}

/* The frames of a context that is not known cost themselves only, and are reported. */
Test(input_perf_data, an_unknown_context)
{
    struct made m;
    struct reading r;

    made_begin_pipe(&m, false);
    made_comm(&m, 3, "app", 10);
    made_map(&m, 3, 0x1000, "/bin/app", 11);
    made_record(&m, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, 8 * (5 + 6));
    WORDS(&m, 7, 0x1010, 3 | 3ull << 32, 20, 5, 5, (uint64_t)-777, 0x1010, 0x1020,
          PERF_CONTEXT_USER, 0x1010);
    made_sample(&m, 4, 30);
    read_made(&r, &m);
    reading_expect_fold(&r, "unknown", 0, ":4;[unknown];[unknown];[unknown] 5\napp;[app] 5\n");
    reading_expect_message(&r, "left out the frames of the unknown context -777 of a call chain");
    cr_expect_eq(r.profile.ledger.truncated, 1);
    reading_release(&r);
    buf_release(&m.bytes);
}

/* ---- deferred user call chains --------------------------------------------------------------- */

/* A sample of a thread: one frame of the kernel, and where the user's will be. */
static void add_deferring(struct made *m, uint32_t pid, uint64_t cookie, uint64_t time)
{
    made_record(m, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_KERNEL, 8 * (5 + 5));
    WORDS(m, 7, 0xffff0010);
    made_number(m, pid, 4);
    made_number(m, pid, 4);
    WORDS(m, time, 5, 4, PERF_CONTEXT_KERNEL, 0xffff0010, PERF_DEFERRED_CONTEXT, cookie);
}

/* Its user frames. */
static void add_deferred(struct made *m, uint32_t pid, uint64_t cookie, uint64_t time)
{
    made_record(m, PERF_RECORD_DEFERRED, PERF_RECORD_MISC_USER, 8 * 5 + 24);
    WORDS(m, cookie, 3, PERF_CONTEXT_USER, 0x2010, 0x1010);
    made_end(m, pid, time);
}

Test(input_perf_data, deferred_call_chains_are_joined)
{
    for (int big = 0; big < 2; big++) {
        struct made m;
        struct reading r;

        made_begin_pipe(&m, big);
        made_map(&m, UINT32_MAX, 0xffff0000, "[kernel.kallsyms]_text", 0);
        for (uint32_t pid = 3; pid < 5; pid++) {
            made_comm(&m, pid, pid == 3 ? "app" : "other", 10);
            made_map(&m, pid, 0x1000, "/bin/app", 11);
            made_map(&m, pid, 0x2000, "/lib/libx.so", 12);
        }
        add_deferring(&m, 3, 0x70, 20); /* too old for the chain of its thread */
        add_deferring(&m, 3, 0x71, 21);
        add_deferring(&m, 4, 0x71, 22); /* never gets one */
        add_deferring(&m, 3, 0x71, 23);
        add_deferred(&m, 3, 0x71, 24);
        add_deferring(&m, 3, 0x72, 25);
        add_deferred(&m, 3, 0x72, 26);
        add_deferred(&m, 3, 0x72, 27); /* nothing waits for it */
        read_made(&r, &m);
        reading_expect_fold(&r, "joined", 0,
                            "app;[app];[libx.so];[kernel.kallsyms] 15\n"
                            "app;[kernel.kallsyms] 5\nother;[kernel.kallsyms] 5\n");
        reading_expect_message(&r, "the deferred user call chain 70 of a sample is missing");
        cr_expect_eq(r.profile.ledger.truncated, 2);
        cr_expect_eq(r.profile.series.items[0].samples, 5);
        reading_release(&r);
        buf_release(&m.bytes);
    }
}

Test(input_perf_data, a_deferred_call_chain_that_is_cut)
{
    struct made m;

    made_begin_pipe(&m, false);
    made_sample(&m, 3, 20);
    made_record(&m, PERF_RECORD_DEFERRED, PERF_RECORD_MISC_USER, 8 * 2);
    WORDS(&m, 1, UINT64_MAX / 8 + 1);
    expect_message(&m, INPUT_READ, "skipped a deferred call chain that is cut");
}

/* ---- guests ---------------------------------------------------------------------------------- */

Test(input_perf_data, a_guest_is_named)
{
    struct made m;

    made_begin_pipe(&m, false);
    made_comm(&m, 3, "qemu", 1);
    made_record(&m, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_GUEST_KERNEL, 8 * 6);
    WORDS(&m, 7, 0x1010);
    made_number(&m, 3, 4);
    made_number(&m, 3, 4);
    WORDS(&m, 20, 5, 0);
    expect_fold(&m, "guest", "qemu;[guest kernel] 5\n");
}

/* ---- control groups -------------------------------------------------------------------------- */

static void add_group(struct made *m, uint64_t id, const char *path)
{
    made_record(m, PERF_RECORD_CGROUP, 0, 8 + 16 + 24);
    WORDS(m, id);
    made_text(m, path, 16);
    made_end(m, 0, 0);
}

/* A sample with fields of all sizes before its control group. */
static void add_grouped(struct made *m, uint64_t id, uint64_t time)
{
    made_record(m, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, 8 * 15);
    WORDS(m, 7, 0x1010);
    made_number(m, 3, 4);
    made_number(m, 3, 4);
    WORDS(m, time, 5, 0, 11, 12, 13, 2, 21, 22, 14, id, 99);
}

/*
 * A recording with two groups: the attribute has the mask of the registers at an interrupt, whose
 * values are before the group.
 */
static void make_groups(struct made *m, bool big)
{
    enum { INTR_AT = 96, TWO_REGISTERS = 5, END = INTR_AT + 8 };
    const uint64_t type = MADE_TYPE | PERF_SAMPLE_WEIGHT | PERF_SAMPLE_DATA_SRC |
                          PERF_SAMPLE_TRANSACTION | PERF_SAMPLE_REGS_INTR | PERF_SAMPLE_PHYS_ADDR |
                          PERF_SAMPLE_CGROUP | PERF_SAMPLE_DATA_PAGE_SIZE;

    made_begin(m, big);
    WORDS(m, PERF_PIPE_HEADER);
    made_record(m, PERF_RECORD_HEADER_ATTR, 0, MADE_ATTR + 8);
    made_attr(m, 0, type, 0);
    buf_cut(&m->bytes, m->bytes.len - (MADE_ATTR - INTR_AT));
    WORDS(m, TWO_REGISTERS);
    made_text(m, "", MADE_ATTR - END);
    WORDS(m, 7);
    add_group(m, 1, "/");
    add_group(m, 30, "/user.slice/a");
    add_grouped(m, 30, 20);
    add_grouped(m, 31, 21);
    add_grouped(m, 1, 22);
    add_grouped(m, 30, 23);
}

Test(input_perf_data, control_groups_are_series_if_asked_for)
{
    static const char *const names[] = {"cpu-clock, /user.slice/a", "cpu-clock, unknown",
                                        "cpu-clock, /"};

    for (int big = 0; big < 2; big++) {
        struct input_options options = made_options();
        struct made m;
        struct reading r;

        make_groups(&m, big);
        options.split_cgroup = true;
        reading_text(&r, buf_slice(&m.bytes), &options);
        cr_assert_eq(r.profile.series.count, 3);
        for (size_t i = 0; i < 3; i++) {
            const struct series *s = &r.profile.series.items[i];

            cr_expect(slice_equal(s->name, slice_str(names[i])), "%.*s", SLICE_ARG(s->name));
            cr_expect_eq(s->total, i ? 5 : 10);
        }
        reading_release(&r);
        expect_fold(&m, "together", ":3 20\n");
    }
}

Test(input_perf_data, a_sample_that_is_cut)
{
    struct made m;

    made_begin_pipe(&m, false);
    made_sample(&m, 3, 20);
    made_record(&m, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, 8 * 6);
    WORDS(&m, 7, 0x1010, 3, 20, 5, UINT64_MAX / 8 + 1);
    expect_message(&m, INPUT_READ, "skipped a sample that is cut");
}

/* They may be samples of another shape, or contain samples. */
Test(input_perf_data, records_of_unknown_types)
{
    static const uint32_t types[] = {23, 200};
    static const char *const told[] = {"skipped a record of the unknown type 23",
                                       "skipped a record of the unknown type 200"};

    for (size_t i = 0; i < 2; i++) {
        struct made m;
        struct reading r;

        made_begin_pipe(&m, false);
        made_sample(&m, 3, 20);
        made_record(&m, types[i], 0, 8);
        WORDS(&m, 1);
        reading_text(&r, buf_slice(&m.bytes), NULL);
        cr_expect_eq(r.profile.ledger.unreadable, 1);
        reading_release(&r);
        expect_message(&m, INPUT_READ, told[i]);
    }
}

Test(input_perf_data, a_record_beyond_the_end)
{
    struct made m;

    made_begin_pipe(&m, false);
    made_sample(&m, 3, 20);
    made_record(&m, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, 8);
    expect_message(&m, INPUT_READ, "what is before is read");
}

Test(input_perf_data, refuses_what_has_no_stacks)
{
    static const char *const parts[] = {"a recording of Intel PT", "a recording of perf stat"};

    for (size_t i = 0; i < 2; i++) {
        struct made m;

        made_begin_pipe(&m, false);
        made_record(&m, i ? PERF_RECORD_STAT_CONFIG : PERF_RECORD_AUXTRACE_INFO, 0, 8);
        WORDS(&m, 1);
        expect_message(&m, INPUT_FAILED, parts[i]);
    }
}

Test(input_perf_data, damaged_compression)
{
    struct made m;

    made_begin_pipe(&m, false);
    made_record(&m, PERF_RECORD_COMPRESSED, 0, 8);
    made_text(&m, "no zstd", 8);
    expect_message(&m, INPUT_FAILED, "the compressed records are damaged");
}

Test(input_perf_data, frames_without_a_symbol)
{
    struct made m;

    made_begin_pipe(&m, false);
    made_map(&m, UINT32_MAX, 0xffff0000, "[kernel.kallsyms]_text", 0);
    made_map(&m, 3, 0x1000, "/bin/app", 11);
    made_map(&m, 3, 0x2000, "/lib/libx.so", 12);
    made_sample(&m, 3, 20);
    made_sample(&m, 4, 30);
    expect_message(&m, INPUT_READ,
                   "frames without a symbol: 4 of 4: [kernel.kallsyms] (2, --kallsyms FILE), "
                   "/bin/app (1), /lib/libx.so (1)");
}

/* ---- debuginfod ------------------------------------------------------------------------------ */

/* This program's build id, that of the kernel or of the vdso of the recording. */
static void add_build_id(struct made *m, const char *path)
{
    struct buf id = {0};

    build_id_write(&id);
    cr_assert_eq(id.len, 20);
    made_record(m, PERF_RECORD_BUILD_ID,
                *path == '[' && path[1] == 'k' ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER,
                4 + 24 + 24);
    made_number(m, UINT32_MAX, 4);
    buf_add_slice(&id, slice_make("\0\0\0\0", 4));
    buf_add_slice(&m->bytes, buf_slice(&id));
    made_text(m, path, 24);
    buf_release(&id);
}

/* A server that has this program as debug information and nothing else; it counts requests. */
static int fetch_this_program(void *context, bool executable, struct slice id, struct buf *why)
{
    (void)why;
    cr_expect_eq(id.len, 20);
    ++*(unsigned *)context;
    return executable ? -1 : open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
}

/* The kernel's symbols are this program's, moved so that a function is where the sample was. */
static void add_kernel_of_this_program(struct made *m)
{
    enum { PATH = 40 };

    made_begin_pipe(m, false);
    add_build_id(m, "[kernel.kallsyms]");
    made_record(m, PERF_RECORD_MMAP, PERF_RECORD_MISC_KERNEL, 8 + 24 + PATH + 24);
    made_number(m, UINT32_MAX, 4);
    made_number(m, UINT32_MAX, 4);
    WORDS(m, 0xffff0000, 0x1000, 0xffff0010);
    made_text(m, "[kernel.kallsyms]input_options_default", PATH);
    made_end(m, UINT32_MAX, 0);
    made_comm(m, 3, "app", 10);
    made_sample(m, 3, 20);
}

Test(input_perf_data, the_kernel_by_debuginfod)
{
    static const struct {
        bool debuginfod;
        const char *kallsyms, *want;
        unsigned requests;
    } cases[] = {
        {true, NULL, "app;[unknown];[unknown];input_options_default 5\n", 1},
        {true, "/nowhere", "app;[unknown];[unknown];[kernel.kallsyms] 5\n", 0},
        {false, NULL, "app;[unknown];[unknown];[kernel.kallsyms] 5\n", 0},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct input_options o = made_options();
        unsigned requests = 0;
        struct reading r;
        struct made m;

        o.debuginfod = cases[i].debuginfod;
        o.kallsyms = cases[i].kallsyms;
        o.fetch = fetch_this_program;
        o.open_context = &requests;
        add_kernel_of_this_program(&m);
        reading_text(&r, buf_slice(&m.bytes), &o);
        reading_expect_fold(&r, "kernel", 0, cases[i].want);
        cr_expect_eq(requests, cases[i].requests, "%zu: %u requests", i, requests);
        reading_release(&r);
        buf_release(&m.bytes);
    }
}

static int take_base(struct dl_phdr_info *info, size_t size, void *base)
{
    (void)size;
    *(uint64_t *)base = info->dlpi_addr;
    return 1; /* the first one is this program */
}

/*
 * A moved kernel: one function is recorded where the file has another one, whose name must not
 * appear as that of an inlined function, nor its place in the source.
 */
Test(input_perf_data, inlined_functions_of_a_moved_kernel)
{
    enum { PATH = 40 };
    struct input_options o = made_options();
    unsigned requests = 0;
    uint64_t base, at;
    struct slice file;
    struct reading r;
    uint32_t id;
    struct made m;

    dl_iterate_phdr(take_base, &base);
    at = (uint64_t)(uintptr_t)build_id_write - base;
    o.debuginfod = true;
    o.kallsyms = NULL;
    o.inlining = INLINING_ON;
    o.fetch = fetch_this_program;
    o.open_context = &requests;
    made_begin_pipe(&m, false);
    add_build_id(&m, "[kernel.kallsyms]");
    made_record(&m, PERF_RECORD_MMAP, PERF_RECORD_MISC_KERNEL, 8 + 24 + PATH + 24);
    made_number(&m, UINT32_MAX, 4);
    made_number(&m, UINT32_MAX, 4);
    WORDS(&m, at & ~0xfffull, 0x2000, at);
    made_text(&m, "[kernel.kallsyms]input_options_default", PATH);
    made_end(&m, UINT32_MAX, 0);
    made_comm(&m, 3, "app", 10);
    made_record(&m, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_KERNEL, 8 * (5 + 3));
    WORDS(&m, 7, at);
    made_number(&m, 3, 4);
    made_number(&m, 3, 4);
    WORDS(&m, 20, 5, 2, PERF_CONTEXT_KERNEL, at);
    reading_text(&r, buf_slice(&m.bytes), &o);
    reading_expect_fold(&r, "moved", 0, "app;input_options_default 5\n");
    id = symbols_find(&r.profile.symbols, SLICE("input_options_default"), SYMBOL_USER);
    cr_assert_neq(id, SYMBOL_NONE);
    file = symbol_file(&r.profile.symbols, id);
    cr_expect(slice_ends(file, SLICE("/src/input/core/options.c")), "%.*s", SLICE_ARG(file));
    cr_expect_eq(requests, 1);
    reading_release(&r);
    buf_release(&m.bytes);
}

/* A sample of one address in a process, whose path is mapped at 0x10000000 from an offset on. */
static void add_process(struct made *m, uint32_t pid, const struct own_code *c, uint64_t offset,
                        uint64_t at)
{
    enum { START = 0x10000000, PATH = sizeof(c->path) };

    made_comm(m, pid, pid == 3 ? "here" : "there", 10);
    made_record(m, PERF_RECORD_MMAP, PERF_RECORD_MISC_USER, 8 + 24 + PATH + 24);
    made_number(m, pid, 4);
    made_number(m, pid, 4);
    WORDS(m, START, c->size, offset);
    made_text(m, c->path, PATH);
    made_end(m, pid, 11);
    made_record(m, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, 8 * (5 + 3));
    WORDS(m, 7, START + at);
    made_number(m, pid, 4);
    made_number(m, pid, 4);
    WORDS(m, 20, 5, 2, PERF_CONTEXT_USER, START + at);
}

/* A container has another file at the same path, and neither has a build id. */
Test(input_perf_data, another_file_at_the_path_of_a_map)
{
    struct input_options o = made_options();
    struct own_code c;
    struct reading r;
    struct made m;
    uint64_t at;

    own_code_find(&c);
    at = (uint64_t)(uintptr_t)build_id_write - c.start;
    o.symfs = NULL;
    made_begin_pipe(&m, false);
    add_process(&m, 3, &c, c.offset, at);
    add_process(&m, 4, &c, c.offset - 4096, at);
    reading_text(&r, buf_slice(&m.bytes), &o);
    reading_expect_fold(&r, "two files", 0, "here;build_id_write 5\nthere;[unit-tests] 5\n");
    reading_expect_message(&r, "is not the binary that was recorded and is not used: its code is "
                               "at another place in the file");
    reading_release(&r);
    buf_release(&m.bytes);
}

/* The vdso is asked for by its build id. */
Test(input_perf_data, the_vdso_by_debuginfod)
{
    struct input_options o = made_options();
    unsigned requests = 0;
    struct reading r;
    struct made m;

    o.debuginfod = true;
    o.fetch = fetch_this_program;
    o.open_context = &requests;
    made_begin_pipe(&m, false);
    add_build_id(&m, "[vdso]");
    made_comm(&m, 3, "app", 10);
    made_map(&m, 3, 0x1000, "[vdso]", 11);
    made_sample(&m, 3, 20);
    reading_text(&r, buf_slice(&m.bytes), &o);
    cr_expect_eq(requests, 2, "%u requests", requests);
    reading_release(&r);
    buf_release(&m.bytes);
}

/* ---- simpleperf ------------------------------------------------------------------------------ */

/* A file of the old form: its path, kind, an address, two symbols, and for kind 2 an offset. */
static void add_file(struct made *m, const char *path, uint32_t kind)
{
    struct made f = {.big = m->big};

    buf_add(&f.bytes, path, strlen(path) + 1);
    made_number(&f, kind, 4);
    made_number(&f, 0x10000, 8);
    made_number(&f, 2, 4);
    made_number(&f, kind == 2 ? 0x10400 : 0x400, 8);
    made_number(&f, 0x100, 4);
    buf_add(&f.bytes, "_Z4workv", 9);
    made_number(&f, 0xffff0000, 8);
    made_number(&f, 0x100, 4);
    buf_add(&f.bytes, "kernel_work", 12);
    if (kind == 2)
        made_number(&f, 0x300, 8);
    made_number(m, f.bytes.len, 4);
    buf_add_slice(&m->bytes, buf_slice(&f.bytes));
    buf_release(&f.bytes);
}

/* The same as a message: /lib/libx.so, kind 2, address 0x10000 at 0x300, one symbol. */
static void add_file_message(struct made *m)
{
    static const char message[] = "\x0a\x0c/lib/libx.so\x10\x02\x18\x80\x80\x04"
                                  "\x22\x0d\x08\x80\x88\x04\x10\x80\x02\x1a\x04main"
                                  "\x32\x03\x08\x80\x06";

    made_number(m, sizeof(message) - 1, 4);
    buf_add(&m->bytes, message, sizeof(message) - 1);
}

Test(input_perf_data, simpleperf_has_symbols_and_events_with_it)
{
    static const char info[] = "simpleperf_version\0001.0\0event_type_info\0other,1,3\nclock,1,0";

    for (int big = 0; big < 2; big++) {
        struct made files = {.big = big}, m = {.big = big};
        struct input_options options = input_options_default();
        struct buf contents[2] = {0};
        struct reading r;

        add_file(&files, "[kernel.kallsyms]", 0);
        add_file(&files, "/data/app.vdex", 3);
        add_file(&files, "/lib/libx.so", 2);
        contents[0] = files.bytes;
        buf_add(&contents[1], info, sizeof(info));
        made_recorded(&m, (const unsigned[]){128, 129}, contents, 2);
        options.symfs = "/nowhere";
        reading_text(&r, buf_slice(&m.bytes), &options);
        cr_expect(slice_equal(r.profile.series.items[0].name, SLICE("clock")));
        reading_expect_fold(&r, "old form", 0, "app;work;work;kernel_work 5\n");
        reading_release(&r);
        buf_release(&m.bytes);
        buf_release(&contents[0]);
        buf_release(&contents[1]);
    }
}

Test(input_perf_data, simpleperf_writes_files_as_messages)
{
    struct made files = {0}, m = {0};

    add_file_message(&files);
    made_recorded(&m, (const unsigned[]){132}, &files.bytes, 1);
    expect_fold(&m, "messages", "app;main;[app.vdex];[kernel.kallsyms] 5\n");
    buf_release(&files.bytes);
}

/* A section that is cut anywhere is read up to the damage. */
Test(input_perf_data, simpleperf_files_that_are_cut)
{
    struct made files = {0};

    add_file(&files, "/lib/libx.so", 2);
    for (size_t length = 0; length < files.bytes.len; length++) {
        struct buf cut = {0};
        struct made m = {0};
        struct reading r;

        buf_add(&cut, files.bytes.ptr, length);
        made_recorded(&m, (const unsigned[]){128}, &cut, 1);
        read_made(&r, &m);
        cr_expect_eq(r.result, INPUT_READ, "%zu", length);
        reading_release(&r);
        buf_release(&m.bytes);
        buf_release(&cut);
    }
    buf_release(&files.bytes);
}

/* ---- trace points ---------------------------------------------------------------------------- */

static const char sched_switch[] =
    "name: sched_switch\nID: 372\nformat:\n"
    "\tfield:pid_t prev_pid;\toffset:0;\tsize:4;\tsigned:1;\n"
    "\tfield:long prev_state;\toffset:4;\tsize:4;\tsigned:1;\n"
    "\tfield:pid_t next_pid;\toffset:8;\tsize:4;\tsigned:1;\n\n"
    "print fmt: \"prev_comm=a prev_pid=%d prev_state=%s ==> next_comm=b next_pid=%d\", "
    "REC->prev_pid, REC->prev_state ? \"S\" : \"R\", REC->next_pid\n";

/* The descriptions of tracepoints, with one event of the system "sched". */
static void add_descriptions(struct made *m)
{
    struct made d = {.big = m->big};
    size_t padded;

    buf_add(&d.bytes, "\x17\x08\x44tracing0.6\0", 14);
    made_number(&d, m->big, 1);
    made_number(&d, 8, 1);
    made_number(&d, 4096, 4);
    buf_add(&d.bytes, "header_page\0\0\0\0\0\0\0\0\0header_event\0\0\0\0\0\0\0\0\0", 41);
    made_number(&d, 0, 4);
    made_number(&d, 1, 4);
    buf_add(&d.bytes, "sched", 6);
    made_number(&d, 1, 4);
    WORDS(&d, sizeof(sched_switch) - 1);
    buf_add(&d.bytes, sched_switch, sizeof(sched_switch) - 1);
    padded = (d.bytes.len + 7) / 8 * 8;
    made_record(m, PERF_RECORD_TRACING_DATA, 0, 4);
    made_number(m, padded, 4);
    buf_add_slice(&m->bytes, buf_slice(&d.bytes));
    made_text(m, "", padded - d.bytes.len);
    buf_release(&d.bytes);
}

static void add_switch(struct made *m, uint32_t from, uint32_t state, uint32_t to, uint64_t time)
{
    made_record(m, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_KERNEL, 8 * 7);
    WORDS(m, 7);
    made_number(m, from, 4);
    made_number(m, from, 4);
    WORDS(m, time, 1, 0);
    made_number(m, 12, 4);
    made_number(m, from, 4);
    made_number(m, state, 4);
    made_number(m, to, 4);
}

/* Off-CPU time is computed from the fields of events, which the recording describes. */
Test(input_perf_data, trace_points)
{
    enum {
        SWITCHES = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_PERIOD |
                   PERF_SAMPLE_RAW | PERF_SAMPLE_IDENTIFIER
    };

    for (int big = 0; big < 2; big++) {
        struct made m;
        struct reading r;

        made_begin(&m, big);
        WORDS(&m, PERF_PIPE_HEADER);
        made_record(&m, PERF_RECORD_HEADER_ATTR, 0, MADE_ATTR + 8);
        made_number(&m, PERF_TYPE_TRACEPOINT, 4);
        made_number(&m, MADE_ATTR, 4);
        WORDS(&m, 372, 1, SWITCHES, 0, 0);
        made_text(&m, "", MADE_ATTR - 48);
        WORDS(&m, 7);
        add_descriptions(&m);
        made_comm(&m, 3, "app", 1);
        made_comm(&m, 4, "db", 1);
        add_switch(&m, 3, 1, 4, 1000);
        add_switch(&m, 4, 0, 3, 1700);
        add_switch(&m, 3, 1, 4, 1900);
        read_made(&r, &m);
        cr_assert_eq(r.profile.series.count, 2);
        cr_expect(slice_equal(r.profile.series.items[1].name, SLICE("sched:sched_switch")));
        cr_expect(slice_equal(r.profile.series.items[0].name, SLICE("off-cpu")));
        reading_expect_fold(&r, big ? "big" : "little", 0, "app 700\ndb 200\n");
        reading_release(&r);
        buf_release(&m.bytes);
    }
}

/* A record of simpleperf, whose size has its higher half where others have flags. */
static void add_simple_record(struct made *m, uint32_t type, size_t content)
{
    size_t size = content + PERF_RECORD_HEADER;

    made_number(m, type, 4);
    made_number(m, size >> 16, 2);
    made_number(m, size & UINT16_MAX, 2);
}

/* The kernel's symbols in a record that is too large for one of perf, between other records. */
Test(input_perf_data, simpleperf_has_the_symbols_of_the_kernel)
{
    enum { SIZE = 200000 };
    static const char symbols[] = "ffff0000 T kernel_work\nffff0100 T other\n";

    for (int big = 0; big < 2; big++) {
        struct input_options o = made_options();
        struct reading r;
        struct made m;

        o.kallsyms = NULL;
        made_begin_pipe(&m, big);
        add_simple_record(&m, PERF_RECORD_SIMPLEPERF + 10, 0);
        add_simple_record(&m, PERF_RECORD_KERNEL_SYMBOLS, 4 + SIZE);
        made_number(&m, SIZE - 4, 4);
        made_text(&m, symbols, SIZE);
        made_map(&m, UINT32_MAX, 0xffff0000, "[kernel.kallsyms]", 0);
        made_comm(&m, 3, "app", 10);
        made_sample(&m, 3, 20);
        reading_text(&r, buf_slice(&m.bytes), &o);
        reading_expect_fold(&r, "kernel", 0, "app;[unknown];[unknown];kernel_work 5\n");
        reading_release(&r);
        buf_release(&m.bytes);
    }
}

/* Ids that the attributes of the events do not have; an event that does not exist has none. */
Test(input_perf_data, simpleperf_gives_further_ids_of_events)
{
    struct made m;
    struct reading r;

    made_begin(&m, false);
    WORDS(&m, PERF_PIPE_HEADER);
    for (uint64_t i = 0; i < 2; i++) {
        made_record(&m, PERF_RECORD_HEADER_ATTR, 0, MADE_ATTR + 8);
        made_attr(&m, i, MADE_TYPE, 0);
        WORDS(&m, 100 + i);
    }
    add_simple_record(&m, PERF_RECORD_EVENT_IDS, 8 + 32);
    WORDS(&m, 2, 5, 8, 1, 7);
    made_comm(&m, 3, "app", 10);
    made_sample(&m, 3, 20);
    read_made(&r, &m);
    reading_expect_series(&r, "ids", "task-clock", "app;[unknown];[unknown];[unknown] 5\n");
    reading_release(&r);
    buf_release(&m.bytes);
}

/* What is cut, and sizes that the file does not have. */
Test(input_perf_data, records_of_simpleperf_that_are_damaged)
{
    struct made m;

    made_begin_pipe(&m, false);
    made_comm(&m, 3, "app", 10);
    made_sample(&m, 3, 20);
    add_simple_record(&m, PERF_RECORD_KERNEL_SYMBOLS, 1 << 30);
    expect_message(&m, INPUT_READ, "the recording is cut or damaged here");
    made_begin_pipe(&m, false);
    add_simple_record(&m, PERF_RECORD_TRACE_FORMATS, 8);
    WORDS(&m, UINT64_MAX);
    add_simple_record(&m, PERF_RECORD_EVENT_IDS, 8);
    WORDS(&m, UINT64_MAX);
    made_comm(&m, 3, "app", 10);
    made_sample(&m, 3, 20);
    expect_fold(&m, "damaged", "app;[unknown];[unknown];[unknown] 5\n");
}
