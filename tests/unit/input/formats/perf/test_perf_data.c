#include "input/formats/perf/perf_record.h"

#include <fcntl.h>
#include <link.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/build_id.h"
#include "base/file.h"
#include "unit/support/reading.h"
#include "unit/support/test.h"

/* ---- recordings made here -------------------------------------------------------------------- */

enum {
    TYPE = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CALLCHAIN |
           PERF_SAMPLE_PERIOD | PERF_SAMPLE_IDENTIFIER,
    ATTR = 128,
    FREQUENCY = 10,
    ID_ALL = 18,
};

struct made {
    struct buf bytes;
    bool big;
};

static void add_number(struct made *m, uint64_t value, unsigned size)
{
    for (unsigned i = 0; i < size; i++)
        buf_add_char(&m->bytes, (char)(value >> 8 * (m->big ? size - 1 - i : i)));
}

static void add_words(struct made *m, const uint64_t *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        add_number(m, words[i], 8);
}

#define WORDS(m, ...)                                                                              \
    add_words(m, (const uint64_t[]){__VA_ARGS__},                                                  \
              sizeof((const uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t))

static void add_record(struct made *m, uint32_t type, unsigned misc, size_t content)
{
    add_number(m, type, 4);
    add_number(m, misc, 2);
    add_number(m, content + PERF_RECORD_HEADER, 2);
}

/* A text, padded to eight bytes. */
static void add_text(struct made *m, const char *text, size_t size)
{
    for (size_t i = 0; i < size; i++)
        buf_add_char(&m->bytes, i < strlen(text) ? text[i] : '\0');
}

/*
 * A software event; big-endian machines count the bits of the flags from the most significant
 * one.
 */
static void add_attr(struct made *m, uint64_t config, uint64_t type, uint64_t read_format)
{
    uint64_t flags = 1ull << FREQUENCY | 1ull << ID_ALL;

    if (m->big)
        flags = 1ull << (63 - FREQUENCY) | 1ull << (63 - ID_ALL);
    add_number(m, 1, 4);
    add_number(m, ATTR, 4);
    WORDS(m, config, 99, type, read_format, flags);
    add_text(m, "", ATTR - 48);
}

static void begin(struct made *m, bool big)
{
    *m = (struct made){.big = big};
    buf_add_str(&m->bytes, big ? "2ELIFREP" : "PERFILE2");
}

/* The start of a recording to a pipe, with one event whose samples have the id 7. */
static void begin_pipe(struct made *m, bool big)
{
    begin(m, big);
    WORDS(m, PERF_PIPE_HEADER);
    add_record(m, PERF_RECORD_HEADER_ATTR, 0, ATTR + 8);
    add_attr(m, 0, TYPE, 0);
    WORDS(m, 7);
}

/* The end of a record that is not a sample: the thread, the time and the id. */
static void add_end(struct made *m, uint32_t pid, uint64_t time)
{
    add_number(m, pid, 4);
    add_number(m, pid, 4);
    WORDS(m, time, 7);
}

static void add_comm(struct made *m, uint32_t pid, const char *comm, uint64_t time)
{
    add_record(m, PERF_RECORD_COMM, 0, 8 + 8 + 24);
    add_number(m, pid, 4);
    add_number(m, pid, 4);
    add_text(m, comm, 8);
    add_end(m, pid, time);
}

static void add_map(struct made *m, uint32_t pid, uint64_t start, const char *path, uint64_t time)
{
    add_record(m, PERF_RECORD_MMAP,
               pid == UINT32_MAX ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER,
               8 + 24 + 24 + 24);
    add_number(m, pid, 4);
    add_number(m, pid, 4);
    WORDS(m, start, 0x1000, 0);
    add_text(m, path, 24);
    add_end(m, pid, time);
}

/* A sample with weight 5 and a call chain of one kernel frame and two user frames. */
static void add_sample(struct made *m, uint32_t pid, uint64_t time)
{
    add_record(m, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_KERNEL, 8 * (5 + 6));
    WORDS(m, 7, 0xffff0010);
    add_number(m, pid, 4);
    add_number(m, pid, 4);
    WORDS(m, time, 5, 5, PERF_CONTEXT_KERNEL, 0xffff0010, PERF_CONTEXT_USER, 0x1010, 0x2020);
}

/* Reads without the binaries of this machine. */
static struct input_options options_here(void)
{
    struct input_options o = input_options_default();

    o.symfs = o.kallsyms = "/nowhere";
    return o;
}

static void read_made(struct reading *r, const struct made *m)
{
    struct input_options o = options_here();

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

        begin_pipe(&m, big);
        add_map(&m, UINT32_MAX, 0xffff0000, "[kernel.kallsyms]_text", 0);
        add_comm(&m, 3, "app", 10);
        add_map(&m, 3, 0x1000, "/bin/app", 11);
        add_map(&m, 3, 0x2000, "/lib/libx.so", 12);
        add_sample(&m, 3, 20);
        expect_fold(&m, big ? "big" : "little", "app;[libx.so];[app];[kernel.kallsyms] 5\n");
    }
}

Test(input_perf_data, records_in_the_order_of_time)
{
    struct made m;

    begin_pipe(&m, false);
    add_sample(&m, 3, 40);
    add_comm(&m, 3, "old", 10);
    add_sample(&m, 3, 20);
    add_comm(&m, 3, "new", 30);
    expect_fold(&m, "sorted",
                "new;[unknown];[unknown];[unknown] 5\nold;[unknown];[unknown];[unknown] 5\n");
}

Test(input_perf_data, a_fork_has_name_and_maps_of_its_parent)
{
    struct made m;

    begin_pipe(&m, false);
    add_comm(&m, 3, "app", 10);
    add_map(&m, 3, 0x1000, "/bin/app", 11);
    add_record(&m, PERF_RECORD_FORK, 0, 24 + 24);
    for (size_t i = 0; i < 4; i++)
        add_number(&m, i % 2 ? 3 : 4, 4);
    WORDS(&m, 12);
    add_end(&m, 3, 12);
    add_map(&m, 4, 0x2000, "/lib/libx.so", 13);
    add_sample(&m, 3, 20);
    add_sample(&m, 4, 21);
    expect_fold(&m, "forked", "app;[libx.so];[app];[unknown] 5\napp;[unknown];[app];[unknown] 5\n");
}

Test(input_perf_data, a_map_replaces_what_it_covers)
{
    struct made m;

    begin_pipe(&m, false);
    add_comm(&m, 3, "app", 10);
    add_map(&m, 3, 0x1000, "/lib/old.so", 11);
    add_map(&m, 3, 0x2000, "/lib/old.so", 12);
    add_map(&m, 3, 0x1800, "/lib/new.so", 13);
    add_sample(&m, 3, 20);
    expect_fold(&m, "replaced", "app;[new.so];[old.so];[unknown] 5\n");
}

Test(input_perf_data, lost_records_are_counted)
{
    struct made m;
    struct reading r;

    begin_pipe(&m, false);
    add_sample(&m, 3, 20);
    add_record(&m, PERF_RECORD_LOST, 0, 16 + 24);
    WORDS(&m, 7, 12);
    add_end(&m, 3, 21);
    add_record(&m, PERF_RECORD_LOST_SAMPLES, 0, 8 + 24);
    WORDS(&m, 5);
    add_end(&m, 3, 22);
    read_made(&r, &m);
    cr_expect_eq(r.profile.ledger.lost, 17);
    reading_release(&r);
    buf_release(&m.bytes);
}

/* Each sample has all counters of the group; the weight is the growth of a counter. */
Test(input_perf_data, a_group)
{
    enum { GROUPED = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TID | PERF_SAMPLE_READ };
    static const uint64_t values[][2] = {{100, 10}, {150, 10}};
    struct made m;
    struct reading r;

    begin(&m, false);
    WORDS(&m, PERF_PIPE_HEADER);
    for (uint64_t i = 0; i < 2; i++) {
        add_record(&m, PERF_RECORD_HEADER_ATTR, 0, ATTR + 8);
        add_attr(&m, i, GROUPED, PERF_FORMAT_ID | PERF_FORMAT_GROUP);
        WORDS(&m, 7 + i);
    }
    for (size_t i = 0; i < 2; i++) {
        add_record(&m, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, 8 * 7);
        WORDS(&m, 7, 3, 2, values[i][0], 7, values[i][1], 8);
    }
    read_made(&r, &m);
    cr_assert_eq(r.profile.series.count, 2);
    cr_expect_eq(r.profile.series.items[0].total, 150);
    cr_expect_eq(r.profile.series.items[1].total, 10);
    reading_release(&r);
    buf_release(&m.bytes);
}

/* An unknown context in a call chain means that the kernel read damaged memory. */
Test(input_perf_data, a_damaged_chain)
{
    struct made m;

    begin_pipe(&m, false);
    add_record(&m, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, 8 * (5 + 4));
    WORDS(&m, 7, 0x1010, 3 | 3ull << 32, 20, 5, 3, PERF_CONTEXT_USER, 0x1010, PERF_CONTEXT_MAX);
    add_sample(&m, 4, 30);
    expect_fold(&m, "damaged", ":3 5\n:4;[unknown];[unknown];[unknown] 5\n");
}

Test(input_perf_data, a_guest_is_named)
{
    struct made m;

    begin_pipe(&m, false);
    add_comm(&m, 3, "qemu", 1);
    add_record(&m, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_GUEST_KERNEL, 8 * 6);
    WORDS(&m, 7, 0x1010);
    add_number(&m, 3, 4);
    add_number(&m, 3, 4);
    WORDS(&m, 20, 5, 0);
    expect_fold(&m, "guest", "qemu;[guest kernel] 5\n");
}

/* ---- control groups -------------------------------------------------------------------------- */

static void add_group(struct made *m, uint64_t id, const char *path)
{
    add_record(m, PERF_RECORD_CGROUP, 0, 8 + 16 + 24);
    WORDS(m, id);
    add_text(m, path, 16);
    add_end(m, 0, 0);
}

/* A sample with fields of all sizes before its control group. */
static void add_grouped(struct made *m, uint64_t id, uint64_t time)
{
    add_record(m, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, 8 * 15);
    WORDS(m, 7, 0x1010);
    add_number(m, 3, 4);
    add_number(m, 3, 4);
    WORDS(m, time, 5, 0, 11, 12, 13, 2, 21, 22, 14, id, 99);
}

/*
 * A recording with two groups: the attribute has the mask of the registers at an interrupt, whose
 * values are before the group.
 */
static void make_groups(struct made *m, bool big)
{
    enum { INTR_AT = 96, TWO_REGISTERS = 5, END = INTR_AT + 8 };
    const uint64_t type = TYPE | PERF_SAMPLE_WEIGHT | PERF_SAMPLE_DATA_SRC |
                          PERF_SAMPLE_TRANSACTION | PERF_SAMPLE_REGS_INTR | PERF_SAMPLE_PHYS_ADDR |
                          PERF_SAMPLE_CGROUP | PERF_SAMPLE_DATA_PAGE_SIZE;

    begin(m, big);
    WORDS(m, PERF_PIPE_HEADER);
    add_record(m, PERF_RECORD_HEADER_ATTR, 0, ATTR + 8);
    add_attr(m, 0, type, 0);
    buf_cut(&m->bytes, m->bytes.len - (ATTR - INTR_AT));
    WORDS(m, TWO_REGISTERS);
    add_text(m, "", ATTR - END);
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
        struct input_options options = options_here();
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

    begin_pipe(&m, false);
    add_sample(&m, 3, 20);
    add_record(&m, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, 8 * 6);
    WORDS(&m, 7, 0x1010, 3, 20, 5, UINT64_MAX / 8 + 1);
    expect_message(&m, INPUT_READ, "skipped a sample that is cut");
}

Test(input_perf_data, a_record_beyond_the_end)
{
    struct made m;

    begin_pipe(&m, false);
    add_sample(&m, 3, 20);
    add_record(&m, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, 8);
    expect_message(&m, INPUT_READ, "what is before is read");
}

Test(input_perf_data, refuses_what_has_no_stacks)
{
    static const char *const parts[] = {"a recording of Intel PT", "a recording of perf stat"};

    for (size_t i = 0; i < 2; i++) {
        struct made m;

        begin_pipe(&m, false);
        add_record(&m, i ? PERF_RECORD_STAT_CONFIG : PERF_RECORD_AUXTRACE_INFO, 0, 8);
        WORDS(&m, 1);
        expect_message(&m, INPUT_FAILED, parts[i]);
    }
}

Test(input_perf_data, damaged_compression)
{
    struct made m;

    begin_pipe(&m, false);
    add_record(&m, PERF_RECORD_COMPRESSED, 0, 8);
    add_text(&m, "no zstd", 8);
    expect_message(&m, INPUT_FAILED, "the compressed records are damaged");
}

Test(input_perf_data, frames_without_a_symbol)
{
    struct made m;

    begin_pipe(&m, false);
    add_map(&m, UINT32_MAX, 0xffff0000, "[kernel.kallsyms]_text", 0);
    add_map(&m, 3, 0x1000, "/bin/app", 11);
    add_map(&m, 3, 0x2000, "/lib/libx.so", 12);
    add_sample(&m, 3, 20);
    add_sample(&m, 4, 30);
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
    add_record(m, PERF_RECORD_BUILD_ID,
               *path == '[' && path[1] == 'k' ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER,
               4 + 24 + 24);
    add_number(m, UINT32_MAX, 4);
    buf_add_slice(&id, slice_make("\0\0\0\0", 4));
    buf_add_slice(&m->bytes, buf_slice(&id));
    add_text(m, path, 24);
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

    begin_pipe(m, false);
    add_build_id(m, "[kernel.kallsyms]");
    add_record(m, PERF_RECORD_MMAP, PERF_RECORD_MISC_KERNEL, 8 + 24 + PATH + 24);
    add_number(m, UINT32_MAX, 4);
    add_number(m, UINT32_MAX, 4);
    WORDS(m, 0xffff0000, 0x1000, 0xffff0010);
    add_text(m, "[kernel.kallsyms]input_options_default", PATH);
    add_end(m, UINT32_MAX, 0);
    add_comm(m, 3, "app", 10);
    add_sample(m, 3, 20);
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
        struct input_options o = options_here();
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
    struct input_options o = options_here();
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
    begin_pipe(&m, false);
    add_build_id(&m, "[kernel.kallsyms]");
    add_record(&m, PERF_RECORD_MMAP, PERF_RECORD_MISC_KERNEL, 8 + 24 + PATH + 24);
    add_number(&m, UINT32_MAX, 4);
    add_number(&m, UINT32_MAX, 4);
    WORDS(&m, at & ~0xfffull, 0x2000, at);
    add_text(&m, "[kernel.kallsyms]input_options_default", PATH);
    add_end(&m, UINT32_MAX, 0);
    add_comm(&m, 3, "app", 10);
    add_record(&m, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_KERNEL, 8 * (5 + 3));
    WORDS(&m, 7, at);
    add_number(&m, 3, 4);
    add_number(&m, 3, 4);
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

/* The vdso is asked for by its build id. */
Test(input_perf_data, the_vdso_by_debuginfod)
{
    struct input_options o = options_here();
    unsigned requests = 0;
    struct reading r;
    struct made m;

    o.debuginfod = true;
    o.fetch = fetch_this_program;
    o.open_context = &requests;
    begin_pipe(&m, false);
    add_build_id(&m, "[vdso]");
    add_comm(&m, 3, "app", 10);
    add_map(&m, 3, 0x1000, "[vdso]", 11);
    add_sample(&m, 3, 20);
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
    add_number(&f, kind, 4);
    add_number(&f, 0x10000, 8);
    add_number(&f, 2, 4);
    add_number(&f, kind == 2 ? 0x10400 : 0x400, 8);
    add_number(&f, 0x100, 4);
    buf_add(&f.bytes, "_Z4workv", 9);
    add_number(&f, 0xffff0000, 8);
    add_number(&f, 0x100, 4);
    buf_add(&f.bytes, "kernel_work", 12);
    if (kind == 2)
        add_number(&f, 0x300, 8);
    add_number(m, f.bytes.len, 4);
    buf_add_slice(&m->bytes, buf_slice(&f.bytes));
    buf_release(&f.bytes);
}

/* The same as a message: /lib/libx.so, kind 2, address 0x10000 at 0x300, one symbol. */
static void add_file_message(struct made *m)
{
    static const char message[] = "\x0a\x0c/lib/libx.so\x10\x02\x18\x80\x80\x04"
                                  "\x22\x0d\x08\x80\x88\x04\x10\x80\x02\x1a\x04main"
                                  "\x32\x03\x08\x80\x06";

    add_number(m, sizeof(message) - 1, 4);
    buf_add(&m->bytes, message, sizeof(message) - 1);
}

/* A recording with two records and features: their numbers, and the content of each. */
static void make_recorded(struct made *m, const unsigned *features, const struct buf *contents,
                          size_t count)
{
    enum { AT = PERF_FILE_HEADER, SECTION = 16 };
    struct made data = {.big = m->big};
    uint64_t bits[4] = {0}, place;

    add_map(&data, UINT32_MAX, 0xffff0000, "[kernel.kallsyms]", 0);
    add_comm(&data, 3, "app", 1);
    add_map(&data, 3, 0x1000, "/data/app.vdex", 2);
    add_map(&data, 3, 0x2000, "/lib/libx.so", 3);
    add_record(&data, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, 8 * 11);
    WORDS(&data, 7, 0xffff0010);
    add_number(&data, 3, 4);
    add_number(&data, 3, 4);
    WORDS(&data, 20, 5, 5, PERF_CONTEXT_KERNEL, 0xffff0010, PERF_CONTEXT_USER, 0x1410, 0x2710);
    for (size_t i = 0; i < count; i++)
        bits[features[i] / 64] |= 1ull << features[i] % 64;
    begin(m, m->big);
    WORDS(m, AT, ATTR + SECTION, AT, ATTR + SECTION, AT + ATTR + SECTION, data.bytes.len, 0, 0);
    add_words(m, bits, 4);
    add_attr(m, 0, TYPE, 0);
    WORDS(m, 0, 0);
    buf_add_slice(&m->bytes, buf_slice(&data.bytes));
    place = m->bytes.len + count * SECTION;
    for (size_t i = 0; i < count; i++) {
        WORDS(m, place, contents[i].len);
        place += contents[i].len;
    }
    for (size_t i = 0; i < count; i++)
        buf_add_slice(&m->bytes, buf_slice(&contents[i]));
    buf_release(&data.bytes);
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
        make_recorded(&m, (const unsigned[]){128, 129}, contents, 2);
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
    make_recorded(&m, (const unsigned[]){132}, &files.bytes, 1);
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
        make_recorded(&m, (const unsigned[]){128}, &cut, 1);
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
    add_number(&d, m->big, 1);
    add_number(&d, 8, 1);
    add_number(&d, 4096, 4);
    buf_add(&d.bytes, "header_page\0\0\0\0\0\0\0\0\0header_event\0\0\0\0\0\0\0\0\0", 41);
    add_number(&d, 0, 4);
    add_number(&d, 1, 4);
    buf_add(&d.bytes, "sched", 6);
    add_number(&d, 1, 4);
    WORDS(&d, sizeof(sched_switch) - 1);
    buf_add(&d.bytes, sched_switch, sizeof(sched_switch) - 1);
    padded = (d.bytes.len + 7) / 8 * 8;
    add_record(m, PERF_RECORD_TRACING_DATA, 0, 4);
    add_number(m, padded, 4);
    buf_add_slice(&m->bytes, buf_slice(&d.bytes));
    add_text(m, "", padded - d.bytes.len);
    buf_release(&d.bytes);
}

static void add_switch(struct made *m, uint32_t from, uint32_t state, uint32_t to, uint64_t time)
{
    add_record(m, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_KERNEL, 8 * 7);
    WORDS(m, 7);
    add_number(m, from, 4);
    add_number(m, from, 4);
    WORDS(m, time, 1, 0);
    add_number(m, 12, 4);
    add_number(m, from, 4);
    add_number(m, state, 4);
    add_number(m, to, 4);
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

        begin(&m, big);
        WORDS(&m, PERF_PIPE_HEADER);
        add_record(&m, PERF_RECORD_HEADER_ATTR, 0, ATTR + 8);
        add_number(&m, PERF_TYPE_TRACEPOINT, 4);
        add_number(&m, ATTR, 4);
        WORDS(&m, 372, 1, SWITCHES, 0, 0);
        add_text(&m, "", ATTR - 48);
        WORDS(&m, 7);
        add_descriptions(&m);
        add_comm(&m, 3, "app", 1);
        add_comm(&m, 4, "db", 1);
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

    add_number(m, type, 4);
    add_number(m, size >> 16, 2);
    add_number(m, size & UINT16_MAX, 2);
}

/* The kernel's symbols in a record that is too large for one of perf, between other records. */
Test(input_perf_data, simpleperf_has_the_symbols_of_the_kernel)
{
    enum { SIZE = 200000 };
    static const char symbols[] = "ffff0000 T kernel_work\nffff0100 T other\n";

    for (int big = 0; big < 2; big++) {
        struct input_options o = options_here();
        struct reading r;
        struct made m;

        o.kallsyms = NULL;
        begin_pipe(&m, big);
        add_simple_record(&m, PERF_RECORD_SIMPLEPERF + 10, 0);
        add_simple_record(&m, PERF_RECORD_KERNEL_SYMBOLS, 4 + SIZE);
        add_number(&m, SIZE - 4, 4);
        add_text(&m, symbols, SIZE);
        add_map(&m, UINT32_MAX, 0xffff0000, "[kernel.kallsyms]", 0);
        add_comm(&m, 3, "app", 10);
        add_sample(&m, 3, 20);
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

    begin(&m, false);
    WORDS(&m, PERF_PIPE_HEADER);
    for (uint64_t i = 0; i < 2; i++) {
        add_record(&m, PERF_RECORD_HEADER_ATTR, 0, ATTR + 8);
        add_attr(&m, i, TYPE, 0);
        WORDS(&m, 100 + i);
    }
    add_simple_record(&m, PERF_RECORD_EVENT_IDS, 8 + 32);
    WORDS(&m, 2, 5, 8, 1, 7);
    add_comm(&m, 3, "app", 10);
    add_sample(&m, 3, 20);
    expect_fold(&m, "ids", "app;[unknown];[unknown];[unknown] 5\n");
}

/* What is cut, and sizes that the file does not have. */
Test(input_perf_data, records_of_simpleperf_that_are_damaged)
{
    struct made m;

    begin_pipe(&m, false);
    add_comm(&m, 3, "app", 10);
    add_sample(&m, 3, 20);
    add_simple_record(&m, PERF_RECORD_KERNEL_SYMBOLS, 1 << 30);
    expect_message(&m, INPUT_READ, "the recording is cut or damaged here");
    begin_pipe(&m, false);
    add_simple_record(&m, PERF_RECORD_TRACE_FORMATS, 8);
    WORDS(&m, UINT64_MAX);
    add_simple_record(&m, PERF_RECORD_EVENT_IDS, 8);
    WORDS(&m, UINT64_MAX);
    add_comm(&m, 3, "app", 10);
    add_sample(&m, 3, 20);
    expect_fold(&m, "damaged", "app;[unknown];[unknown];[unknown] 5\n");
}

/* ---- recordings in a directory --------------------------------------------------------------- */

/* A directory with the header in "data" and two files of records, in the order of time each. */
struct directory {
    char path[64];
    struct buf name;
};

static const char *path_in(struct directory *d, const char *name)
{
    buf_clear(&d->name);
    buf_printf(&d->name, "%s/%s", d->path, name);
    return buf_string(&d->name);
}

static void write_in(struct directory *d, const char *name, struct slice bytes)
{
    int fd = open(path_in(d, name), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    struct buf why = {0};

    cr_assert(fd >= 0 && file_write_fd(fd, bytes, &why), "%s", buf_string(&why));
    close(fd);
    buf_release(&why);
}

static void make_directory(struct directory *d)
{
    struct made header = {0}, first = {0}, second = {0};
    struct buf version = {0};

    *d = (struct directory){.path = "/tmp/flamepress-test-XXXXXX"};
    cr_assert(mkdtemp(d->path));
    buf_add(&version, "\1\0\0\0\0\0\0\0", 8);
    make_recorded(&header, (const unsigned[]){24}, &version, 1);
    add_comm(&first, 3, "late", 30);
    add_sample(&first, 3, 40);
    add_sample(&second, 3, 25);
    for (uint64_t time = 31; time < 31 + 1000; time++)
        add_sample(&second, 3, time);
    write_in(d, "data", buf_slice(&header.bytes));
    write_in(d, "data.0", buf_slice(&first.bytes));
    write_in(d, "data.1", buf_slice(&second.bytes));
    buf_release(&version);
    buf_release(&header.bytes);
    buf_release(&first.bytes);
    buf_release(&second.bytes);
}

static void remove_directory(struct directory *d)
{
    static const char *const names[] = {"data", "data.0", "data.1"};

    for (size_t i = 0; i < 3; i++)
        remove(path_in(d, names[i]));
    cr_expect_eq(rmdir(d->path), 0);
    buf_release(&d->name);
}

static void read_directory(struct reading *r, const char *path)
{
    struct input_options o = options_here();

    reading_path(r, path, "in", &o, 1);
}

Test(input_perf_data, files_of_a_directory_are_read_in_the_order_of_time)
{
    struct directory d;

    make_directory(&d);
    for (size_t i = 0; i < 2; i++) {
        struct reading r;

        read_directory(&r, i ? path_in(&d, "data") : d.path);
        reading_expect_fold(&r, "in order", 0,
                            "app;[libx.so];[app.vdex];[kernel.kallsyms] 10\n"
                            "late;[libx.so];[app.vdex];[kernel.kallsyms] 5005\n");
        reading_release(&r);
    }
    remove_directory(&d);
}

Test(input_perf_data, a_file_of_a_directory_that_is_cut_or_no_file)
{
    struct directory d;
    struct reading r;

    make_directory(&d);
    write_in(&d, "data.0", SLICE("\11\0\0\0\0\0\50\0"));
    read_directory(&r, d.path);
    cr_expect_eq(r.result, INPUT_READ);
    reading_expect_message(&r, "the recording is cut or damaged here");
    reading_expect_fold(&r, "cut", 0, "app;[libx.so];[app.vdex];[kernel.kallsyms] 5010\n");
    reading_release(&r);
    remove(path_in(&d, "data.0"));
    cr_assert_eq(mkdir(path_in(&d, "data.0"), 0700), 0);
    read_directory(&r, d.path);
    cr_expect_eq(r.result, INPUT_FAILED);
    reading_expect_message(&r, "data.0, a part of the recording");
    reading_release(&r);
    cr_assert_eq(rmdir(path_in(&d, "data.0")), 0);
    remove_directory(&d);
}

Test(input_perf_data, files_of_a_directory_that_are_missing)
{
    struct directory d;
    struct made more = {0};
    struct reading r;

    make_directory(&d);
    remove(path_in(&d, "data.1"));
    add_sample(&more, 3, 35);
    write_in(&d, "data.9", buf_slice(&more.bytes));
    buf_release(&more.bytes);
    write_in(&d, "data.01", SLICE("no file of perf"));
    read_directory(&r, d.path);
    reading_expect_message(&r, "8 of 10 files of the recording are missing");
    reading_expect_fold(&r, "missing", 0,
                        "app;[libx.so];[app.vdex];[kernel.kallsyms] 5\n"
                        "late;[libx.so];[app.vdex];[kernel.kallsyms] 10\n");
    reading_release(&r);
    remove(path_in(&d, "data.9"));
    remove(path_in(&d, "data.01"));
    remove_directory(&d);
}
