#include "text/font_subset.h"

#include "assets/asset.h"
#include "text/line.h"
#include "text/state.h"
#include "text/subset.h"
#include "text/unicode.h"
#include "unit/support/test.h"

#define UNICODE_ARABIC UNICODE_TAG('A', 'r', 'a', 'b')

#define ASCII "void f<int>(char const*, \"x\") [clone .part.0] AVATAR To. Wave fi"

static struct fonts *open_fonts(void)
{
    struct fonts_options options = {.system = false};
    struct diag d;

    diag_init(&d, SLICE(""));
    struct fonts *f = fonts_new(&options, &d);

    cr_assert_not_null(f);
    diag_release(&d);
    return f;
}

static void as_it_is(struct slice file, struct buf *out)
{
    buf_add_slice(out, file);
}

static void write_font_subset(const struct font_subsets *p, size_t index, struct buf *out)
{
    buf_clear(out);
    cr_assert(font_subsets_write(p, index, false, as_it_is, out), "subset %zu", index);
}

static uint32_t glyph(struct slice file, uint32_t c)
{
    struct shape_font *font = shape_font_new(file, 0);

    cr_assert_not_null(font);
    uint32_t found = shape_font_glyph(font, c);

    shape_font_free(font);
    return found;
}

/* Expects the same width of a text from the subset of its font and from the complete list. */
static void expect_width(struct fonts *f, struct slice file, const char *text)
{
    struct shape_font *font = shape_font_new(file, 0);
    struct line_cache *cache = line_cache_new();
    const struct line *line = line_get(cache, f->list, slice_str(text));
    struct shape_glyphs glyphs = {0};
    int64_t want = 0, width = 0;

    for (uint32_t i = 0; i < line->run_count; i++) {
        const struct line_run *run = &line->runs[i];
        struct shape_run again = {line->chars,
                                  line->char_count,
                                  run->char_first,
                                  run->char_count,
                                  run->rtl ? UNICODE_ARABIC : UNICODE_LATIN,
                                  run->rtl};

        want += run->width;
        shape(font, &again, &glyphs);
    }
    vec_each (struct shape_glyph, g, &glyphs) {
        cr_expect_neq(g->glyph, 0, "'%s' has a letter that is missing", text);
        width += g->x_advance;
    }
    cr_expect_eq(width, want, "'%s' is %lld wide, not %lld", text, (long long)width,
                 (long long)want);
    vec_release(&glyphs);
    line_put(line);
    line_cache_free(cache);
    shape_font_free(font);
}

Test(text_font_subset, is_as_wide_as_the_font_and_small)
{
    struct fonts *f = open_fonts();
    struct font_subsets p;
    struct buf file = {0};

    font_subsets_init(&p, f);
    font_subsets_add(&p, SLICE(ASCII));
    cr_expect_eq(p.items.count, 1);
    write_font_subset(&p, 0, &file);
    cr_expect_lt(file.len, 13000);
    expect_width(f, buf_slice(&file), ASCII);
    cr_expect_eq(glyph(buf_slice(&file), 0x3a9), 0, "only what was asked for");
    font_subsets_release(&p);
    buf_release(&file);
    fonts_free(f);
}

Test(text_font_subset, each_letter_is_of_the_font_that_draws_it)
{
    struct fonts *f = open_fonts();
    struct font_subsets p;
    struct buf file = {0};

    font_subsets_init(&p, f);
    font_subsets_add(
        &p, SLICE("\u03a9\u03bc\u03ad\u03b3\u03b1 e\u0301 \u0645\u0631\u062d\u0628\u0627"));
    cr_assert_eq(p.items.count, 2);
    write_font_subset(&p, 0, &file);
    expect_width(f, buf_slice(&file), "\u03a9\u03bc\u03ad\u03b3\u03b1");
    expect_width(f, buf_slice(&file), "e\u0301");
    cr_expect_eq(glyph(buf_slice(&file), 0x645), 0);
    write_font_subset(&p, 1, &file);
    expect_width(f, buf_slice(&file), "\u0645\u0631\u062d\u0628\u0627");
    cr_expect_eq(glyph(buf_slice(&file), 'a'), 0);
    buf_clear(&file);
    cr_expect(font_subsets_write(&p, 0, true, as_it_is, &file));
    cr_expect_eq(glyph(buf_slice(&file), 0x3a9), 0, "plain");
    font_subsets_release(&p);
    buf_release(&file);
    fonts_free(f);
}

/* The codes of both signs end with the same bits; the last character of all has a place, too. */
Test(text_font_subset, characters_far_apart_are_told_apart)
{
    struct fonts *f = open_fonts();
    struct font_subsets p;
    struct buf file = {0};

    font_subsets_init(&p, f);
    font_subsets_add(&p, SLICE("\u00ac \u20ac \U0010fffd"));
    write_font_subset(&p, 0, &file);
    expect_width(f, buf_slice(&file), "\u00ac");
    expect_width(f, buf_slice(&file), "\u20ac");
    font_subsets_release(&p);
    buf_release(&file);
    fonts_free(f);
}

/* A character that is shown as U+FFFD needs a font for U+FFFD only. */
Test(text_font_subset, controls_need_no_font)
{
    struct fonts *f = open_fonts();
    struct font_subsets p;

    font_subsets_init(&p, f);
    font_subsets_add(&p, SLICE("a\x01\u202e\u2028b"));
    cr_expect_eq(p.items.count, 1);
    font_subsets_release(&p);
    fonts_free(f);
}

Test(text_font_subset, the_same_texts_in_any_order_are_the_same_bytes)
{
    static const char *const orders[][2] = {{"\u03a9", "\u0416x"}, {"x\u0416", "\u03a9\u03a9"}};
    struct buf files[2] = {0};

    for (size_t i = 0; i < 2; i++) {
        struct fonts *f = open_fonts();
        struct font_subsets p;

        font_subsets_init(&p, f);
        font_subsets_add(&p, slice_str(orders[i][0]));
        font_subsets_add(&p, slice_str(orders[i][1]));
        write_font_subset(&p, 0, &files[i]);
        font_subsets_release(&p);
        fonts_free(f);
    }
    cr_expect(slice_equal(buf_slice(&files[0]), buf_slice(&files[1])));
    buf_release(&files[0]);
    buf_release(&files[1]);
}

/* Returns the offset of the table OS/2 in a font file. */
static size_t find_os2(struct slice font)
{
    for (size_t row = 12; row + 16 < font.len; row += 16) {
        const uint8_t *at = (const uint8_t *)font.ptr + row;

        if (memcmp(at, "OS/2", 4) == 0)
            return (size_t)at[8] << 24 | (size_t)at[9] << 16 | (size_t)at[10] << 8 | at[11];
    }
    return 0;
}

Test(text_font_subset, a_font_that_forbids_it_is_not_embedded)
{
    struct fonts_chars chars = {0};
    struct slice font;
    struct buf copy = {0}, out = {0};

    cr_assert(asset_find(SLICE("fonts/RobotoCondensed-Regular.ttf"), &font));
    buf_add_slice(&copy, font);
    *vec_add(&chars) = 'a';
    cr_expect(subset_write(buf_slice(&copy), 0, &chars, &out));
    buf_clear(&out);
    cr_assert_neq(find_os2(font), 0);
    copy.ptr[find_os2(font) + 9] = 2;
    cr_expect_not(subset_write(buf_slice(&copy), 0, &chars, &out));
    cr_expect_not(subset_write(font, 0x10000, &chars, &out), "an instance of a variable font");
    cr_expect_eq(out.len, 0);
    vec_release(&chars);
    buf_release(&copy);
    buf_release(&out);
}
