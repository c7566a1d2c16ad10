#include "output/deflate.h"

#include <zlib.h>

#include "base/die.h"
#include "compress/block.h"

/* A higher level takes three times as long and saves a tenth. */
enum {
    LEVEL = 2,
    SPARE = 64, /* bytes for a change of strategy between two parts */
    MEMORY = 8, /* zlib's default */
};

void deflate_base64(struct buf *out, struct slice bytes)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const uint8_t *in = (const uint8_t *)bytes.ptr;
    char *to = buf_reserve(out, bytes.len / 3 * 4 + 4);
    char *from = to;
    size_t i = 0;

    for (; i + 3 <= bytes.len; i += 3) {
        uint32_t three = (uint32_t)in[i] << 16 | (uint32_t)in[i + 1] << 8 | in[i + 2];

        *to++ = digits[three >> 18];
        *to++ = digits[three >> 12 & 63];
        *to++ = digits[three >> 6 & 63];
        *to++ = digits[three & 63];
    }
    if (i < bytes.len) {
        bool two = i + 2 == bytes.len;
        uint32_t rest = (uint32_t)in[i] << 16 | (two ? (uint32_t)in[i + 1] << 8 : 0);

        *to++ = digits[rest >> 18];
        *to++ = digits[rest >> 12 & 63];
        *to++ = two ? digits[rest >> 6 & 63] : '=';
        *to++ = '=';
    }
    out->len += (size_t)(to - from);
}

/* Compresses all of `bytes`; `flush` is zlib's. */
static void feed(z_stream *z, struct slice bytes, int flush)
{
    int result;

    BUG_ON(bytes.len > UINT32_MAX);
    z->next_in = (Bytef *)(uintptr_t)bytes.ptr;
    z->avail_in = (uInt)bytes.len;
    result = deflate(z, flush);
    BUG_ON(result != (flush == Z_FINISH ? Z_STREAM_END : Z_OK) || z->avail_in);
}

static void change_strategy(z_stream *z, int strategy)
{
    if (deflateParams(z, LEVEL, strategy) != Z_OK)
        BUG("zlib does not change");
}

void deflate_bytes(struct buf *out, struct deflate_parts parts)
{
    bool more = parts.more_text.len > 0;
    z_stream z = {0};
    size_t most;

    if (deflateInit(&z, LEVEL) != Z_OK)
        die("zlib cannot start");
    most = deflateBound(&z, parts.text.len) + deflateBound(&z, parts.numbers.len) + SPARE +
           (more ? deflateBound(&z, parts.more_text.len) + SPARE : 0);
    z.next_out = (Bytef *)buf_reserve(out, most);
    z.avail_out = (uInt)most;
    feed(&z, parts.text, Z_BLOCK);
    change_strategy(&z, Z_HUFFMAN_ONLY);
    feed(&z, parts.numbers, more ? Z_BLOCK : Z_FINISH);
    if (more) {
        change_strategy(&z, Z_DEFAULT_STRATEGY);
        feed(&z, parts.more_text, Z_FINISH);
    }
    out->len += z.total_out;
    deflateEnd(&z);
}

void deflate_write(struct buf *out, struct deflate_parts parts)
{
    struct buf packed = {0};

    deflate_bytes(&packed, parts);
    deflate_base64(out, buf_slice(&packed));
    buf_release(&packed);
}

/* ---- streams of pieces --------------------------------------------------------------------- */

/* Compresses bytes without zlib's header and checksum, up to a whole byte. */
static void add_text(struct buf *out, struct slice bytes, bool last)
{
    z_stream z = {0};
    size_t most;

    if (deflateInit2(&z, LEVEL, Z_DEFLATED, -MAX_WBITS, MEMORY, Z_DEFAULT_STRATEGY) != Z_OK)
        die("zlib cannot start");
    most = deflateBound(&z, bytes.len) + SPARE;
    z.next_out = (Bytef *)buf_reserve(out, most);
    z.avail_out = (uInt)most;
    feed(&z, bytes, last ? Z_FINISH : Z_SYNC_FLUSH);
    out->len += z.total_out;
    deflateEnd(&z);
}

static void add_numbers(struct buf *out, struct slice bytes, bool last)
{
    struct block block;

    block_open(&block, out);
    for (size_t i = 0; i < bytes.len; i++)
        block_add(&block, (uint8_t)bytes.ptr[i]);
    if (last)
        block_close(&block);
    else
        block_pause(&block);
}

static void add_sum(struct deflate_piece *piece, struct slice bytes)
{
    if (!bytes.len)
        return; /* zlib begins again for NULL */
    piece->sum = (uint32_t)adler32(piece->sum, (const Bytef *)bytes.ptr, (uInt)bytes.len);
    piece->len += bytes.len;
}

void deflate_piece_make(struct deflate_piece *piece, struct deflate_parts parts, bool last)
{
    bool more = parts.more_text.len > 0;

    if (parts.text.len)
        add_text(&piece->bytes, parts.text, false);
    add_numbers(&piece->bytes, parts.numbers, last && !more);
    if (more)
        add_text(&piece->bytes, parts.more_text, last);
    piece->sum = (uint32_t)adler32(0, NULL, 0);
    add_sum(piece, parts.text);
    add_sum(piece, parts.numbers);
    add_sum(piece, parts.more_text);
}

void deflate_join(struct buf *out, struct deflate_piece *pieces, size_t count)
{
    uint32_t sum = (uint32_t)adler32(0, NULL, 0);
    struct buf stream = {0};

    buf_add(&stream, "\x78\x5e", 2); /* zlib's format (RFC 1950) */
    for (size_t i = 0; i < count; i++) {
        buf_add_slice(&stream, buf_slice(&pieces[i].bytes));
        sum = (uint32_t)adler32_combine(sum, pieces[i].sum, (z_off_t)pieces[i].len);
        buf_release(&pieces[i].bytes);
    }
    for (int shift = 24; shift >= 0; shift -= 8)
        buf_add_char(&stream, (char)(sum >> shift));
    deflate_base64(out, buf_slice(&stream));
    buf_release(&stream);
}
