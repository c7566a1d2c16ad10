#include "output/png.h"

#include "raster/color.h"
#include "tree/digest.h"
#include "unit/support/drawn.h"
#include "unit/support/image.h"
#include "unit/support/test.h"

static const char small[] = "a;b 30\na;c 20\nd 9\n";

static bool has(struct slice png, const char *text)
{
    return slice_search(png, slice_str(text)) < png.len;
}

Test(output_png, header_and_chunks)
{
    struct picture_options options = picture_defaults;
    struct buf digest = {0};
    struct drawn d;
    struct slice png;

    options.look.title = SLICE("Title \xc3\xa9");
    options.source = SLICE("a.folded");
    options.digest = true;
    options.software = SLICE("flamepress 1");
    for (unsigned ratio = 1; ratio <= 2; ratio++) {
        drawn_init(&d, slice_str(small), &options, ratio);
        png = buf_slice(&d.png);
        cr_expect(slice_equal(image_chunk(png, "IHDR"),
                              ratio == 1 ? slice_make("\0\0\x04\xb0\0\0\0\x76\x08\x03\0\0\0", 13)
                                         : slice_make("\0\0\x09\x60\0\0\0\xec\x08\x03\0\0\0", 13)));
        cr_expect(slice_equal(image_chunk(png, "pHYs"),
                              ratio == 1 ? slice_make("\0\0\x0e\xc4\0\0\x0e\xc4\x01", 9)
                                         : slice_make("\0\0\x1d\x88\0\0\x1d\x88\x01", 9)));
        cr_expect_eq(image_chunk(png, "sRGB").len, 1);
        cr_expect(has(png, "iTXtTitle") && has(png, "Title \xc3\xa9"));
        cr_expect(has(png, "iTXtSource") && has(png, "a.folded"));
        buf_clear(&digest);
        tree_digest(d.layout.tree, &digest);
        cr_expect_eq(digest.len, 16);
        cr_expect(has(png, "iTXtDigest") && has(png, buf_string(&digest)));
        cr_expect(has(png, "iTXtSoftware") && has(png, "flamepress 1"));
        drawn_release(&d);
    }
    buf_release(&digest);
}

Test(output_png, no_empty_texts)
{
    struct drawn d;

    drawn_init(&d, slice_str(small), NULL, 1);
    cr_expect(!has(buf_slice(&d.png), "Source"));
    cr_expect(!has(buf_slice(&d.png), "Digest"));
    cr_expect(has(buf_slice(&d.png), "Flame Graph"));
    drawn_release(&d);
}

Test(output_png, too_large_is_refused)
{
    struct picture_options options = picture_defaults;
    struct buf out = {0}, why = {0};
    struct drawn d;

    options.look.width = 2000;
    drawn_init(&d, slice_str(small), &options, 1);
    buf_add_str(&out, "before");
    cr_expect(!png_write(&d.picture, 100, &out, &why));
    cr_expect_str_eq(buf_string(&out), "before");
    cr_expect_str_eq(buf_string(&why), "a picture of 200000 x 11800 pixels is too large");
    buf_release(&out);
    buf_release(&why);
    drawn_release(&d);
}

/* The background of a palette changes from one colour at the top to another at the bottom. */
Test(output_png, gradient)
{
    static const struct {
        const char *palette;
        bool dark;
        uint32_t top, bottom;
    } cases[] = {
        {"hot", false, 0xeeeeee, 0xeeeeb0}, {"mem", false, 0xeef2ee, 0xe0ffe0},
        {"io", false, 0xeeeeee, 0xe0e0ff},  {"red", false, 0xf8f8f8, 0xe8e8e8},
        {"io", true, 0x17191e, 0x1a2033},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct picture_options options = picture_defaults;
        struct image image;
        struct drawn d;

        options.colors.palette = palette_find(slice_str(cases[i].palette));
        options.look.theme = cases[i].dark ? THEME_DARK : THEME_LIGHT;
        drawn_init(&d, slice_str(small), &options, 1);
        cr_assert(image_init(&image, buf_slice(&d.png)));
        cr_expect_eq(image_get(&image, 0, 0), cases[i].top, "%s", cases[i].palette);
        cr_expect_eq(image_get(&image, 1199, image.height - 1), cases[i].bottom, "%s: %06x",
                     cases[i].palette, image_get(&image, 1199, image.height - 1));
        for (uint32_t y = 1; y < image.height; y++)
            cr_expect((image_get(&image, 1, y) >> 8 & 255) <=
                          (image_get(&image, 1, y - 1) >> 8 & 255) ||
                      cases[i].dark || i == 1);
        image_release(&image);
        drawn_release(&d);
    }
}

/* A user's own background is the same in light and dark, and its texts are readable. */
Test(output_png, own_ground)
{
    static const uint32_t colors[] = {0x000000, 0xffffff, 0x808080, 0x204060, 0xffe0e0};

    for (size_t i = 0; i < sizeof(colors) / sizeof(colors[0]); i++) {
        struct background own = {NULL, {colors[i], colors[i]}, {colors[i], colors[i]}};

        for (int dark = 0; dark < 2; dark++) {
            struct theme theme;

            theme_init(&theme, dark ? THEME_DARK : THEME_LIGHT, &own);
            cr_expect(theme.fixed && theme.background[0] == colors[i]);
            cr_expect(color_contrast(theme.ink, colors[i]) >= COLOR_MIN_CONTRAST, "%06x",
                      theme.ink);
            cr_expect(color_contrast(theme.muted, colors[i]) >= COLOR_MIN_CONTRAST, "%06x",
                      theme.muted);
        }
    }
}

/*
 * The ground of auto-neutral is the same whatever the palette, differs from light and dark pages by
 * a contrast of at least 1.5:1, and its texts are readable.
 */
Test(output_png, neutral_ground)
{
    static const uint32_t pages[] = {0xffffff, 0x0d1117, 0x1f1e24, 0x22272e, 0xf6f8fa};
    struct theme first = {0};

    for (size_t i = 0; backgrounds[i].name; i++) {
        struct theme theme;

        theme_init(&theme, THEME_AUTO_NEUTRAL, &backgrounds[i]);
        first = i ? first : theme;
        cr_expect(!theme.fixed && !theme.dark && !theme_has_gradient(&theme));
        cr_expect_eq(theme.background[0], first.background[0], "%s", backgrounds[i].name);
        cr_expect(color_contrast(theme.ink, theme.background[0]) >= COLOR_MIN_CONTRAST);
        cr_expect(color_contrast(theme.muted, theme.background[0]) >= COLOR_MIN_CONTRAST);
        cr_expect(color_contrast(theme.ink, theme.muted) > 1, "the title is darker");
    }
    for (size_t i = 0; i < sizeof(pages) / sizeof(pages[0]); i++)
        cr_expect(color_contrast(first.background[0], pages[i]) >= 1.5, "%06x", pages[i]);
}

/* The corner of the picture and the space between rows show the background. */
Test(output_png, ground)
{
    struct picture_options options = picture_defaults;

    for (int dark = 0; dark < 2; dark++) {
        struct image image;
        struct drawn d;

        options.look.theme = dark ? THEME_DARK : THEME_LIGHT;
        options.background = &backgrounds[0];
        drawn_init(&d, slice_str(small), &options, 1);
        cr_assert(image_init(&image, buf_slice(&d.png)));
        cr_expect_eq(image_get(&image, 0, 0), dark ? 0x17191e : 0xffffff);
        cr_expect_eq(image_get(&image, 1199, image.height - 1), image_get(&image, 0, 0));
        cr_expect_eq(image_get(&image, 600, d.picture.geometry.pad_top + 15),
                     image_get(&image, 0, 0));
        cr_expect_neq(image_get(&image, 600, d.picture.geometry.pad_top + 16),
                      image_get(&image, 0, 0));
        image_release(&image);
        drawn_release(&d);
    }
}
