
#include "input/parse/stream.h"

#include "unit/support/test.h"

enum { SIZE = 3 * SOURCE_BLOCK + 1000 };

/* The byte at an offset: a prime period, so that a wrong offset shows. */
static char byte_at(size_t offset)
{
    return (char)(offset % 251);
}

static void expect_from(struct slice bytes, size_t offset)
{
    size_t i = 0;

    while (i < bytes.len && bytes.ptr[i] == byte_at(offset + i))
        i++;
    cr_expect_eq(i, bytes.len, "byte %zu after %zu", i, offset);
}

static void with_stream(void (*test)(struct stream *s))
{
    struct buf bytes = {0};
    struct diag diag = {0};
    struct source source;
    struct content content = {.source = &source, .diag = &diag};
    struct stream s;

    for (size_t i = 0; i < SIZE; i++)
        buf_add_char(&bytes, byte_at(i));
    source_open_memory(&source, buf_slice(&bytes), &diag);
    stream_init(&s, &content);
    test(&s);
    stream_release(&s);
    source_release(&source);
    buf_release(&bytes);
}

/* Pieces of all sizes lie across the ends of blocks. */
static void peek_pieces(struct stream *s)
{
    size_t at = 0;

    for (size_t n = 1; at < SIZE; n = (n * 7 + 3) % (SOURCE_BLOCK + 5000)) {
        struct slice bytes = stream_peek(s, n);
        size_t left = SIZE - at;

        cr_assert_eq(stream_offset(s), at);
        cr_assert(bytes.len >= (n < left ? n : left) && bytes.len <= left);
        expect_from(bytes, at);
        n = n < left ? n : left;
        stream_skip(s, n);
        at += n;
    }
    cr_expect_eq(stream_peek(s, 1).len, 0);
    cr_expect_eq(stream_byte(s), -1);
    cr_expect_eq(stream_offset(s), SIZE);
}

Test(input_stream, pieces_are_together)
{
    with_stream(peek_pieces);
}

/* Bytes that were looked at are still there for all other functions. */
static void mix(struct stream *s)
{
    struct buf taken = {0};

    stream_skip(s, SOURCE_BLOCK - 3 < stream_peek(s, SOURCE_BLOCK).len ? SOURCE_BLOCK - 3 : 0);
    expect_from(stream_peek(s, 10), SOURCE_BLOCK - 3);
    cr_expect_eq((char)stream_byte(s), byte_at(SOURCE_BLOCK - 3));
    cr_expect(stream_take(s, SOURCE_BLOCK, &taken));
    expect_from(buf_slice(&taken), SOURCE_BLOCK - 2);
    expect_from(stream_rest(s), 2 * SOURCE_BLOCK - 2);
    cr_expect(stream_end(s));
    cr_expect_eq(stream_offset(s), SIZE);
    buf_release(&taken);
}

Test(input_stream, looking_takes_nothing)
{
    with_stream(mix);
}

static void check_lines(struct slice text)
{
    struct slice rest = text, want, line;
    struct diag diag = {0};
    struct source source;
    struct content content = {.source = &source, .diag = &diag};
    struct stream s;

    source_open_memory(&source, text, &diag);
    stream_init(&s, &content);
    while (slice_line(&rest, &want)) {
        cr_assert(stream_line(&s, &line));
        cr_assert(slice_equal(line, want), "%zu bytes, %zu expected", line.len, want.len);
    }
    cr_expect_not(stream_line(&s, &line));
    cr_expect_eq(stream_offset(&s), text.len);
    stream_release(&s);
    source_release(&source);
}

Test(input_stream, lines)
{
    struct buf text = {0};

    check_lines(SLICE(""));
    check_lines(SLICE("\n"));
    check_lines(SLICE("a\r\n\nb"));
    for (size_t n = 1; text.len < SIZE; n = n * 3 + 1) {
        for (size_t i = 0; i < n; i++)
            buf_add_char(&text, 'x');
        buf_add_str(&text, n % 2 ? "\n" : "\r\n");
    }
    check_lines(buf_slice(&text));
    buf_release(&text);
}
