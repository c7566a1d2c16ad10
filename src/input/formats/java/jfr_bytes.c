#include "input/formats/java/jfr_bytes.h"

#include "base/utf8.h"

uint64_t jfr_bytes_fixed(struct jfr_bytes *b, unsigned size)
{
    uint64_t value = 0;

    if (size > jfr_bytes_left(b)) {
        jfr_bytes_skip(b, size);
        return 0;
    }
    for (unsigned i = 0; i < size; i++)
        value = value << 8 | (unsigned char)b->bytes[b->at++];
    return value;
}

uint64_t jfr_bytes_any_number(struct jfr_bytes *b, unsigned size)
{
    enum { MOST_BYTES = 9, LAST_SHIFT = 56 };
    size_t most = jfr_bytes_left(b) < MOST_BYTES ? jfr_bytes_left(b) : MOST_BYTES;
    const unsigned char *p = (const unsigned char *)b->bytes + b->at;
    uint64_t value = 0;
    unsigned shift = 0;

    if (b->fixed)
        return jfr_bytes_fixed(b, size);
    for (size_t i = 0; i < most; i++, shift += 7) {
        if (p[i] < 0x80 || shift == LAST_SHIFT) {
            b->at += i + 1;
            return value | (uint64_t)p[i] << shift;
        }
        value |= (uint64_t)(p[i] & 0x7f) << shift;
    }
    b->bad = true;
    b->at = b->end;
    return value;
}

struct jfr_text jfr_bytes_text(struct jfr_bytes *b)
{
    struct jfr_text text = {.encoding = (enum jfr_encoding)jfr_bytes_fixed(b, 1)};
    uint64_t length = 0;
    size_t from;

    if (text.encoding == JFR_POOL)
        text.constant = jfr_bytes_number(b, 8);
    if (text.encoding >= JFR_UTF8)
        length = jfr_bytes_number(b, 4);
    from = b->at;
    if (text.encoding == JFR_CHARS) {
        if (length > jfr_bytes_left(b))
            b->bad = true;
        for (uint64_t i = 0; i < length && !b->bad; i++)
            jfr_bytes_number(b, 2);
    } else {
        jfr_bytes_skip(b, length);
    }
    if (text.encoding > JFR_LATIN1)
        b->bad = true;
    text.bytes = slice_make(b->bytes + from, b->bad ? 0 : b->at - from);
    return text;
}

/* Converts UTF-16; surrogate pairs become one character. */
static void add_chars(struct buf *out, struct slice bytes, bool fixed)
{
    struct jfr_bytes b = {.bytes = bytes.ptr, .end = bytes.len, .fixed = fixed};
    uint32_t high = 0;

    while (b.at < b.end && !b.bad) {
        uint32_t c = (uint32_t)jfr_bytes_number(&b, 2) & 0xffff;

        if (c >= 0xd800 && c < 0xdc00) {
            high = c;
            continue;
        }
        if (high && c >= 0xdc00 && c < 0xe000)
            c = 0x10000 + ((high - 0xd800) << 10) + (c - 0xdc00);
        utf8_encode(out, c);
        high = 0;
    }
}

void jfr_bytes_add_text(struct buf *out, const struct jfr_text *text, bool fixed)
{
    switch (text->encoding) {
    case JFR_UTF8:
        buf_add_slice(out, text->bytes);
        break;
    case JFR_LATIN1:
        for (size_t i = 0; i < text->bytes.len; i++)
            utf8_encode(out, (unsigned char)text->bytes.ptr[i]);
        break;
    case JFR_CHARS:
        add_chars(out, text->bytes, fixed);
        break;
    case JFR_NULL:
    case JFR_EMPTY:
    case JFR_POOL:
        break;
    }
}
