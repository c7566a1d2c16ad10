#include "base/utf8.h"

#include "base/hash.h"

size_t utf8_decode(struct slice s, uint32_t *c)
{
    const unsigned char *p = (const unsigned char *)s.ptr;
    unsigned char low = 0x80, high = 0xbf;
    size_t need;
    uint32_t value;

    if (p[0] < 0x80) {
        *c = p[0];
        return 1;
    }
    *c = UTF8_REPLACEMENT;
    if (p[0] < 0xc2 || p[0] > 0xf4)
        return 1;
    need = p[0] < 0xe0 ? 1 : p[0] < 0xf0 ? 2 : 3;
    value = p[0] & (0x3fu >> need);
    /* The second byte's range excludes overlong forms, surrogates and > U+10FFFF. */
    if (p[0] == 0xe0)
        low = 0xa0;
    else if (p[0] == 0xed)
        high = 0x9f;
    else if (p[0] == 0xf0)
        low = 0x90;
    else if (p[0] == 0xf4)
        high = 0x8f;
    for (size_t i = 1; i <= need; i++) {
        if (i >= s.len || p[i] < low || p[i] > high)
            return i;
        value = value << 6 | (p[i] & 0x3f);
        low = 0x80;
        high = 0xbf;
    }
    *c = value;
    return need + 1;
}

void utf8_encode(struct buf *out, uint32_t c)
{
    char bytes[4];
    size_t n;

    if (c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
        c = UTF8_REPLACEMENT;
    if (c < 0x80) {
        buf_add_char(out, (char)c);
        return;
    }
    n = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    for (size_t i = n; i-- > 1; c >>= 6)
        bytes[i] = (char)(0x80 | (c & 0x3f));
    bytes[0] = (char)((0xf00u >> n & 0xf0u) | c);
    buf_add(out, bytes, n);
}

static size_t ascii_prefix(struct slice s)
{
    size_t n = 0;

    while (n + 8 <= s.len &&
           !(hash_load((const unsigned char *)s.ptr + n, 8) & 0x8080808080808080u))
        n += 8;
    while (n < s.len && !(s.ptr[n] & 0x80))
        n++;
    return n;
}

/* Whether utf8_decode(), which returned `n` and `c` for `s`, met an ill-formed part. */
static bool is_ill_formed(struct slice s, size_t n, uint32_t c)
{
    return c == UTF8_REPLACEMENT && !(n == 3 && memcmp(s.ptr, "\xef\xbf\xbd", 3) == 0);
}

static bool is_ascii(struct slice s)
{
    return ascii_prefix(s) == s.len;
}

bool utf8_valid(struct slice s)
{
    for (;;) {
        uint32_t c;
        size_t n;

        s = slice_skip(s, ascii_prefix(s));
        if (!s.len)
            return true;
        n = utf8_decode(s, &c);
        if (is_ill_formed(s, n, c))
            return false;
        s = slice_skip(s, n);
    }
}

void utf8_add_clean(struct buf *out, struct slice s)
{
    while (s.len) {
        size_t plain = ascii_prefix(s);
        uint32_t c;

        buf_add(out, s.ptr, plain);
        s = slice_skip(s, plain);
        if (!s.len)
            break;
        s = slice_skip(s, utf8_decode(s, &c));
        utf8_encode(out, c);
    }
}

void utf8_add_utf16(struct buf *out, struct slice s, bool big_endian)
{
    const unsigned char *p = (const unsigned char *)s.ptr;
    size_t hi = big_endian ? 0 : 1, lo = 1 - hi;
    size_t i = 0;

    while (i + 2 <= s.len) {
        uint32_t c = (uint32_t)p[i + hi] << 8 | p[i + lo];

        i += 2;
        if (c >= 0xd800 && c < 0xdc00 && i + 2 <= s.len) {
            uint32_t next = (uint32_t)p[i + hi] << 8 | p[i + lo];

            if (next >= 0xdc00 && next < 0xe000) {
                c = 0x10000 + ((c - 0xd800) << 10) + (next - 0xdc00);
                i += 2;
            }
        }
        utf8_encode(out, c);
    }
    if (i < s.len)
        utf8_encode(out, UTF8_REPLACEMENT);
}

bool utf8_is_unsafe(uint32_t c)
{
    return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x061c || c == 0x200e || c == 0x200f ||
           (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069) || c == 0xfeff;
}

bool utf8_is_rtl(uint32_t c)
{
    return (c >= 0x590 && c <= 0x8ff && c != 0x061c) || (c >= 0xfb1d && c <= 0xfdff) ||
           (c >= 0xfe70 && c <= 0xfefc) || (c >= 0x10800 && c <= 0x10fff) ||
           (c >= 0x1e800 && c <= 0x1efff);
}

bool utf8_has_rtl(struct slice s)
{
    uint32_t c;

    if (is_ascii(s))
        return false;
    while (s.len) {
        s = slice_skip(s, utf8_decode(s, &c));
        if (utf8_is_rtl(c))
            return true;
    }
    return false;
}

void utf8_add_isolated(struct buf *out, struct slice s)
{
    bool isolated = utf8_has_rtl(s);

    if (isolated)
        buf_add_str(out, UTF8_FIRST_STRONG_ISOLATE);
    buf_add_slice(out, s);
    if (isolated)
        buf_add_str(out, UTF8_POP_ISOLATE);
}

void utf8_add_escaped(struct buf *out, struct slice s)
{
    while (s.len) {
        uint32_t c;
        size_t n = utf8_decode(s, &c);

        if (is_ill_formed(s, n, c)) {
            for (size_t i = 0; i < n; i++)
                buf_printf(out, "\\x%02x", (unsigned char)s.ptr[i]);
        } else if (utf8_is_unsafe(c)) {
            buf_printf(out, c < 0x80 ? "\\x%02x" : "\\u{%x}", (unsigned)c);
        } else {
            buf_add(out, s.ptr, n);
        }
        s = slice_skip(s, n);
    }
}
