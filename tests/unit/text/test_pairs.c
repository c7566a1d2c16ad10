#include "text/pairs.h"

#include "assets/asset.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "text/unicode.h"
#include "unit/support/test.h"

/* Measuring by pairs gives the widths of shaping for all texts of plain characters. */

static struct shape_font *open_font(void)
{
    struct slice bytes;

    cr_assert(asset_find(SLICE("fonts/RobotoCondensed-Regular.ttf"), &bytes));
    return shape_font_new(bytes, 0);
}

static const struct plain *learn(const struct shape_font *font)
{
    static struct plain made;

    plain_learn(font, &made);
    return &made;
}

/* Appends one of the plain characters as UTF-8. Returns its code point. */
static uint32_t add_char(struct buf *text, unsigned code)
{
    utf8_encode(text, plain_char(code));
    return plain_char(code);
}

struct seen {
    struct shape_glyphs *glyphs;
    size_t count;
    int64_t x;
    unsigned wrong;
};

static bool compare_glyph(void *context, uint32_t glyph, int64_t x)
{
    struct seen *s = context;

    cr_assert_lt(s->count, s->glyphs->count);
    s->wrong += glyph != s->glyphs->items[s->count].glyph || x != s->x;
    s->x += s->glyphs->items[s->count].x_advance;
    s->count++;
    return true;
}

static void check(const struct plain *p, const struct shape_font *font, const uint32_t *chars,
                  size_t count, struct slice text)
{
    struct shape_run run = {chars, count, 0, count, UNICODE_LATIN, false};
    struct shape_glyphs glyphs = {0};
    int64_t shaped = 0, width = -1;

    shape(font, &run, &glyphs);
    vec_each (struct shape_glyph, g, &glyphs) {
        shaped += g->x_advance;
        cr_expect(g->x_offset == 0 && g->y_offset == 0);
    }
    cr_expect_eq(pairs_measure(p, text, INT64_MAX, &width), PAIRS_FITS, "'%.*s'", SLICE_ARG(text));
    cr_expect_eq(width, shaped, "'%.*s': %ld, not %ld", SLICE_ARG(text), (long)width, (long)shaped);
    struct seen seen = {.glyphs = &glyphs};

    pairs_each(p, text, compare_glyph, &seen);
    cr_expect(seen.count == glyphs.count && seen.wrong == 0, "'%.*s'", SLICE_ARG(text));
    vec_release(&glyphs);
}

Test(text_pairs, equals_shaping_for_all_pairs)
{
    struct shape_font *font = open_font();
    const struct plain *p = learn(font);

    for (unsigned a = 0; a < PLAIN_CODES; a++) {
        for (unsigned b = 0; b < PLAIN_CODES; b++) {
            struct buf text = {0};
            uint32_t chars[2];

            chars[0] = add_char(&text, a);
            chars[1] = add_char(&text, b);
            check(p, font, chars, 2, buf_slice(&text));
            buf_release(&text);
        }
    }
    shape_font_free(font);
}

Test(text_pairs, equals_shaping_for_random_names)
{
    struct shape_font *font = open_font();
    const struct plain *p = learn(font);
    uint32_t seed = 1;

    for (int round = 0; round < 5000; round++) {
        struct buf text = {0};
        uint32_t chars[64];
        size_t count;

        seed = seed * 1664525 + 1013904223;
        count = (seed >> 8) % 64;
        for (size_t i = 0; i < count; i++) {
            seed = seed * 1664525 + 1013904223;
            chars[i] = add_char(&text, (seed >> 8) % PLAIN_CODES);
        }
        check(p, font, chars, count, buf_slice(&text));
        buf_release(&text);
    }
    shape_font_free(font);
}

Test(text_pairs, leaves_other_text_to_shaping)
{
    static const char *const texts[] = {"\u00e9",    "a\u0301", "a\tb",   "\x7f",
                                        "abc\u4e2d", "\u2027",  "a\u202e"};
    struct shape_font *font = open_font();
    const struct plain *p = learn(font);
    int64_t width;

    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        cr_expect_eq(pairs_measure(p, slice_str(texts[i]), INT64_MAX, &width), PAIRS_UNKNOWN,
                     "'%s'", texts[i]);
    /* Measuring ends as soon as the text is too wide, before a character without pairs. */
    cr_expect_eq(pairs_measure(p, SLICE("abcdefgh\u4e2d"), 100, &width), PAIRS_OVER);
    shape_font_free(font);
}

static size_t count_blanks(struct slice text)
{
    size_t count = 0;

    for (size_t i = 0; i < text.len; i++)
        count += text.ptr[i] == ' ';
    return count;
}

/* The test finds the longest cut that fits by measuring all cuts. */
Test(text_pairs, cuts_as_late_as_possible)
{
    static const char name[] = "AVATAR::To_Wave (f f) yes, V.A. main";
    struct shape_font *font = open_font();
    const struct plain *p = learn(font);
    int64_t whole, width;

    cr_assert_eq(pairs_measure(p, slice_str(name), INT64_MAX, &whole), PAIRS_FITS);
    for (int64_t limit = 0; limit < whole; limit += 37) {
        for (int tail = 0; tail < 2; tail++) {
            struct pairs_cut cut;
            size_t best = 0;

            for (size_t n = 1; n < sizeof(name) - 1; n++) {
                struct buf text = {0};
                const char *part = tail ? name + sizeof(name) - 1 - n : name;
                bool blank = (tail ? part[0] : part[n - 1]) == ' ';

                buf_printf(&text, "%s%.*s%s", tail ? "\u2026" : "", (int)n, part,
                           tail ? "" : "\u2026");
                if (!blank && pairs_measure(p, buf_slice(&text), limit, &width) == PAIRS_FITS)
                    best = n;
                buf_release(&text);
            }
            enum pairs_answer answer = tail ? pairs_tail(p, slice_str(name), limit, &cut)
                                            : pairs_head(p, slice_str(name), limit, &cut);

            cr_expect_eq(cut.kept.len, best, "limit %ld: %zu, not %zu", (long)limit, cut.kept.len,
                         best);
            cr_expect_eq(cut.chars, best - count_blanks(cut.kept));
            cr_expect(best == 0 || (answer == PAIRS_FITS && cut.width <= limit));
        }
    }
    shape_font_free(font);
}
