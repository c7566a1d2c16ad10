#include "output/xml.h"

#include "base/hash.h"
#include "base/utf8.h"
#include "text/unicode.h"

enum { WORD = 8 }; /* bytes that are looked at together */

/* True for bytes that need no escape. */
static bool is_plain(unsigned char c)
{
    return c >= 0x20 && c < 0x7f && c != '&' && c != '<' && c != '>' && c != '"';
}

/* Whether is_plain() holds for each byte of a word. */
static bool are_plain(uint64_t word)
{
    const uint64_t ones = 0x0101010101010101u, tops = ones * 0x80;
    uint64_t quotes = (word | ones * 4) ^ ones * '&'; /* a byte is 0 for '&' and '"' */
    uint64_t angles = (word | ones * 2) ^ ones * '>'; /* for '<' and '>' */
    uint64_t found = ((quotes - ones) & ~quotes) | ((angles - ones) & ~angles);

    return !((found | (word - ones * 0x20) | (word + ones) | word) & tops);
}

/* Returns the number of bytes from `at` on that need no escape. */
static size_t plain_run(struct slice text, size_t at)
{
    size_t end = at;

    while (text.len - end >= WORD &&
           are_plain(hash_load((const unsigned char *)text.ptr + end, WORD)))
        end += WORD;
    while (end < text.len && is_plain((unsigned char)text.ptr[end]))
        end++;
    return end - at;
}

static void write_ascii(struct buf *out, unsigned char c)
{
    switch (c) {
    case '&':
        buf_add_str(out, "&amp;");
        break;
    case '<':
        buf_add_str(out, "&lt;");
        break;
    case '>':
        buf_add_str(out, "&gt;");
        break;
    case '"':
        buf_add_str(out, "&quot;");
        break;
    case '\t':
    case '\n':
    case '\r':
        buf_add_char(out, ' ');
        break;
    default:
        utf8_encode(out, UTF8_REPLACEMENT);
    }
}

static size_t write_wide(struct buf *out, struct slice text, bool shown)
{
    uint32_t c;
    size_t len = utf8_decode(text, &c);

    if (c == 0xfffe || c == 0xffff || (shown && unicode_is_forbidden(c)))
        c = UTF8_REPLACEMENT;
    utf8_encode(out, c);
    return len;
}

static void write_text(struct buf *out, struct slice text, bool shown)
{
    size_t at = 0;

    while (at < text.len) {
        size_t run = plain_run(text, at);

        buf_add(out, text.ptr + at, run);
        at += run;
        if (at == text.len)
            break;
        if ((unsigned char)text.ptr[at] < 0x80)
            write_ascii(out, (unsigned char)text.ptr[at++]);
        else
            at += write_wide(out, slice_skip(text, at), shown);
    }
}

void xml_write(struct buf *out, struct slice text)
{
    write_text(out, text, false);
}

void xml_write_shown(struct buf *out, struct slice text)
{
    write_text(out, text, true);
}

void xml_write_name(struct buf *out, struct slice name)
{
    bool isolated = utf8_has_rtl(name);

    if (isolated)
        buf_add_str(out, UTF8_FIRST_STRONG_ISOLATE);
    xml_write_shown(out, name);
    if (isolated)
        buf_add_str(out, UTF8_POP_ISOLATE);
}

void xml_write_attribute(struct buf *out, const char *name, struct slice value)
{
    buf_add_char(out, ' ');
    buf_add_str(out, name);
    buf_add_str(out, "=\"");
    xml_write_shown(out, value);
    buf_add_char(out, '"');
}
