
#include "support/formats.h"
#include "unit/support/claim.h"
#include "unit/support/folding.h"
#include "unit/support/told.h"
#include "unit/support/test.h"

#define FILE_PATH "tests/corpus/sysprof-capture/app.syscap"

/* Offsets in the file: its header, and a record's own part. */
enum { FILE_HEADER = 256, TYPE = 16, LENGTH = 0, OWN = 24 };

static size_t length_at(const struct buf *bytes, size_t at)
{
    return (unsigned char)bytes->ptr[at] | (size_t)(unsigned char)bytes->ptr[at + 1] << 8;
}

/* Returns the offset of the record number `number`, from 0, of a type. */
static size_t find_record(const struct buf *bytes, int type, int number)
{
    size_t at = FILE_HEADER;

    while (at < bytes->len && (bytes->ptr[at + TYPE] != type || number--))
        at += length_at(bytes, at);
    cr_assert_lt(at, bytes->len);
    return at;
}

struct row {
    uint64_t start, end;
    int32_t pid;
    const char *name;
};

static void add_number(struct buf *b, uint64_t value, int size)
{
    for (; size > 0; size--, value >>= 8)
        buf_add_char(b, (char)(value & 0xff));
}

/* Reads the capture with these rows, up to one without a name, in place of its own symbols. */
static void check_rows(const struct row *rows, bool kallsyms, const char *folded,
                       const char *message)
{
    enum { PATH = 256, FILE_CHUNK = 13 };
    struct buf bytes = {0}, table = {0}, names = {0};
    size_t count = 1, at;

    folding_load(FILE_PATH, &bytes);
    for (int i = 0; i < (kallsyms ? 2 : 3); i++)
        bytes.ptr[find_record(&bytes, FILE_CHUNK, i) + OWN + 4] = 'X';
    for (const struct row *r = rows; r->name; r++)
        count++;
    for (const struct row *r = rows; r->name; r++) {
        add_number(&table, r->start, 8);
        add_number(&table, r->end, 8);
        add_number(&table, (uint32_t)r->pid, 4);
        add_number(&table, 32 * count + names.len, 4);
        add_number(&table, 0, 8);
        buf_add(&names, r->name, strlen(r->name) + 1);
    }
    add_number(&table, 0, 32);
    buf_add_slice(&table, buf_slice(&names));
    add_number(&bytes, OWN + 4 + PATH + table.len, 2);
    add_number(&bytes, 0, TYPE - 2);
    add_number(&bytes, FILE_CHUNK, OWN - TYPE);
    add_number(&bytes, 1, 2);
    add_number(&bytes, table.len, 2);
    at = bytes.len;
    buf_add_str(&bytes, "__symbols__");
    add_number(&bytes, 0, (int)(at + PATH - bytes.len));
    buf_add_slice(&bytes, buf_slice(&table));
    folding_check_bytes(buf_slice(&bytes), folded, message);
    buf_release(&bytes);
    buf_release(&table);
    buf_release(&names);
}

/* The end of a row belongs to it, unless the next row begins there. */
Test(input_sysprof_capture, ends)
{
    static const struct row rows[] = {
        {0x400010, 0x400010, 7, "main"},   {0x400100, 0x400110, 7, "parse"},
        {0x400200, 0x400210, 7, "before"}, {0x400210, 0x400220, 7, "read_all"},
        {0x400010, 0x400010, 9, "main"},   {0x400111, 0x400110, 9, "nothing"},
        {0x400100, UINT64_MAX, 9, "rest"}, {0},
    };

    check_rows(rows, true,
               "--\napp;main;parse 3\napp;main;read_all;do_syscall_64 2\n"
               "app;main;script.js:12 1\nworker;main;rest 4\nworker;rest 1\n"
               "--\napp;main;parse 130\napp;main;read_all 50\n"
               "--\napp;main;parse 30\napp;main;read_all 50\n"
               "--\napp;main;parse 1\n",
               NULL);
}

/* What kallsyms does not name has the name that the sample's process gives, or process 0. */
Test(input_sysprof_capture, kernel_names)
{
    static const struct row own[] = {
        {0x400000, UINT32_MAX, 7, "f"},
        {0x400000, UINT32_MAX, 9, "g"},
        {0xffffffff81000000, 0xffffffff81000010, 7, "read"},
        {0xffffffff81000000, 0xffffffff81000010, 0, "idle"},
        {0},
    };
    static const struct row idle[] = {
        {0x400000, UINT32_MAX, 7, "f"},
        {0x400000, UINT32_MAX, 9, "g"},
        {0xffffffff81000000, 0xffffffff81000010, 0, "idle"},
        {0},
    };

#define NAMED(name)                                                                                \
    "--\napp;f;f 3\napp;f;f;" name " 2\napp;f;script.js:12 1\nworker;g 1\nworker;g;g 4\n"          \
    "--\napp;f;f 180\n--\napp;f;f 80\n--\napp;f;f 1\n"
    check_rows(own, true, NAMED("do_syscall_64"), NULL);
    check_rows(own, false, NAMED("read"), NULL);
    check_rows(idle, false, NAMED("idle"), NULL);
#undef NAMED
}

/* Samples, what was allocated and what was not freed, and the calls that were entered. */
Test(input_sysprof_capture, whole_file)
{
    struct buf bytes = {0};

    folding_load(FILE_PATH, &bytes);
    folding_check_bytes(buf_slice(&bytes),
                        "--\napp;main;parse 3\napp;main;read_all;do_syscall_64 2\n"
                        "app;main;script.js:12 1\nworker;[app] 1\nworker;main;parse 4\n"
                        "--\napp;main;parse 130\napp;main;read_all 50\n"
                        "--\napp;main;parse 30\napp;main;read_all 50\n"
                        "--\napp;main;parse 1\n",
                        "addresses without a symbol: 1 of 1: /nowhere/app (1)");
    buf_release(&bytes);
}

Test(input_sysprof_capture, facts)
{
    struct buf bytes = {0};
    struct reading r;

    folding_load(FILE_PATH, &bytes);
    reading_text(&r, buf_slice(&bytes), NULL);
    cr_assert_eq(r.result, INPUT_READ);
    cr_expect(r.profile.has_processes && r.profile.has_threads);
    cr_expect(
        slice_equal(profile_fact(&r.profile, SLICE("captured on")), SLICE("2026-11-27T22:35:43Z")));
    cr_expect_eq(r.profile.series.items[0].first_ns, 1010);
    cr_expect_eq(r.profile.ledger.notes[NOTE_FREES_UNPAIRED], 1);
    cr_expect_eq(r.profile.ledger.notes[NOTE_FREES_UNSEEN], 0);
    reading_release(&r);
    buf_release(&bytes);
}

Test(input_sysprof_capture, threads)
{
    const char *threads[] = {"8"};
    struct input_options options = input_options_default();
    struct buf bytes = {0};
    struct reading r;

    options.threads = threads;
    options.thread_count = 1;
    options.tid = true;
    folding_load(FILE_PATH, &bytes);
    reading_text(&r, buf_slice(&bytes), &options);
    cr_expect_eq(r.profile.series.items[0].total, 3);
    reading_release(&r);
    buf_release(&bytes);
}

/* Without the files of the capture, names come from nowhere. */
Test(input_sysprof_capture, without_symbols)
{
    struct buf bytes = {0};

    folding_load(FILE_PATH, &bytes);
    bytes.ptr[find_record(&bytes, 13, 0) + OWN + 4] = 'X';
    bytes.ptr[find_record(&bytes, 13, 2) + OWN + 4] = 'X';
    folding_check_bytes(buf_slice(&bytes),
                        "--\napp;[app];[app] 3\napp;[app];[app];[kernel.kallsyms] 2\n"
                        "app;[app];script.js:12 1\nworker;[app] 1\nworker;[app];[app] 4\n"
                        "--\napp;[app];[app] 180\n--\napp;[app];[app] 80\n--\napp;[app];[app] 1\n",
                        "the capture has no names for 1 address of the kernel; record as root");
    buf_release(&bytes);
}

/* The packed symbols lack their first bytes: the records around them are read. */
Test(input_sysprof_capture, damaged_symbols)
{
    struct buf bytes = {0};
    struct reading r;

    folding_load(FILE_PATH, &bytes);
    bytes.ptr[find_record(&bytes, 13, 1) + OWN + 4] = 'X';
    reading_text(&r, buf_slice(&bytes), NULL);
    cr_expect_eq(r.profile.series.items[0].total, 11);
    cr_expect_gt(r.profile.ledger.unreadable, 0);
    reading_expect_message(&r, "a file of symbols in the capture is damaged: truncated gzip input");
    reading_release(&r);
    buf_release(&bytes);
}

/* A sample that claims more addresses than its record has is counted and skipped. */
Test(input_sysprof_capture, cut_record)
{
    struct buf bytes = {0};
    struct reading r;

    folding_load(FILE_PATH, &bytes);
    bytes.ptr[find_record(&bytes, 2, 0) + OWN] = 6;
    reading_text(&r, buf_slice(&bytes), NULL);
    cr_expect_eq(r.profile.series.items[0].total, 10);
    cr_expect_eq(r.profile.ledger.unreadable, 1);
    reading_expect_message(&r, "a record of type 2 is cut; skipped");
    reading_release(&r);
    buf_release(&bytes);
}

/* A record shorter than its own header ends the file. */
Test(input_sysprof_capture, impossible_length)
{
    struct buf bytes = {0};
    struct reading r;
    size_t at;

    folding_load(FILE_PATH, &bytes);
    at = find_record(&bytes, 2, 3);
    bytes.ptr[at + LENGTH] = 8;
    reading_text(&r, buf_slice(&bytes), NULL);
    cr_expect_eq(r.profile.series.items[0].total, 3);
    cr_expect_eq(r.profile.ledger.notes[NOTE_INPUT_CUT], 1);
    reading_expect_message(&r, "the file is damaged or cut from here on; names may be missing");
    reading_release(&r);
    buf_release(&bytes);
}

Test(input_sysprof_capture, claims)
{
    struct buf bytes = {0};

    folding_load(FILE_PATH, &bytes);
    cr_expect(claim_find(buf_slice(&bytes), true) == &format_sysprof_capture);
    bytes.ptr[4] = 2;
    cr_expect(!claim_find(buf_slice(&bytes), true));
    buf_release(&bytes);
}

Test(input_sysprof_capture, truncated)
{
    struct buf bytes = {0};

    folding_load(FILE_PATH, &bytes);
    told_truncated("a capture", buf_slice(&bytes), 7);
    buf_release(&bytes);
}
