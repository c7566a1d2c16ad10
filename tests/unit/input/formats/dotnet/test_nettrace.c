#include <criterion/criterion.h>

#include "base/file.h"
#include "support/formats.h"
#include "unit/support/claim.h"
#include "unit/support/reading.h"

#define FILE_PATH "tests/corpus/nettrace/app.nettrace"

static void load(struct buf *bytes)
{
    struct buf why = {0};

    cr_assert(file_read(FILE_PATH, 1 << 20, bytes, &why), "%s", buf_string(&why));
    buf_release(&why);
}

static void check(struct slice bytes, const char *folded, const char *told)
{
    struct buf text = {0}, messages = {0};
    struct reading r;

    reading_text(&r, bytes, NULL);
    for (uint32_t i = 0; i < r.profile.series.count; i++) {
        buf_add_str(&text, "--\n");
        reading_fold(&r, i, &text);
    }
    reading_messages(&r, &messages);
    cr_expect_str_eq(buf_string(&text), folded);
    cr_expect(told ? strstr(buf_string(&messages), told) != NULL : !messages.len, "%s",
              buf_string(&messages));
    reading_release(&r);
    buf_release(&text);
    buf_release(&messages);
}

/* Events with whole and with shortened headers; ids of stacks begin anew within the file. */
Test(input_nettrace, whole_file)
{
    struct buf bytes = {0};

    load(&bytes);
    check(buf_slice(&bytes),
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

    load(&bytes);
    at = slice_search(buf_slice(&bytes), SLICE("A\0p\0p\0.\0P\0r\0o\0g"));
    check(slice_take(buf_slice(&bytes), at),
          "--\n[unknown] 2\n[unknown];[unknown] 2\n--\n[unknown];[unknown];[unknown] 1\n",
          "the file has no names of methods");
    buf_release(&bytes);
}

/* Samples of a stack that the file lacks are counted. */
Test(input_nettrace, unknown_stack)
{
    struct buf bytes = {0};
    size_t at;

    load(&bytes);
    at = slice_search(buf_slice(&bytes), SLICE("SPBlock"));
    at += slice_search(slice_skip(buf_slice(&bytes), at), SLICE("StackBlock"));
    bytes.ptr[at] = 'X';
    check(buf_slice(&bytes),
          "--\nApp.Program.Main 1\nApp.Program.Main;App.Reader`1[System.Int32].Read 2\n"
          "--\nApp.Program.Main;App.Reader`1[System.Int32].Read;[unknown] 1\n",
          "1 samples have a stack that is not in the file");
    buf_release(&bytes);
}

/* Every prefix is read or refused, and says so. */
Test(input_nettrace, cut_files)
{
    struct buf bytes = {0};

    load(&bytes);
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
