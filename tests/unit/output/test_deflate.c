#include "output/deflate.h"

#include "input/core/inflate.h"
#include "input/parse/base64.h"
#include "unit/support/test.h"

enum { MOST_PIECES = 4, MOST_BYTES = 1 << 20 };

static void add_parts(struct buf *out, const struct deflate_parts *parts)
{
    buf_add_slice(out, parts->text);
    buf_add_slice(out, parts->numbers);
    buf_add_slice(out, parts->more_text);
}

/* Joins pieces and expects the decoded stream to be their bytes. */
static void expect_joined(const struct deflate_parts *parts, size_t count, const char *what)
{
    struct deflate_piece pieces[MOST_PIECES] = {{{0}, 0, 0}};
    struct buf text = {0}, stream = {0}, want = {0}, got = {0};

    for (size_t i = 0; i < count; i++) {
        deflate_piece_make(&pieces[i], parts[i], i + 1 == count);
        add_parts(&want, &parts[i]);
    }
    deflate_join(&text, pieces, count);
    cr_expect(base64_add(&stream, buf_slice(&text)), "%s", what);
    cr_expect(inflate_add(&got, buf_slice(&stream), MOST_BYTES), "%s", what);
    cr_expect(slice_equal(buf_slice(&got), buf_slice(&want)), "%s", what);
    buf_release(&text);
    buf_release(&stream);
    buf_release(&want);
    buf_release(&got);
}

Test(output_deflate, pieces_are_one_stream)
{
    struct buf text = {0}, numbers = {0};
    struct deflate_parts parts[MOST_PIECES] = {{{0}, {0}, {0}}};

    for (int i = 0; i < 20000; i++)
        buf_printf(&text, "frame %d;", i % 977);
    for (uint32_t i = 1, n = 7; i < 100000; i++, n = n * 1103515245 + 12345)
        buf_add_char(&numbers, (char)(n >> 28));
    parts[0] = (struct deflate_parts){.text = buf_slice(&text), .numbers = buf_slice(&numbers)};
    parts[1] = (struct deflate_parts){.numbers = slice_skip(buf_slice(&numbers), 5),
                                      .more_text = SLICE("origins")};
    parts[2] = (struct deflate_parts){.numbers = SLICE("x")};
    expect_joined(parts, 1, "one piece");
    expect_joined(parts + 1, 1, "numbers and more text");
    expect_joined(parts, 2, "two pieces, as an SVG has");
    expect_joined(parts, 3, "three pieces");
    expect_joined(parts, 4, "the last one empty");
    expect_joined(parts + 3, 1, "nothing");
    for (size_t len = 1; len < 64; len++) { /* a piece ends at any bit of a byte */
        parts[0] = (struct deflate_parts){.numbers = slice_take(buf_slice(&numbers), len)};
        expect_joined(parts, 2, "short pieces");
    }
    buf_release(&text);
    buf_release(&numbers);
}
