#include "input/build/rust.h"

#include "base/ascii.h"

/* How many hex digits there are from `at` on. */
static size_t hex_digits(struct slice s, size_t at)
{
    size_t end = at;

    while (end < s.len && ascii_is_hex(s.ptr[end]))
        end++;
    return end - at;
}

static bool is_word(char c)
{
    return ascii_is_digit(c) || ascii_is_letter(c) || c == '_' || (c & 0x80);
}

struct slice rust_strip_hash(struct slice s)
{
    enum { HASH = 16 };
    const struct slice mark = SLICE("::h");

    if (s.len <= HASH + mark.len)
        return s;
    for (size_t i = s.len - HASH; i < s.len; i++)
        if (!ascii_is_hex(s.ptr[i]))
            return s;
    return slice_ends(slice_take(s, s.len - HASH), mark) ? slice_take(s, s.len - HASH - mark.len)
                                                         : s;
}

/*
 * One escape of Rust's legacy mangling at the front of `s`; its length, 0 for
 * none. Source: the table of rustc-demangle's legacy module.
 */
static size_t decode(struct slice s, char *c)
{
    static const struct {
        const char *code;
        char c;
    } codes[] = {
        {"$SP$", '@'}, {"$BP$", '*'}, {"$RF$", '&'}, {"$LT$", '<'},
        {"$GT$", '>'}, {"$LP$", '('}, {"$RP$", ')'}, {"$C$", ','},
    };

    for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++)
        if (slice_starts(s, slice_str(codes[i].code))) {
            *c = codes[i].c;
            return strlen(codes[i].code);
        }
    /* "$u7e$": the character with that number; only ASCII that prints is taken back. */
    if (s.len >= 5 && s.ptr[0] == '$' && s.ptr[1] == 'u' && ascii_is_hex(s.ptr[2]) &&
        ascii_is_hex(s.ptr[3]) && s.ptr[4] == '$') {
        static const char digits[] = "0123456789abcdef";
        const char *high = memchr(digits, s.ptr[2], 16), *low = memchr(digits, s.ptr[3], 16);
        int value = high && low ? (int)((high - digits) * 16 + (low - digits)) : 0;

        *c = (char)value;
        return value >= 0x20 && value < 0x7f ? 5 : 0;
    }
    return 0;
}

void rust_add_legacy(struct buf *out, struct slice s)
{
    bool start = true; /* of a path element */

    while (s.len) {
        size_t n;
        char c;

        if (start && s.len >= 2 && s.ptr[0] == '_' && s.ptr[1] == '$')
            s = slice_skip(s, 1);
        start = slice_starts(s, SLICE("::"));
        n = decode(s, &c);
        if (n) {
            buf_add_char(out, c);
        } else if (slice_starts(s, SLICE("..")) || start) {
            buf_add_str(out, "::");
            n = 2;
        } else {
            buf_add_char(out, s.ptr[0]);
            n = 1;
        }
        s = slice_skip(s, n);
    }
}

void rust_drop_crate_hashes(struct buf *out, size_t from)
{
    enum { LEAST = 12, MOST = 16 };
    size_t to = from;

    for (size_t i = from; i < out->len; i++) {
        struct slice rest = slice_skip(buf_slice(out), i);
        size_t digits = rest.ptr[0] == '[' && i > from ? hex_digits(rest, 1) : 0;

        if (digits >= LEAST && digits <= MOST && digits + 1 < rest.len &&
            rest.ptr[digits + 1] == ']' && is_word(out->ptr[i - 1]))
            i += digits + 1;
        else
            out->ptr[to++] = out->ptr[i];
    }
    buf_cut(out, to);
}
