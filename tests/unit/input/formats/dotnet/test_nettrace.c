
#include "support/formats.h"
#include "unit/support/claim.h"
#include "unit/support/corpus.h"
#include "unit/support/folding.h"
#include "unit/support/test.h"
#include "unit/support/told.h"

#define FILE_PATH "tests/corpus/nettrace/app.nettrace"

/* Events with complete and with shortened headers; the ids of stacks restart within the file. */
Test(input_nettrace, whole_file)
{
    struct buf bytes = {0};

    folding_load(FILE_PATH, &bytes);
    folding_check_bytes(
        buf_slice(&bytes),
        "--\nApp.Program.Main 1\nApp.Program.Main;App.Reader`1[System.Int32].Read 2\n"
        "App.Reader`1[System.Int32].Read 1\n"
        "--\nApp.Program.Main;App.Reader`1[System.Int32].Read;[unknown] 1\n",
        NULL);
    buf_release(&bytes);
}

/* Without its last block a file has no names. */
Test(input_nettrace, without_names)
{
    struct buf bytes = {0};
    size_t at;

    folding_load(FILE_PATH, &bytes);
    at = slice_search(buf_slice(&bytes), SLICE("A\0p\0p\0.\0P\0r\0o\0g"));
    folding_check_bytes(
        slice_take(buf_slice(&bytes), at),
        "--\n[unknown] 2\n[unknown];[unknown] 2\n--\n[unknown];[unknown];[unknown] 1\n",
        "the file has no names of methods");
    buf_release(&bytes);
}

/* Samples of a stack that the file lacks are counted. */
Test(input_nettrace, unknown_stack)
{
    struct buf bytes = {0};
    size_t at;

    folding_load(FILE_PATH, &bytes);
    at = slice_search(buf_slice(&bytes), SLICE("SPBlock"));
    at += slice_search(slice_skip(buf_slice(&bytes), at), SLICE("StackBlock"));
    bytes.ptr[at] = 'X';
    folding_check_bytes(
        buf_slice(&bytes),
        "--\nApp.Program.Main 1\nApp.Program.Main;App.Reader`1[System.Int32].Read 2\n"
        "--\nApp.Program.Main;App.Reader`1[System.Int32].Read;[unknown] 1\n",
        "unknown kind of block; skipped\nin: byte 0x");
    buf_release(&bytes);
}

/* Sets the bytes at `offset` behind the first place of `text`. */
static void patch(struct buf *bytes, struct slice text, size_t offset, struct slice by)
{
    size_t at = slice_search(buf_slice(bytes), text);

    cr_assert(at + offset + by.len <= bytes->len);
    memcpy(bytes->ptr + at + offset, by.ptr, by.len);
}

/* The definitions of events: metadata id, and the provider's name. */
#define SAMPLES SLICE("\1\0\0\0M\0i\0c\0r\0o\0s\0o\0f\0t\0-\0D\0o\0t\0N\0E\0T\0C\0o\0r\0e\0")

/* Events with stacks that no sampler wrote are a series of their own. */
Test(input_nettrace, events_of_other_providers)
{
    struct buf bytes = {0};
    struct reading r;

    folding_load(FILE_PATH, &bytes);
    patch(&bytes, SAMPLES, sizeof(uint32_t), SLICE("L"));
    reading_text(&r, buf_slice(&bytes), NULL);
    cr_assert_eq(r.result, INPUT_READ);
    cr_assert_eq(r.profile.series.count, 1);
    cr_expect_str_eq(r.profile.series.items[0].event.ptr, "Licrosoft-DotNETCore-SampleProfiler/0");
    cr_expect_eq(r.profile.series.items[0].total, 5);
    reading_expect_messages(&r, "events", "");
    reading_release(&r);
    buf_release(&bytes);
}

/* Events whose definition is missing are counted and quoted. */
Test(input_nettrace, undefined_events)
{
    struct buf bytes = {0};
    struct reading r;

    folding_load(FILE_PATH, &bytes);
    patch(&bytes, SAMPLES, 0, SLICE("\11"));
    reading_text(&r, buf_slice(&bytes), NULL);
    cr_expect_eq(r.result, INPUT_FAILED);
    cr_expect_eq(r.profile.ledger.unreadable, 5);
    reading_expect_message(&r, "event 1 is not defined; skipped");
    reading_release(&r);
    buf_release(&bytes);
}

/* So is a definition that is cut: here its payload has 6 bytes, and the event itself as many. */
Test(input_nettrace, cut_definitions)
{
    struct buf bytes = {0};
    struct reading r;

    folding_load(FILE_PATH, &bytes);
    patch(&bytes, SLICE("f\0\0\0\1\0\0\0M\0i\0c\0"), 0, SLICE("\6"));
    reading_text(&r, buf_slice(&bytes), NULL);
    cr_expect_eq(r.profile.ledger.unreadable, 1 + 5);
    reading_expect_message(&r, "the definition of event 1 is cut; skipped");
    reading_expect_message(&r, "event 1 is not defined; skipped");
    reading_release(&r);
    buf_release(&bytes);
}

/* Events of a method and a module that are cut are counted: their names are missing. */
Test(input_nettrace, cut_names)
{
    struct buf bytes = {0};

    folding_load(FILE_PATH, &bytes);
    patch(&bytes, SLICE("X\0\0\0\1\0\0\0\0\0\0\0"), 0, SLICE("\76"));
    patch(&bytes, SLICE("<\0\0\0\364\1\0\0"), 0, SLICE("\40"));
    folding_check_bytes(buf_slice(&bytes),
                        "--\nApp.Reader`1[System.Int32].Read 1\n[unknown] 1\n"
                        "[unknown];App.Reader`1[System.Int32].Read 2\n"
                        "--\n[unknown];App.Reader`1[System.Int32].Read;[unknown] 1\n",
                        "the event of a method at 0x1000 is cut; skipped\n"
                        "in: byte 0x46d: warning: the event of module 0x1f4 is cut; skipped");
    buf_release(&bytes);
}

/* Every prefix is read or refused, with a message. */
Test(input_nettrace, cut_files)
{
    struct buf bytes = {0};

    folding_load(FILE_PATH, &bytes);
    for (size_t len = 32; len < bytes.len; len++) {
        struct buf messages = {0};
        struct reading r;

        reading_text(&r, slice_take(buf_slice(&bytes), len), NULL);
        reading_messages(&r, &messages);
        cr_expect(strstr(buf_string(&messages), "damaged or cut from here on"), "%zu: %s", len,
                  buf_string(&messages));
        reading_release(&r);
        buf_release(&messages);
    }
    buf_release(&bytes);
}

#define NEWER_PATH "tests/corpus/nettrace/linux.nettrace"
#define NEWER_SWITCHES "--\nshop;Shop.Cart.Total;read 2000\n"
#define NEWER_ALLOCATED "--\nshop;Shop.Cart.Total;read 100\n"

/* Version 6: processes, their names, values, and both ways to write events. */
Test(input_nettrace, newer_file)
{
    struct buf bytes = {0};

    folding_load(NEWER_PATH, &bytes);
    folding_check_bytes(buf_slice(&bytes),
                        "--\nidle;[unknown] 1\nshop;Shop.Cart.Total;Shop.Cart.Total 2\n"
                        "shop;Shop.Cart.Total;read 1\n"
                        "shop;Shop.Cart.Total;read;[unknown] 3\n" NEWER_SWITCHES NEWER_ALLOCATED,
                        NULL);
    buf_release(&bytes);
}

/* Threads have the numbers and names of their rows. */
Test(input_nettrace, newer_threads)
{
    const char *threads[] = {"worker"};
    struct input_options options = input_options_default();
    struct buf bytes = {0};
    struct reading r;

    options.threads = threads;
    options.thread_count = 1;
    folding_load(NEWER_PATH, &bytes);
    reading_text(&r, buf_slice(&bytes), &options);
    cr_assert_eq(r.result, INPUT_READ);
    cr_expect(r.profile.has_processes);
    cr_expect_eq(r.profile.series.items[0].total, 4);
    reading_release(&r);
    buf_release(&bytes);
}

/* The flags of a sequence point: what was defined before it is forgotten. */
Test(input_nettrace, newer_sequence)
{
    struct buf bytes = {0};
    struct reading r;

    folding_load(NEWER_PATH, &bytes);
    patch(&bytes, SLICE("\20\0\0\4\270\13\0\0\0\0\0\0"), 12, SLICE("\2"));
    reading_text(&r, buf_slice(&bytes), NULL);
    cr_expect_eq(r.profile.series.items[0].total, 6);
    cr_expect_eq(r.profile.ledger.unreadable, 5);
    reading_expect_message(&r, "event 4 is not defined; skipped");
    reading_release(&r);
    patch(&bytes, SLICE("\20\0\0\4\270\13\0\0\0\0\0\0"), 12, SLICE("\1"));
    folding_check_bytes(buf_slice(&bytes),
                        "--\n[unknown];[unknown] 1\nidle;[unknown] 1\n"
                        "shop;Shop.Cart.Total;Shop.Cart.Total 2\n"
                        "shop;Shop.Cart.Total;read;[unknown] 3\n"
                        "--\n[unknown];[unknown] 2000\n--\n[unknown];[unknown] 100\n",
                        NULL);
    buf_release(&bytes);
}

/* Rows that end early are counted, and those around them are read. */
Test(input_nettrace, newer_damage)
{
    struct buf bytes = {0};

    folding_load(NEWER_PATH, &bytes);
    bytes.ptr[slice_search(buf_slice(&bytes), SLICE("\4\0read"))] = 9;
    folding_check_bytes(buf_slice(&bytes),
                        "--\nidle;[unknown] 1\nshop;Shop.Cart.Total;Shop.Cart.Total 2\n"
                        "shop;Shop.Cart.Total;[libc.so.6] 1\n"
                        "shop;Shop.Cart.Total;[libc.so.6];[unknown] 3\n"
                        "--\nshop;Shop.Cart.Total;[libc.so.6] 2000\n"
                        "--\nshop;Shop.Cart.Total;[libc.so.6] 100\n",
                        "an event of Universal.System/ProcessSymbol is cut; skipped");
    buf_release(&bytes);
}

Test(input_nettrace, newer_cut_files)
{
    struct buf bytes = {0};

    folding_load(NEWER_PATH, &bytes);
    told_truncated("version 6", buf_slice(&bytes), 3);
    buf_release(&bytes);
}

Test(input_nettrace, claims)
{
    cr_expect(claim_by(&format_nettrace, SLICE("Nettrace\24\0\0\0!FastSerialization.1"), true));
    cr_expect(claim_by(&format_nettrace, SLICE("Nettrace\0\0\0\0\6\0\0\0"), true));
    cr_expect_not(claim_by(&format_nettrace, SLICE("Nettrace\0\0\0\0\7\0\0\0"), true));
    cr_expect_not(claim_by(&format_nettrace, SLICE("Nettrace"), true));
}

/* The bytes that the allocations with a stack state, counted by a script. */
Test(input_nettrace, allocations, .init = corpus_need)
{
    struct buf path = {0};
    struct reading r;
    uint32_t id;

    reading_path(&r,
                 corpus_path(&path, "nettrace/eventpipe-dotnetcore3.0-win-x64-objver4.nettrace.gz"),
                 "in", NULL, 1);
    cr_assert_eq(r.result, INPUT_READ);
    id = profile_find_series(&r.profile, SLICE("GCAllocationTick"));
    cr_assert_neq(id, SERIES_NONE);
    cr_expect_eq(r.profile.series.items[id].samples, 35457);
    cr_expect_eq(r.profile.series.items[id].total, 4234926136);
    cr_expect(slice_equal(r.profile.series.items[0].event, SLICE("managed")));
    id = profile_find_series(&r.profile, SLICE("ContentionStart"));
    cr_assert_neq(id, SERIES_NONE);
    cr_expect_eq(r.profile.series.items[id].total, 8);
    reading_release(&r);
    buf_release(&path);
}
