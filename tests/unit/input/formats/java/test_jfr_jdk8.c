
#include "support/formats.h"
#include "unit/support/claim.h"
#include "unit/support/folding.h"
#include "unit/support/test.h"

#define FILE_PATH "tests/corpus/jfr-jdk8/app.jfr"
#define SAMPLES " 1\njava.lang.Thread.run 1\njava.lang.Thread.run;app.Main.parse 3\n"
#define WHOLE                                                                                      \
    "--\n" SAMPLES "--\njava.lang.Thread.run;app.Main.parse 1024\n--\njava.lang.Thread.run "       \
    "3000000\n--\njava.lang.Thread.run;app.Main.parse 1000000\n"

/* Offsets in the file: of the first event, and of the metadata. */
enum { FIRST = 16, METADATA_AT = 14, TYPE = 4 };

static size_t find(const struct buf *bytes, struct slice text)
{
    size_t at = slice_search(buf_slice(bytes), text);

    cr_assert_lt(at, bytes->len);
    return at;
}

Test(input_jfr_jdk8, whole_file)
{
    struct buf bytes = {0};

    folding_load(FILE_PATH, &bytes);
    folding_check_bytes(buf_slice(&bytes), WHOLE, NULL);
    buf_release(&bytes);
}

/* Replaces a text of the metadata, which ends the file, by a shorter one. */
static void rename_field(struct buf *bytes, struct slice old, struct slice new)
{
    size_t at = find(bytes, old), size_at;
    unsigned char *size;

    size_at = (size_t)((unsigned char)bytes->ptr[METADATA_AT] << 8 |
                       (unsigned char)bytes->ptr[METADATA_AT + 1]);
    memcpy(bytes->ptr + at, new.ptr, new.len);
    memmove(bytes->ptr + at + new.len, bytes->ptr + at + old.len, bytes->len - at - old.len);
    bytes->len -= old.len - new.len;
    size = (unsigned char *)bytes->ptr + size_at + 2;
    at = (size_t)(size[0] << 8 | size[1]) - (old.len - new.len);
    size[0] = (unsigned char)(at >> 8);
    size[1] = (unsigned char)at;
}

/* JRockit has other names for the thread and the stack of a sample. */
Test(input_jfr_jdk8, fields_of_jrockit)
{
    struct input_options options = input_options_default();
    struct buf bytes = {0};
    struct reading oracle, jrockit;

    options.split_thread = true;
    folding_load(FILE_PATH, &bytes);
    reading_text(&oracle, buf_slice(&bytes), &options);
    rename_field(&bytes, slice_make("\0\15sampledThread", 15), slice_make("\0\6thread", 8));
    rename_field(&bytes, SLICE("stackTrace"), SLICE("stacktrace"));
    folding_check_bytes(buf_slice(&bytes), WHOLE, NULL);
    reading_text(&jrockit, buf_slice(&bytes), &options);
    cr_assert_eq(jrockit.result, INPUT_READ);
    cr_expect(
        slice_equal(jrockit.profile.series.items[0].name, oracle.profile.series.items[0].name));
    reading_release(&oracle);
    reading_release(&jrockit);
    buf_release(&bytes);
}

/* Settings of a recording have a field "stacktrace", which says whether events have stacks. */
Test(input_jfr_jdk8, other_field_named_stacktrace)
{
    struct buf bytes = {0};

    folding_load(FILE_PATH, &bytes);
    rename_field(&bytes, slice_make("\0\15sampledThread", 15), slice_make("\0\12stacktrace", 12));
    folding_check_bytes(buf_slice(&bytes), WHOLE, NULL);
    buf_release(&bytes);
}

/* Several chunks add up; of one that is damaged, those before it are kept. */
Test(input_jfr_jdk8, chunks)
{
    struct buf bytes = {0}, two = {0};

    folding_load(FILE_PATH, &bytes);
    buf_add_slice(&two, buf_slice(&bytes));
    buf_add_slice(&two, buf_slice(&bytes));
    folding_check_bytes(
        buf_slice(&two),
        "--\n 2\njava.lang.Thread.run 2\njava.lang.Thread.run;app.Main.parse 6\n"
        "--\njava.lang.Thread.run;app.Main.parse 2048\n--\njava.lang.Thread.run 6000000\n"
        "--\njava.lang.Thread.run;app.Main.parse 2000000\n",
        NULL);
    folding_check_bytes(slice_take(buf_slice(&two), two.len - 1), WHOLE,
                        "malformed metadata of the chunk; the rest of the file is skipped");
    buf_release(&bytes);
    buf_release(&two);
}

/* A stack, a class or a method that the file lacks. */
Test(input_jfr_jdk8, missing_constants)
{
    struct buf bytes = {0};
    size_t at;

    folding_load(FILE_PATH, &bytes);
    at = find(&bytes, SLICE("app/Main"));
    bytes.ptr[at - 3] = 9; /* the key of the name */
    folding_check_bytes(buf_slice(&bytes),
                        "--\n 1\njava.lang.Thread.run 1\njava.lang.Thread.run;parse 3\n"
                        "--\njava.lang.Thread.run;parse 1024\n--\njava.lang.Thread.run "
                        "3000000\n--\njava.lang.Thread.run;parse 1000000\n",
                        NULL);
    buf_release(&bytes);
}

/* An event that is shorter than its type is skipped, one of an unknown type ignored. */
Test(input_jfr_jdk8, damaged_events)
{
    struct buf bytes = {0};

    folding_load(FILE_PATH, &bytes);
    bytes.ptr[FIRST + TYPE + 3] = 99;
    folding_check_bytes(buf_slice(&bytes),
                        "--\n 1\njava.lang.Thread.run 1\njava.lang.Thread.run;app.Main.parse 2\n"
                        "--\njava.lang.Thread.run;app.Main.parse 1024\n--\njava.lang.Thread.run "
                        "3000000\n--\njava.lang.Thread.run;app.Main.parse 1000000\n",
                        "event of the type 99, which the metadata does not describe; skipped");
    bytes.ptr[FIRST + TYPE + 3] = 8;
    folding_check_bytes(buf_slice(&bytes),
                        "--\n 1\njava.lang.Thread.run 1\njava.lang.Thread.run;app.Main.parse 2\n"
                        "--\njava.lang.Thread.run;app.Main.parse 1024\n--\njava.lang.Thread.run "
                        "3000000\n--\njava.lang.Thread.run;app.Main.parse 1000000\n",
                        ", requires; event skipped");
    bytes.ptr[FIRST + 3] = 0;
    folding_check_bytes(buf_slice(&bytes), "", "malformed event in the chunk");
    buf_release(&bytes);
}

/* Structures that contain themselves, and arrays longer than the file, end the reading. */
Test(input_jfr_jdk8, hostile_metadata)
{
    struct buf bytes = {0};
    size_t at;

    folding_load(FILE_PATH, &bytes);
    at = find(&bytes, SLICE("\0\6frames\0\6frames\0\0\0\17")) + 19; /* its content and structure */
    bytes.ptr[at + 8] = 4;
    folding_check_bytes(buf_slice(&bytes), "", "malformed constants");
    bytes.ptr[at + 5] = 127;
    folding_check_bytes(buf_slice(&bytes), "", "malformed constants");
    buf_release(&bytes);
}

/* Every prefix is read or refused, with a message. */
Test(input_jfr_jdk8, cut_files)
{
    struct buf bytes = {0};

    folding_load(FILE_PATH, &bytes);
    for (size_t len = FIRST; len < bytes.len; len += 7) {
        struct reading r;

        reading_text(&r, slice_take(buf_slice(&bytes), len), NULL);
        cr_expect_eq(r.result, INPUT_FAILED, "%zu bytes", len);
        cr_expect(r.diag.counts[DIAG_ERROR], "%zu bytes", len);
        reading_release(&r);
    }
    bytes.ptr[METADATA_AT] = 0;
    bytes.ptr[METADATA_AT + 1] = 0;
    folding_check_bytes(buf_slice(&bytes), "", "unfinished chunk");
    buf_release(&bytes);
}

Test(input_jfr_jdk8, claims)
{
    cr_expect(claim_by(&format_jfr_jdk8, slice_make("FLR\0\0\0\0\11", 8), true));
    cr_expect_not(claim_by(&format_jfr_jdk8, slice_make("FLR\0\0\1\0\0", 8), true));
}
