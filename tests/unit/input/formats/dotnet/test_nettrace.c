
#include "support/formats.h"
#include "unit/support/claim.h"
#include "unit/support/folding.h"
#include "unit/support/test.h"

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

Test(input_nettrace, claims)
{
    cr_expect(claim_by(&format_nettrace, SLICE("Nettrace\24\0\0\0!FastSerialization.1"), true));
    cr_expect_not(claim_by(&format_nettrace, SLICE("Nettrace\0\0\0\0\6\0\0\0"), true));
    cr_expect_not(claim_by(&format_nettrace, SLICE("Nettrace"), true));
}
