#include "text/unicode.h"

#include <hb.h>

#include "base/die.h"
#include "base/utf8.h"

uint32_t unicode_script(uint32_t c)
{
    return (uint32_t)hb_unicode_script(hb_unicode_funcs_get_default(), c);
}

bool unicode_is_forbidden(uint32_t c)
{
    return (utf8_is_unsafe(c) && c != 0xfeff) || (c >= 0xfdd0 && c <= 0xfdef) ||
           (c & 0xfffe) == 0xfffe;
}

struct range {
    uint32_t first, last;
};

static bool in_ranges(uint32_t c, const struct range *ranges, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (c < ranges[i].first)
            return false;
        if (c <= ranges[i].last)
            return true;
    }
    return false;
}

/* Default_Ignorable_Code_Point of Unicode 15, ascending, unassigned ones left out. */
static const struct range invisible[] = {
    {0xad, 0xad},     {0x34f, 0x34f},     {0x61c, 0x61c},     {0x115f, 0x1160},
    {0x17b4, 0x17b5}, {0x180b, 0x180f},   {0x200b, 0x200f},   {0x202a, 0x202e},
    {0x2060, 0x206f}, {0x3164, 0x3164},   {0xfe00, 0xfe0f},   {0xfeff, 0xfeff},
    {0xffa0, 0xffa0}, {0x1bca0, 0x1bca3}, {0x1d173, 0x1d17a}, {0xe0000, 0xe0fff},
};

bool unicode_is_invisible(uint32_t c)
{
    return c >= 0xad && in_ranges(c, invisible, sizeof(invisible) / sizeof(invisible[0]));
}

bool unicode_is_rtl(uint32_t c)
{
    return c >= 0x590 && (utf8_is_rtl(c) || utf8_is_unsafe(c));
}

static bool is_mark(uint32_t c)
{
    hb_unicode_general_category_t category =
        hb_unicode_general_category(hb_unicode_funcs_get_default(), c);

    return category == HB_UNICODE_GENERAL_CATEGORY_NON_SPACING_MARK ||
           category == HB_UNICODE_GENERAL_CATEGORY_SPACING_MARK ||
           category == HB_UNICODE_GENERAL_CATEGORY_ENCLOSING_MARK;
}

/* True in ranges without marks that our own texts use, which HarfBuzz is not asked for. */
static bool is_sign(uint32_t c)
{
    return (c >= 0x2010 && c < 0x20d0) || (c >= 0x2100 && c < 0x2c00) || c == UTF8_REPLACEMENT;
}

/* True for the characters that UAX #29 calls Extend: marks, joiners, emoji modifiers, tags. */
static bool extends(uint32_t c)
{
    if (c < 0x300 || is_sign(c))
        return false;
    return is_mark(c) || c == 0x200c || c == 0x200d || (c >= 0x1f3fb && c <= 0x1f3ff) ||
           (c >= 0xe0020 && c <= 0xe007f) || c == 0xff9e || c == 0xff9f;
}

static bool is_regional(uint32_t c)
{
    return c >= 0x1f1e6 && c <= 0x1f1ff;
}

/* Hangul_Syllable_Type: leading consonant, vowel, trailing consonant, or a syllable of them. */
enum hangul { NOT_HANGUL, HANGUL_L, HANGUL_V, HANGUL_T, HANGUL_LV, HANGUL_LVT };

static enum hangul hangul(uint32_t c)
{
    if ((c >= 0x1100 && c <= 0x115f) || (c >= 0xa960 && c <= 0xa97c))
        return HANGUL_L;
    if ((c >= 0x1160 && c <= 0x11a7) || (c >= 0xd7b0 && c <= 0xd7c6))
        return HANGUL_V;
    if ((c >= 0x11a8 && c <= 0x11ff) || (c >= 0xd7cb && c <= 0xd7fb))
        return HANGUL_T;
    if (c >= 0xac00 && c <= 0xd7a3)
        return (c - 0xac00) % 28 == 0 ? HANGUL_LV : HANGUL_LVT;
    return NOT_HANGUL;
}

/* Rules GB6 to GB8 of UAX #29. */
static bool same_syllable(uint32_t before, uint32_t c)
{
    enum hangul a = hangul(before);
    enum hangul b = hangul(c);

    switch (a) {
    case HANGUL_L:
        return b == HANGUL_L || b == HANGUL_V || b == HANGUL_LV || b == HANGUL_LVT;
    case HANGUL_LV:
    case HANGUL_V:
        return b == HANGUL_V || b == HANGUL_T;
    case HANGUL_LVT:
    case HANGUL_T:
        return b == HANGUL_T;
    default:
        return false;
    }
}

size_t unicode_cluster(const uint32_t *chars, size_t count)
{
    size_t n = 1;

    if (n < count && is_regional(chars[0]) && is_regional(chars[1]))
        n++;
    while (n < count && (extends(chars[n]) || same_syllable(chars[n - 1], chars[n]) ||
                         (chars[n - 1] == 0x200d && chars[n] >= 0x2000)))
        n++;
    return n;
}

uint32_t unicode_compose(uint32_t a, uint32_t b)
{
    hb_codepoint_t c;

    return hb_unicode_compose(hb_unicode_funcs_get_default(), a, b, &c) ? c : 0;
}

bool unicode_decompose(uint32_t c, uint32_t *a, uint32_t *b)
{
    return hb_unicode_decompose(hb_unicode_funcs_get_default(), c, a, b);
}
