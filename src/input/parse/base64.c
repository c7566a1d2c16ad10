#include "input/parse/base64.h"

/* Returns the value of a digit, or -1. */
static int digit(char c)
{
    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 26;
    if (c >= '0' && c <= '9')
        return c - '0' + 52;
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

bool base64_add(struct buf *out, struct slice text)
{
    uint32_t bits = 0;
    int count = 0;

    text = slice_trim(text);
    while (text.len && text.ptr[text.len - 1] == '=')
        text.len--;
    buf_reserve(out, text.len / 4 * 3 + 3);
    for (size_t i = 0; i < text.len; i++) {
        int value = digit(text.ptr[i]);

        if (slice_is_blank(text.ptr[i]) || text.ptr[i] == '\n')
            continue;
        if (value < 0)
            return false;
        bits = bits << 6 | (uint32_t)value;
        count += 6;
        if (count >= 8) {
            count -= 8;
            buf_add_char(out, (char)(bits >> count));
        }
    }
    return true;
}
