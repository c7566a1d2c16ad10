#include "text/unicode.h"

#include <hb.h>

#include "base/utf8.h"
#include "unit/support/test.h"

/* The number of characters in the first cluster. Most examples are from UAX #29. */
Test(text_unicode, clusters)
{
    static const struct {
        const char *text;
        size_t chars;
    } cases[] = {
        {"a", 1},
        {"ab", 1},
        {"e\u0301x", 2},
        {"e\u0301\u0323x", 3},
        {"\u0915\u094d\u0937", 2}, /* the virama is a mark; shaping joins the consonants */
        {"\u0ba8\u0bbf", 2},       /* a spacing mark */
        {"\U0001f468\u200d\U0001f469\u200d\U0001f467!", 5}, /* a family */
        {"\U0001f44d\U0001f3fd.", 2},                       /* a skin tone */
        {"\U0001f1e9\U0001f1ea\U0001f1eb\U0001f1f7", 2},    /* two flags */
        {"\u2764\ufe0f", 2},                                /* a variation selector */
        {"\u1100\u1161\u11a8\u1100", 3},                    /* a Hangul syllable in parts */
        {"\uac00\u11a8\u1100", 2},
        {"\uac01\u1161", 1},
        {"\u0301a", 1},
        {"a\u200db", 2}, /* a joiner has no effect before a letter */
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct slice rest = slice_str(cases[i].text);
        uint32_t chars[16];
        size_t count = 0;

        while (rest.len > 0)
            rest = slice_skip(rest, utf8_decode(rest, &chars[count++]));
        cr_expect_eq(unicode_cluster(chars, count), cases[i].chars, "'%s': %zu", cases[i].text,
                     unicode_cluster(chars, count));
    }
}

/* Every mark stays with the letter before it, also those near our own signs. */
Test(text_unicode, all_marks_extend_a_cluster)
{
    for (uint32_t c = 0x80; c < 0x110000; c++) {
        hb_unicode_general_category_t category =
            hb_unicode_general_category(hb_unicode_funcs_get_default(), c);
        uint32_t chars[2] = {'a', c};

        if (category == HB_UNICODE_GENERAL_CATEGORY_NON_SPACING_MARK ||
            category == HB_UNICODE_GENERAL_CATEGORY_SPACING_MARK ||
            category == HB_UNICODE_GENERAL_CATEGORY_ENCLOSING_MARK)
            cr_expect_eq(unicode_cluster(chars, 2), 2, "U+%04X", (unsigned)c);
    }
}

Test(text_unicode, forbids_controls_and_overrides)
{
    static const uint32_t forbidden[] = {0,      0x09,   0x0a,    0x1b,     0x7f,   0x85,   0x9f,
                                         0x2028, 0x2029, 0x202a,  0x202e,   0x2066, 0x2069, 0xfdd0,
                                         0xfffe, 0xffff, 0x1fffe, 0x10ffff, 0x61c,  0x200e, 0x200f};
    static const uint32_t fine[] = {0x20,   0x7e,   0xa0,   0xad,   0x200c,
                                    0x200d, 0xfeff, 0x2026, 0xfffd, 0x1f600};

    for (size_t i = 0; i < sizeof(forbidden) / sizeof(forbidden[0]); i++)
        cr_expect(unicode_is_forbidden(forbidden[i]), "U+%04X", forbidden[i]);
    for (size_t i = 0; i < sizeof(fine) / sizeof(fine[0]); i++)
        cr_expect_not(unicode_is_forbidden(fine[i]), "U+%04X", fine[i]);
}

Test(text_unicode, scripts_and_directions)
{
    cr_expect_eq(unicode_script('a'), UNICODE_LATIN);
    cr_expect_eq(unicode_script('('), UNICODE_COMMON);
    cr_expect_eq(unicode_script(0x301), UNICODE_INHERITED);
    cr_expect_eq(unicode_script(0x627), UNICODE_TAG('A', 'r', 'a', 'b'));
    cr_expect(unicode_is_rtl(0x627));
    cr_expect(unicode_is_rtl(0x5d0));
    cr_expect(unicode_is_rtl(0xfb50));
    cr_expect_not(unicode_is_rtl('a'));
    cr_expect_not(unicode_is_rtl(0x4e2d));
}

Test(text_unicode, composes_and_decomposes)
{
    uint32_t a, b;

    cr_expect_eq(unicode_compose('e', 0x301), 0xe9);
    cr_expect_eq(unicode_compose('q', 0x301), 0);
    cr_assert(unicode_decompose(0xe9, &a, &b));
    cr_expect(a == 'e' && b == 0x301);
    cr_expect_not(unicode_decompose('e', &a, &b));
}
