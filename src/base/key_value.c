#include "base/key_value.h"

#include "base/num.h"

void key_value_encode(struct buf *out, struct slice text)
{
    for (size_t i = 0; i < text.len; i++) {
        unsigned char c = (unsigned char)text.ptr[i];

        if (c <= ' ' || c == 0x7f || c == '%' || c == '=' || c == ';')
            buf_printf(out, "%%%02x", c);
        else
            buf_add_char(out, (char)c);
    }
}

void key_value_decode(struct buf *out, struct slice text)
{
    for (size_t i = 0; i < text.len; i++) {
        uint64_t byte;

        if (text.ptr[i] == '%' && i + 2 < text.len &&
            num_parse_hex(slice_make(text.ptr + i + 1, 2), &byte)) {
            buf_add_char(out, (char)byte);
            i += 2;
        } else {
            buf_add_char(out, text.ptr[i]);
        }
    }
}

void key_value_add(struct buf *out, struct slice key, struct slice value)
{
    buf_add_char(out, ' ');
    key_value_encode(out, key);
    buf_add_char(out, '=');
    key_value_encode(out, value);
}

void key_value_add_u64(struct buf *out, struct slice key, uint64_t value)
{
    buf_add_char(out, ' ');
    key_value_encode(out, key);
    buf_add_char(out, '=');
    buf_add_u64(out, value);
}

bool key_value_next(struct slice *rest, struct buf *key, struct buf *value)
{
    struct slice word;

    buf_clear(key);
    buf_clear(value);
    while (slice_word(rest, &word)) {
        size_t equals = slice_find(word, '=');

        if (equals == word.len)
            continue;
        key_value_decode(key, slice_take(word, equals));
        key_value_decode(value, slice_skip(word, equals + 1));
        return true;
    }
    return false;
}
