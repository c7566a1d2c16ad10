#include <criterion/criterion.h>

#include "support/formats.h"
#include "unit/support/claim.h"
#include "unit/support/folding.h"

#define FILE_PATH "tests/corpus/perfetto/app.perfetto-trace"

/* Samples; slices by interned and by plain names, of tracks and of ftrace's marks. */
Test(input_perfetto, whole_file)
{
    struct buf bytes = {0};

    folding_load(FILE_PATH, &bytes);
    folding_check_bytes(
        buf_slice(&bytes),
        "--\nmain 2\nmain;read 2\n"
        "--\nmain;by name 4\nmain;frame 12\nmain;frame;draw 20\nmain;later 2\nmain;mark 3\n"
        "tid 99;draw 7\n",
        NULL);
    buf_release(&bytes);
}

/* A name is unknown if it was interned in another sequence, or before the state was cleared. */
Test(input_perfetto, unknown_name)
{
    struct buf bytes = {0};
    size_t at;

    folding_load(FILE_PATH, &bytes);
    at = slice_search(buf_slice(&bytes), SLICE("later"));
    bytes.ptr[at - 3] = 9; /* the number that the name is interned by */
    folding_check_bytes(
        buf_slice(&bytes),
        "--\nmain 2\nmain;read 2\n"
        "--\nmain;[unknown] 2\nmain;by name 4\nmain;frame 12\nmain;frame;draw 20\nmain;mark 3\n"
        "tid 99;draw 7\n",
        "1 slices have a name that the file does not explain");
    buf_release(&bytes);
}

/* Every prefix is read; if it ends within a packet, a message says so. */
Test(input_perfetto, cut_files)
{
    struct buf bytes = {0};
    size_t told = 0;

    folding_load(FILE_PATH, &bytes);
    for (size_t len = 200; len < bytes.len; len++) {
        struct buf messages = {0};
        struct reading r;

        reading_text(&r, slice_take(buf_slice(&bytes), len), NULL);
        reading_messages(&r, &messages);
        cr_expect_eq(r.result, INPUT_READ, "%zu", len);
        told += strstr(buf_string(&messages), "damaged or cut from here on") != NULL;
        reading_release(&r);
        buf_release(&messages);
    }
    cr_expect_gt(told, (bytes.len - 200) * 9 / 10);
    buf_release(&bytes);
}

Test(input_perfetto, claims)
{
    cr_expect(claim_by(&format_perfetto, SLICE("\12\4\120\1\100\5"), true));
    cr_expect_not(claim_by(&format_perfetto, SLICE("\12\2\100\5"), true));
    cr_expect_not(claim_by(&format_perfetto, SLICE("\12\4\10\1\20\2\22\3"), true));
    cr_expect_not(claim_by(&format_perfetto, SLICE("\12\4\120"), true));
}
