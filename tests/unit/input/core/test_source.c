#include "input/core/source.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "unit/support/place.h"
#include "unit/support/test.h"

TestSuite(input_source, .init = place_enter, .fini = place_leave);

static void write_file(const char *path, struct slice bytes)
{
    struct buf why = {0};

    cr_assert(file_replace(path, bytes, &why), "%s", buf_string(&why));
    buf_release(&why);
}

/* Runs a shell command that makes the input. */
static void make(const char *line)
{
    cr_assert_eq(system(line), 0, "%s", line);
}

/* Appends all content of a file to `out`. Returns false, with messages, on failure. */
static bool read_all(const char *path, uint64_t max_size, struct buf *out, struct buf *messages)
{
    char *block = xmalloc(SOURCE_BLOCK);
    struct source s;
    struct diag diag;
    bool ok;
    size_t n;

    diag_init(&diag, slice_str(path));
    ok = source_open(&s, path, max_size, &diag);
    while (ok && (n = source_read(&s, block, SOURCE_BLOCK)) > 0)
        buf_add(out, block, n);
    ok = ok && !s.failed;
    source_release(&s);
    diag_write(&diag, messages, false);
    cr_expect_eq(ok, diag.counts[DIAG_ERROR] == 0,
                 "an error is reported once, and only if reading failed");
    cr_expect_leq(diag.counts[DIAG_ERROR], 1);
    diag_release(&diag);
    free(block);
    return ok;
}

enum { LINES = 100000 };

/* Makes text that is longer than a block and does not repeat. */
static void add_lines(struct buf *out)
{
    for (unsigned i = 0; i < LINES; i++)
        buf_printf(out, "main;f%u %u\n", i * 7919 % 10007, i);
}

#define REST(kind)                                                                                 \
    "in: warning: the data after the last complete " kind                                          \
    " member cannot be decompressed; the file "                                                    \
    "may be truncated or damaged\n"

static const struct {
    const char *what, *make, *messages; /* NULL for none */
} wrapped[] = {
    {"plain", "cp plain in", NULL},
    {"gzip", "gzip -c plain > in", NULL},
    {"zstd", "zstd -q -c plain > in", NULL},
    {"xz", "xz -1 -c plain > in", NULL},
    {"lz4", "lz4 -q -c plain > in", NULL},
    {"bzip2", "bzip2 -c plain > in", NULL},
    {"two gzip members", "head -n 999 plain | gzip > in; tail -n +1000 plain | gzip >> in", NULL},
    {"two zstd frames", "head -n 999 plain | zstd -q > in; tail -n +1000 plain | zstd -q >> in",
     NULL},
    {"two xz streams", "head -n 999 plain | xz -1 > in; tail -n +1000 plain | xz -1 >> in", NULL},
    {"two bzip2 streams", "head -n 999 plain | bzip2 > in; tail -n +1000 plain | bzip2 >> in",
     NULL},
    {"two lz4 frames, whose blocks have checksums",
     "head -n 999 plain | lz4 -q -BX > in; tail -n +1000 plain | lz4 -q >> in", NULL},
    {"gzip in zstd", "gzip -c plain | zstd -q > in", NULL},
    {"a name that lies", "gzip -c plain > in.xz; mv in.xz in", NULL},
    {"gzip and zeros", "(gzip -c plain; head -c 600 /dev/zero) > in", NULL},
    {"gzip and text", "(gzip -c plain; echo text) > in", REST("gzip")},
    {"gzip and a first byte of a member", "(gzip -c plain; printf '\\037') > in", REST("gzip")},
    {"gzip, zeros and a first byte", "(gzip -c plain; printf '\\0\\0\\037') > in", REST("gzip")},
    {"gzip, zeros and a member",
     "(head -n 999 plain | gzip; head -c 600 /dev/zero; tail -n +1000 plain | gzip) > in", NULL},
    {"bzip2 and zeros", "(bzip2 -c plain; head -c 600 /dev/zero) > in", REST("bzip2")},
    {"bzip2, zeros and a member, which bzip2 ignores, too",
     "(bzip2 -c plain; head -c 600 /dev/zero; bzip2 -c plain) > in", REST("bzip2")},
    {"bzip2 and text", "(bzip2 -c plain; echo text) > in", REST("bzip2")},
    {"bzip2 and a cut header", "(bzip2 -c plain; bzip2 -c plain | head -c 3) > in", REST("bzip2")},
    {"zstd in gzip", "zstd -q -c plain | gzip > in", NULL},
};

Test(input_source, wrapping_is_found_by_content_and_taken_off)
{
    struct buf text = {0}, out = {0}, messages = {0};

    add_lines(&text);
    write_file("plain", buf_slice(&text));
    for (size_t i = 0; i < sizeof(wrapped) / sizeof(wrapped[0]); i++) {
        make(wrapped[i].make);
        buf_clear(&out);
        cr_expect(read_all("in", UINT64_MAX, &out, &messages), "%s: %s", wrapped[i].what,
                  buf_string(&messages));
        cr_expect(slice_equal(buf_slice(&out), buf_slice(&text)), "%s: %zu bytes", wrapped[i].what,
                  out.len);
        cr_expect(slice_equal(buf_slice(&messages), slice_str(wrapped[i].messages)), "%s: '%s'",
                  wrapped[i].what, buf_string(&messages));
        buf_clear(&messages);
    }
    buf_release(&text);
    buf_release(&out);
    buf_release(&messages);
}

static const struct {
    const char *what, *make, *message;
} damaged[] = {
    {"missing", "true", "in: error: cannot open: No such file or directory\n"},
    {"a directory", "mkdir in",
     "in: error: cannot read: Is a directory; name its profiles, or run: flamepress report DIR\n"},
    {"cut gzip", "gzip -c plain | head -c 100000 > in",
     "in: error: cannot decompress (gzip): truncated gzip input\n"},
    {"cut gzip header", "gzip -c plain | head -c 7 > in", "in: error: cannot decompress (gzip): "},
    {"cut zstd", "zstd -q -c plain | head -c 60000 > in", "in: error: cannot decompress (zstd): "},
    {"cut xz", "xz -1 -c plain | head -c 60000 > in", "in: error: cannot decompress (xz): "},
    {"cut lz4", "lz4 -q -c plain | head -c 60000 > in", "in: error: cannot decompress (lz4): "},
    {"lz4 with a wrong byte",
     "lz4 -q -c plain > in; printf X | dd of=in bs=1 seek=5000 conv=notrunc status=none",
     "in: error: cannot decompress (lz4): "},
    {"cut bzip2", "bzip2 -c plain | head -c 60000 > in", "in: error: cannot decompress (bzip2): "},
    {"zstd and zeros, which zstd refuses, too", "(zstd -q -c plain; head -c 600 /dev/zero) > in",
     "in: error: cannot decompress (zstd): "},
    {"gzip with a wrong byte",
     "gzip -c plain > in; printf X | dd of=in bs=1 seek=5000 conv=notrunc "
     "status=none",
     "in: error: cannot decompress (gzip): "},
    {"too long", "cat plain plain plain > in",
     "in: error: larger than 3000000 bytes; --max-size N raises the limit\n"},
    {"gzip with a wrong checksum",
     "gzip -c plain > in; printf X | dd of=in bs=1 seek=$(($(stat -c %s in) - 7)) conv=notrunc "
     "2>/dev/null",
     "in: error: cannot decompress (gzip): incorrect data check\n"},
    {"gzip with a wrong length",
     "gzip -c plain > in; printf X | dd of=in bs=1 seek=$(($(stat -c %s in) - 3)) conv=notrunc "
     "2>/dev/null",
     "in: error: cannot decompress (gzip): incorrect length check\n"},
    {"a second gzip member cut in its header", "(gzip -c plain; gzip -c plain | head -c 5) > in",
     "in: error: cannot decompress (gzip): truncated gzip input\n"},
    {"a second gzip member with a damaged header",
     "(gzip -c plain; gzip -c plain | tr '\\213' X) > in",
     "in: error: cannot decompress (gzip): incorrect header check\n"},
    {"a second bzip2 member cut in its data", "(bzip2 -c plain; bzip2 -c plain | head -c 999) > in",
     "in: error: cannot decompress (bzip2): "},
    {"too long when decompressed", "head -c 50000000 /dev/zero | gzip > in",
     "in: error: larger than 3000000 bytes after decompression; --max-size N raises the limit\n"},
};

Test(input_source, damage_is_told)
{
    struct buf text = {0}, out = {0}, messages = {0};

    add_lines(&text);
    write_file("plain", buf_slice(&text));
    for (size_t i = 0; i < sizeof(damaged) / sizeof(damaged[0]); i++) {
        make("rm -rf in");
        make(damaged[i].make);
        buf_clear(&out);
        buf_clear(&messages);
        cr_expect_not(read_all("in", 3000000, &out, &messages), "%s: is read", damaged[i].what);
        cr_expect(slice_starts(buf_slice(&messages), slice_str(damaged[i].message)), "%s: '%s'",
                  damaged[i].what, buf_string(&messages));
    }
    buf_release(&text);
    buf_release(&out);
    buf_release(&messages);
}

#define BYTES(literal)                                                                             \
    {                                                                                              \
        literal, sizeof(literal) - 1                                                               \
    }

static const struct {
    const char *what;
    struct slice bytes;
    const char *text;
} encoded[] = {
    {"nothing", BYTES(""), ""},
    {"one byte", BYTES("a"), "a"},
    {"UTF-8 with a mark", BYTES("\xef\xbb\xbfmain 1\n"), "main 1\n"},
    {"UTF-16LE with a mark", BYTES("\xff\xfem\0\xe9\0\n\0"), "m\xc3\xa9\n"},
    {"UTF-16BE with a mark", BYTES("\xfe\xff\0m\0\xe9\0\n"), "m\xc3\xa9\n"},
    {"UTF-16LE without", BYTES("m\0a\0i\0n\0 \0001\0\n\0"), "main 1\n"},
    {"UTF-16BE without", BYTES("\0m\0a\0i\0n\0 \0001\0\n"), "main 1\n"},
    {"UTF-16 with a pair", BYTES("\xff\xfe\x3d\xd8\x00\xde"), "\xf0\x9f\x98\x80"},
    {"UTF-16 with half a pair", BYTES("\xff\xfe\x3d\xd8"), "\xef\xbf\xbd"},
    {"UTF-16 with half a character", BYTES("\xff\xfem\0a"), "m\xef\xbf\xbd"},
    {"a mark alone", BYTES("\xff\xfe"), ""},
    {"binary stays", BYTES("\0\1\2\3\xff\xfe"), NULL},
    {"text that begins like bzip2", BYTES("BZhang;main 1\n"), "BZhang;main 1\n"},
    {"Latin-1 stays", BYTES("caf\xe9\n"), "caf\xe9\n"},
};

Test(input_source, text_comes_as_utf8)
{
    for (size_t i = 0; i < sizeof(encoded) / sizeof(encoded[0]); i++) {
        struct slice want = encoded[i].text ? slice_str(encoded[i].text) : encoded[i].bytes;
        struct buf out = {0}, messages = {0};

        write_file("in", encoded[i].bytes);
        cr_expect(read_all("in", UINT64_MAX, &out, &messages), "%s: %s", encoded[i].what,
                  buf_string(&messages));
        cr_expect(slice_equal(buf_slice(&out), want), "%s: '%s'", encoded[i].what,
                  buf_string(&out));
        buf_release(&out);
        buf_release(&messages);
    }
}

/* Characters and pairs that the ends of blocks cut in two; in gzip the blocks end elsewhere. */
Test(input_source, long_utf16_is_decoded_across_blocks)
{
    struct buf utf16 = {0}, want = {0}, out = {0}, messages = {0};

    buf_add(&utf16,
            "\xff\xfe"
            "a",
            3);
    buf_add_char(&utf16, '\0');
    buf_add_char(&want, 'a');
    for (unsigned i = 0; i < 200000; i++) {
        buf_add(&utf16, "\x3d\xd8\x00\xde", 4);
        buf_add(&want, "\xf0\x9f\x98\x80", 4);
    }
    write_file("in", buf_slice(&utf16));
    for (unsigned gzip = 0; gzip < 2; gzip++) {
        buf_clear(&out);
        cr_expect(read_all("in", UINT64_MAX, &out, &messages), "%s", buf_string(&messages));
        cr_expect(slice_equal(buf_slice(&out), buf_slice(&want)), "gzip %u: %zu bytes", gzip,
                  out.len);
        make("gzip -f in; mv in.gz in");
    }
    buf_release(&utf16);
    buf_release(&want);
    buf_release(&out);
    buf_release(&messages);
}

Test(input_source, the_head_can_be_seen_first)
{
    struct buf text = {0}, out = {0};
    struct source s;
    struct diag diag;
    bool whole;

    diag_init(&diag, SLICE("in"));
    write_file("in", SLICE("a;b 1\n"));
    cr_assert(source_open(&s, "in", UINT64_MAX, &diag));
    cr_expect(slice_equal(source_head(&s, &whole), SLICE("a;b 1\n")));
    cr_expect(whole);
    cr_expect(source_is_plain(&s));
    source_release(&s);

    add_lines(&text);
    write_file("in", buf_slice(&text));
    cr_assert(source_open(&s, "in", UINT64_MAX, &diag));
    cr_expect(slice_equal(source_head(&s, &whole), slice_take(buf_slice(&text), SOURCE_HEAD)));
    cr_expect_not(whole);
    source_release(&s);
    diag_release(&diag);
    buf_release(&text);
    buf_release(&out);
}

/* What a content gives without a copy; NULL: nothing. */
static void check_whole(const char *path, const char *want)
{
    static const char zeros[16];
    bool all;
    struct source s;
    struct diag diag;
    char *bytes;

    diag_init(&diag, slice_str(path));
    cr_assert(source_open(&s, path, UINT64_MAX, &diag));
    bytes = source_take_whole(&s, sizeof(zeros));
    cr_assert_eq(bytes != NULL, want != NULL, "%s", path);
    if (want) {
        cr_expect_eq(bytes, source_head(&s, &all).ptr);
        cr_expect(memcmp(bytes, want, strlen(want)) == 0);
        cr_expect(memcmp(bytes + strlen(want), zeros, sizeof(zeros)) == 0);
        cr_expect_null(source_take_whole(&s, sizeof(zeros)), "it is given once");
    }
    cr_expect_eq(source_is_over(&s), want != NULL || s.head.len == 0, "%s", path);
    source_release(&s);
    diag_release(&diag);
}

Test(input_source, a_small_content_is_not_copied)
{
    struct buf text = {0};

    write_file("small", SLICE("a;b 1\nc"));
    check_whole("small", "a;b 1\nc");
    write_file("marked", SLICE("\xef\xbb\xbf"
                               "a;b 1\n"));
    check_whole("marked", "a;b 1\n");
    make("gzip -c small > packed");
    check_whole("packed", "a;b 1\nc");
    write_file("nothing", SLICE(""));
    check_whole("nothing", NULL);
    add_lines(&text);
    write_file("large", buf_slice(&text));
    check_whole("large", NULL);
    write_file("full", slice_take(buf_slice(&text), SOURCE_HEAD));
    check_whole("full", NULL);
    buf_release(&text);
}

Test(input_source, parts_are_read_at_their_place)
{
    struct source s;
    struct diag diag;
    char bytes[4];

    diag_init(&diag, SLICE("in"));
    write_file("in", SLICE("\xef\xbb\xbf"
                           "0123456789"));
    cr_assert(source_open(&s, "in", UINT64_MAX, &diag));
    cr_expect(source_is_plain(&s));
    cr_expect_eq(s.file_start, 3);
    cr_expect_eq(s.file_size, 13);
    cr_expect(source_read_at(&s, s.file_start + 5, bytes, 4, &diag));
    cr_expect(memcmp(bytes, "5678", 4) == 0);
    cr_expect_not(source_read_at(&s, 11, bytes, 4, &diag), "more than there is");
    cr_expect_eq(diag.counts[DIAG_ERROR], 1);
    source_release(&s);
    diag_release(&diag);
}

Test(input_source, lines_of_the_old_mac_end_in_lf)
{
    static const char *const makes[] = {
        "tr '\\n' '\\r' < plain > in",
        "tr '\\n' '\\r' < plain | gzip > in",
        "tr '\\n' '\\r' < plain | iconv -f UTF-8 -t UTF-16 > in",
    };
    struct buf text = {0}, out = {0}, messages = {0};

    add_lines(&text);
    write_file("plain", buf_slice(&text));
    for (size_t i = 0; i < sizeof(makes) / sizeof(makes[0]); i++) {
        make(makes[i]);
        buf_clear(&out);
        cr_expect(read_all("in", UINT64_MAX, &out, &messages), "%s", makes[i]);
        cr_expect(slice_equal(buf_slice(&out), buf_slice(&text)), "%s", makes[i]);
    }
    write_file("in", SLICE("a;b 1\r\na;c\r 2\n"));
    buf_clear(&out);
    cr_expect(read_all("in", UINT64_MAX, &out, &messages));
    cr_expect_str_eq(buf_string(&out), "a;b 1\r\na;c\r 2\n", "with LF, CR stays");
    buf_release(&text);
    buf_release(&out);
    buf_release(&messages);
}

Test(input_source, standard_input_is_a_dash)
{
    struct buf out = {0}, messages = {0};

    make("printf 'a;b 1\\n' | gzip > in");
    cr_assert(freopen("in", "r", stdin));
    cr_expect(read_all("-", UINT64_MAX, &out, &messages), "%s", buf_string(&messages));
    cr_expect_str_eq(buf_string(&out), "a;b 1\n");
    buf_release(&out);
    buf_release(&messages);
}
