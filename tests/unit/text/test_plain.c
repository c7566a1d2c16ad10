#include "text/plain.h"

#include <stdatomic.h>

#include "assets/asset.h"
#include "output/deflate.h"
#include "text/font_subset.h"
#include "text/state.h"
#include "text/subset.h"
#include "unit/support/test.h"

/* The data that the build learned about the first font equals what the font says. */

static struct slice asset(const char *name)
{
    struct slice bytes;

    cr_assert(asset_find(slice_str(name), &bytes), "%s", name);
    return bytes;
}

Test(text_plain, the_embedded_facts_are_those_of_the_font)
{
    static struct plain learnt;
    struct shape_font *font = shape_font_new(asset("fonts/RobotoCondensed-Regular.ttf"), 0);
    struct slice known = asset("fonts/plain");

    plain_learn(font, &learnt);
    cr_assert_eq(known.len, sizeof(learnt));
    cr_expect_eq(memcmp(known.ptr, &learnt, sizeof(learnt)), 0);
    cr_expect_str_eq(learnt.family, "Roboto Condensed");
    cr_expect_eq(learnt.upem, 2048);
    shape_font_free(font);
}

/*
 * Where labels are cut depends on these, as hb-shape prints them for the font of the manifest. If
 * another version of the font fails here, pictures have other labels than before.
 */
Test(text_plain, the_metrics_of_the_first_font_are_those_that_labels_were_tested_with)
{
    static const int16_t alone[PLAIN_CODES] = {
        470,  504,  656,  1122, 1011, 1296, 1114, 358,  643,  653,  882,  1018, 403,  508,  540,
        760,  1011, 1011, 1011, 1011, 1011, 1011, 1011, 1011, 1011, 1011, 478,  415,  913,  981,
        943,  865,  1575, 1181, 1118, 1161, 1169, 1018, 985,  1210, 1270, 512,  990,  1117, 974,
        1547, 1269, 1231, 1135, 1231, 1087, 1062, 1066, 1150, 1148, 1560, 1129, 1075, 1071, 513,
        757,  513,  760,  829,  633,  981,  1010, 946,  1016, 960,  648,  1010, 989,  470,  459,
        923,  470,  1542, 992,  1028, 1010, 1025, 624,  934,  606,  990,  876,  1331, 899,  853,
        899,  628,  500,  628,  1207, 1209, 499,  943,  2101,
    };
    const struct plain *known = (const struct plain *)(const void *)asset("fonts/plain").ptr;
    int ligatures = 0, kerned = 0, kerning = 0;

    for (int a = 0; a < PLAIN_CODES; a++) {
        cr_expect_eq(known->advances[a][PLAIN_END], alone[a], "of U+%04X", plain_char(a));
        for (int b = 0; b < PLAIN_CODES; b++) {
            int change = known->advances[a][b] - alone[a];

            if (known->advances[a][b] == PLAIN_NOT_SIMPLE) {
                ligatures++;
                continue;
            }
            kerned += change != 0;
            kerning += change;
        }
    }
    cr_expect_eq(ligatures, 0, "no feature that joins letters is on");
    cr_expect_eq(kerned, 448);
    cr_expect_eq(kerning, -21914);
}

/* The subset of the build has the bytes of one that is made in the program. */
Test(text_plain, the_embedded_subset_is_what_subsetting_gives)
{
    const struct plain *known = (const struct plain *)(const void *)asset("fonts/plain").ptr;
    struct fonts_chars chars = {0};
    struct buf part = {0}, packed = {0};

    plain_chars(known, &chars);
    cr_expect_eq(chars.count, 95 + 4);
    cr_assert(subset_write(asset("fonts/RobotoCondensed-Regular.ttf"), 0, &chars, &part));
    deflate_write(&packed, (struct deflate_parts){.text = buf_slice(&part)});
    cr_expect(slice_equal(buf_slice(&packed), asset("fonts/plain.packed")));
    buf_release(&packed);
    buf_release(&part);
    vec_release(&chars);
}

Test(text_plain, has_ascii_and_its_signs_and_nothing_else)
{
    const struct plain *known = (const struct plain *)(const void *)asset("fonts/plain").ptr;
    uint32_t count = 0;

    for (uint32_t c = 0; c < 0x110000; c++)
        count += plain_has(known, c);
    cr_expect_eq(count, 95 + 4);
    cr_expect(plain_has(known, 'a') && plain_has(known, 0x2026) && plain_has(known, 0xfffd));
    cr_expect(!plain_has(known, 0x7f) && !plain_has(known, 0xe9));
}

/* The subset of the build is used for plain texts of the embedded font only. */
Test(text_plain, other_texts_and_fonts_have_portions_of_their_own)
{
    static const struct {
        const char *text, *font;
        bool embedded, limited; /* the latter: without rarer characters */
    } rows[] = {
        {"memcpy()", NULL, true, true},
        {"caf\u00e9", NULL, false, true},
        {"memcpy()", "DejaVu Sans Condensed", false, false},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct fonts_options options = {.font = rows[i].font};
        struct fonts *f = fonts_new(&options, NULL);
        struct font_subsets p;

        cr_assert(f);
        font_subsets_init(&p, f);
        font_subsets_add(&p, slice_str(rows[i].text));
        cr_expect_eq(font_subsets_embedded(&p, 0, false), rows[i].embedded, "%s", rows[i].text);
        cr_expect_eq(font_subsets_embedded(&p, 0, true), rows[i].limited, "%s", rows[i].text);
        font_subsets_release(&p);
        fonts_free(f);
    }
}

/* Plain texts leave both embedded fonts closed; the first other character opens them. */
Test(text_plain, fonts_are_opened_when_a_text_needs_them)
{
    struct fonts *f = fonts_new(NULL, NULL);
    bool missing;
    uint32_t c = 'a';

    cr_expect_eq(list_choose(f->list, &c, 1, &missing), 0);
    cr_expect_eq(list_upem(list_get(f->list, 0)), 2048);
    cr_expect_null(atomic_load(&list_get(f->list, 0)->opened));
    c = 0x2192;
    cr_expect_eq(list_choose(f->list, &c, 1, &missing), 1);
    cr_expect_not_null(atomic_load(&list_get(f->list, 0)->opened));
    cr_expect_not_null(atomic_load(&list_get(f->list, 1)->opened));
    fonts_free(f);
}
