#include "text/pairs.h"

#include "base/die.h"
#include "base/utf8.h"

enum { BLANK, END = PLAIN_END, ELLIPSIS = PLAIN_ELLIPSIS };

static inline int advance(const struct plain *p, unsigned a, unsigned b)
{
    return p->advances[a][b];
}

/* Takes the first character. Returns its code, END if none is left, or -1 if it has no code. */
static inline int next_code(struct slice *rest)
{
    uint32_t c;

    if (rest->len == 0)
        return END;
    c = (unsigned char)*rest->ptr;
    if (c >= PLAIN_FIRST && c <= PLAIN_LAST) {
        *rest = (struct slice){rest->ptr + 1, rest->len - 1};
        return (int)c - PLAIN_FIRST;
    }
    *rest = slice_skip(*rest, utf8_decode(*rest, &c));
    return plain_code(c);
}

/* Takes the last character. Returns its code, END if none is left, or -1 if it has no code. */
static inline int last_code(struct slice *rest)
{
    size_t start = rest->len;
    struct slice last;

    if (start == 0)
        return END;
    do
        start--;
    while (start > 0 && rest->len - start < 4 && ((unsigned char)rest->ptr[start] & 0xc0) == 0x80);
    last = slice_skip(*rest, start);
    rest->len = start;
    int code = next_code(&last);

    return last.len == 0 ? code : -1;
}

enum pairs_answer pairs_measure(const struct plain *p, struct slice text, int64_t limit,
                                int64_t *width)
{
    struct slice rest = text;
    int64_t sum = 0;
    int a = next_code(&rest);

    while (a >= 0 && a != END) {
        int b = next_code(&rest);
        int step = b < 0 ? PLAIN_NOT_SIMPLE : advance(p, (unsigned)a, (unsigned)b);

        if (step < 0)
            return PAIRS_UNKNOWN;
        sum += step;
        if (sum > limit)
            return PAIRS_OVER;
        a = b;
    }
    if (a < 0)
        return PAIRS_UNKNOWN;
    *width = sum;
    return PAIRS_FITS;
}

enum pairs_answer pairs_head(const struct plain *p, struct slice text, int64_t limit,
                             struct pairs_cut *cut)
{
    struct slice rest = text;
    int dots = advance(p, ELLIPSIS, END);
    int64_t sum = 0;
    int a = next_code(&rest);

    *cut = (struct pairs_cut){{text.ptr, 0}, 0, dots};
    if (dots < 0)
        return PAIRS_UNKNOWN;
    for (size_t chars = 0; sum <= limit && a != END;) {
        struct slice behind = rest;
        int b = next_code(&rest);
        int step = a < 0 || b < 0 ? PLAIN_NOT_SIMPLE : advance(p, (unsigned)a, (unsigned)b);
        int closing = a < 0 ? PLAIN_NOT_SIMPLE : advance(p, (unsigned)a, ELLIPSIS);

        if (closing < 0)
            return PAIRS_UNKNOWN;
        chars += a != BLANK;
        if (a != BLANK && sum + closing + dots <= limit) {
            size_t bytes = (size_t)(behind.ptr - text.ptr);

            *cut = (struct pairs_cut){{text.ptr, bytes}, chars, sum + closing + dots};
        }
        if (step < 0)
            return PAIRS_UNKNOWN;
        sum += step;
        a = b;
    }
    return dots <= limit ? PAIRS_FITS : PAIRS_OVER;
}

enum pairs_answer pairs_tail(const struct plain *p, struct slice text, int64_t limit,
                             struct pairs_cut *cut)
{
    struct slice rest = text;
    int dots = advance(p, ELLIPSIS, END);
    int64_t sum = 0;
    int b = END;

    *cut = (struct pairs_cut){{text.ptr + text.len, 0}, 0, dots};
    for (size_t chars = 0; sum <= limit;) {
        int a = last_code(&rest);

        if (a == END)
            break;
        int step = a < 0 ? PLAIN_NOT_SIMPLE : advance(p, (unsigned)a, (unsigned)b);
        int opening = a < 0 ? PLAIN_NOT_SIMPLE : advance(p, ELLIPSIS, (unsigned)a);

        if (step < 0 || opening < 0 || dots < 0)
            return PAIRS_UNKNOWN;
        sum += step;
        chars += a != BLANK;
        if (a != BLANK && sum + opening <= limit) {
            struct slice kept = slice_skip(text, rest.len);

            *cut = (struct pairs_cut){kept, chars, sum + opening};
        }
        b = a;
    }
    return dots <= limit ? PAIRS_FITS : PAIRS_OVER;
}

void pairs_each(const struct plain *p, struct slice text, pairs_glyph_fn *take, void *context)
{
    struct slice rest = text;
    int64_t x = 0;
    int a = next_code(&rest);

    while (a != END) {
        int b = next_code(&rest);

        BUG_ON(a < 0 || b < 0);
        if (!take(context, p->glyphs[a], x))
            return;
        x += advance(p, (unsigned)a, (unsigned)b);
        a = b;
    }
}
