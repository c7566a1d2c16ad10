#include "text/plain.h"

#include "base/die.h"
#include "base/utf8.h"
#include "text/unicode.h"

/* The ellipsis, signs in captions, and the replacement character. */
static const uint32_t signs[PLAIN_SIGNS] = {0x2026, 0xb7, 0x2265, UTF8_REPLACEMENT};

uint32_t plain_char(unsigned code)
{
    return code < PLAIN_ELLIPSIS ? PLAIN_FIRST + code : signs[code - PLAIN_ELLIPSIS];
}

int plain_code(uint32_t c)
{
    if (c <= PLAIN_LAST)
        return c >= PLAIN_FIRST ? (int)(c - PLAIN_FIRST) : -1;
    for (int i = 0; i < PLAIN_SIGNS; i++)
        if (signs[i] == c)
            return PLAIN_ELLIPSIS + i;
    return -1;
}

static bool is_simple(const struct plain *p, const struct shape_glyph *g, unsigned code)
{
    return g->glyph != 0 && g->glyph == p->glyphs[code] && g->x_offset == 0 && g->y_offset == 0 &&
           g->x_advance > 0 && g->x_advance <= INT16_MAX;
}

/* Returns the advance of `a` before `b`. Those before the end are known before all others. */
static int learn_pair(const struct shape_font *font, const struct plain *p, unsigned a, unsigned b)
{
    uint32_t chars[2] = {plain_char(a), b == PLAIN_END ? 0 : plain_char(b)};
    size_t count = b == PLAIN_END ? 1 : 2;
    struct shape_run run = {chars, count, 0, count, UNICODE_LATIN, false};
    struct shape_glyphs made = {0};
    int result = PLAIN_NOT_SIMPLE;

    shape(font, &run, &made);
    if (made.count == count && is_simple(p, &made.items[0], a) &&
        (b == PLAIN_END ||
         (is_simple(p, &made.items[1], b) && made.items[1].x_advance == p->advances[b][PLAIN_END])))
        result = made.items[0].x_advance;
    vec_release(&made);
    return result;
}

void plain_learn(const struct shape_font *font, struct plain *out)
{
    struct buf family = {0};

    memset(out, 0, sizeof(*out));
    out->upem = shape_font_upem(font);
    out->glyph_count = shape_font_glyph_count(font);
    out->metrics = shape_font_metrics(font);
    shape_font_family(font, &family);
    BUG_ON(family.len >= PLAIN_FAMILY);
    memcpy(out->family, buf_string(&family), family.len);
    buf_release(&family);
    for (unsigned i = 0; i < PLAIN_CODES; i++)
        out->glyphs[i] = shape_font_glyph(font, plain_char(i));
    for (unsigned a = 0; a < PLAIN_CODES; a++)
        out->advances[a][PLAIN_END] = (int16_t)learn_pair(font, out, a, PLAIN_END);
    for (unsigned a = 0; a < PLAIN_CODES; a++)
        for (unsigned b = 0; b < PLAIN_END; b++)
            out->advances[a][b] = (int16_t)learn_pair(font, out, a, b);
}

void plain_chars(const struct plain *p, struct fonts_chars *out)
{
    for (unsigned i = 0; i < PLAIN_CODES; i++)
        if (p->glyphs[i])
            *vec_add(out) = plain_char(i);
}

bool plain_has(const struct plain *p, uint32_t c)
{
    int code = plain_code(c);

    return code >= 0 && p->glyphs[code] != 0;
}
