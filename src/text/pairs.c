#include "text/pairs.h"

#include <limits.h>
#include <stdatomic.h>

#include "base/die.h"
#include "text/unicode.h"

/* Codes: 0x20 .. 0x7e in order, the ellipsis, and the end of the text. */
enum { BLANK, FIRST = 0x20, LAST = 0x7e, ELLIPSIS = LAST - FIRST + 1, CODES, END = CODES };

enum { NOT_LEARNT = -1, NOT_SIMPLE = -2 };

struct pairs {
    const struct shape_font *font;
    uint32_t glyphs[CODES];
    _Atomic int16_t advances[CODES][CODES + 1]; /* of the first if the second follows */
};

static uint32_t character(unsigned code)
{
    return code == ELLIPSIS ? 0x2026 : FIRST + code;
}

struct pairs *pairs_new(const struct shape_font *font)
{
    struct pairs *p = xmalloc(sizeof(*p));

    p->font = font;
    memset(p->advances, 0xff, sizeof(p->advances)); /* all NOT_LEARNT */
    for (unsigned i = 0; i < CODES; i++)
        p->glyphs[i] = shape_font_glyph(font, character(i));
    return p;
}

void pairs_free(struct pairs *p)
{
    free(p);
}

static bool is_simple(const struct pairs *p, const struct shape_glyph *g, unsigned code)
{
    return g->glyph != 0 && g->glyph == p->glyphs[code] && g->x_offset == 0 && g->y_offset == 0 &&
           g->x_advance > 0 && g->x_advance <= INT16_MAX;
}

static int advance(struct pairs *p, unsigned a, unsigned b);

static int learn(struct pairs *p, unsigned a, unsigned b)
{
    uint32_t chars[2] = {character(a), b == END ? 0 : character(b)};
    size_t count = b == END ? 1 : 2;
    struct shape_run run = {chars, count, 0, count, UNICODE_LATIN, false};
    struct shape_glyphs made = {0};
    int result = NOT_SIMPLE;

    shape(p->font, &run, &made);
    if (made.count == count && is_simple(p, &made.items[0], a) &&
        (b == END ||
         (is_simple(p, &made.items[1], b) && made.items[1].x_advance == advance(p, b, END))))
        result = made.items[0].x_advance;
    vec_release(&made);
    atomic_store_explicit(&p->advances[a][b], (int16_t)result, memory_order_relaxed);
    return result;
}

/* Returns the advance of `a` before `b`, or NOT_SIMPLE. */
static inline int advance(struct pairs *p, unsigned a, unsigned b)
{
    int known = atomic_load_explicit(&p->advances[a][b], memory_order_relaxed);

    return known == NOT_LEARNT ? learn(p, a, b) : known;
}

static bool is_ellipsis(const char *bytes)
{
    return memcmp(bytes, "\xe2\x80\xa6", 3) == 0;
}

/* Takes the first character. Returns its code, END if none is left, or -1 if it has no code. */
static inline int next_code(struct slice *rest)
{
    if (rest->len == 0)
        return END;
    unsigned char c = (unsigned char)*rest->ptr;

    if (c >= FIRST && c <= LAST) {
        *rest = (struct slice){rest->ptr + 1, rest->len - 1};
        return c - FIRST;
    }
    if (rest->len < 3 || !is_ellipsis(rest->ptr))
        return -1;
    *rest = slice_skip(*rest, 3);
    return ELLIPSIS;
}

/* Takes the last character. Returns its code, END if none is left, or -1 if it has no code. */
static inline int last_code(struct slice *rest)
{
    if (rest->len == 0)
        return END;
    unsigned char c = (unsigned char)rest->ptr[rest->len - 1];

    if (c >= FIRST && c <= LAST) {
        rest->len--;
        return c - FIRST;
    }
    if (rest->len < 3 || !is_ellipsis(rest->ptr + rest->len - 3))
        return -1;
    rest->len -= 3;
    return ELLIPSIS;
}

enum pairs_answer pairs_measure(struct pairs *p, struct slice text, int64_t limit, int64_t *width)
{
    struct slice rest = text;
    int64_t sum = 0;
    int a = next_code(&rest);

    while (a >= 0 && a != END) {
        int b = next_code(&rest);
        int step = b < 0 ? NOT_SIMPLE : advance(p, (unsigned)a, (unsigned)b);

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

enum pairs_answer pairs_head(struct pairs *p, struct slice text, int64_t limit,
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
        int step = a < 0 || b < 0 ? NOT_SIMPLE : advance(p, (unsigned)a, (unsigned)b);
        int closing = a < 0 ? NOT_SIMPLE : advance(p, (unsigned)a, ELLIPSIS);

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

enum pairs_answer pairs_tail(struct pairs *p, struct slice text, int64_t limit,
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
        int step = a < 0 ? NOT_SIMPLE : advance(p, (unsigned)a, (unsigned)b);
        int opening = a < 0 ? NOT_SIMPLE : advance(p, ELLIPSIS, (unsigned)a);

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

void pairs_each(struct pairs *p, struct slice text, pairs_glyph_fn *take, void *context)
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
