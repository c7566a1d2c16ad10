/*
 * PNGs with chunks made by hand. tests/tickets reads those that the program draws.
 */

#include "input/core/inflate.h"
#include "output/deflate.h"
#include "unit/support/told.h"
#include "unit/support/test.h"

#define MAGIC "\x89PNG\r\n\x1a\n"
#define WORDS "version=1 decimals=0 name=cycles event=cycles unit=cycles"
#define LOST                                                                                       \
    "in: error: this picture of flamepress has lost its profile: the chunk was removed, as some "  \
    "ticket systems and image tools do, or an older flamepress drew it; ask for the original "     \
    "file or the SVG\nfailed\n"
#define NONE                                                                                       \
    "in: error: this PNG contains no profile: only pictures that flamepress drew do\nfailed\n"

static void add_u32(struct buf *out, uint32_t value)
{
    for (int shift = 24; shift >= 0; shift -= 8)
        buf_add_char(out, (char)(value >> shift));
}

static void add_chunk(struct buf *out, const char *type, struct slice data)
{
    size_t start = out->len + 4;

    add_u32(out, (uint32_t)data.len);
    buf_add_str(out, type);
    buf_add_slice(out, data);
    add_u32(out, inflate_crc(0, slice_skip(buf_slice(out), start)));
}

/* The profile "a 7", with the words in `words`. */
static void add_profile(struct buf *out, const char *words)
{
    struct buf data = {0};

    buf_printf(&data, "%s\n", words);
    deflate_bytes(&data, (struct deflate_parts){.text = slice_make("\1\1a\0\1\0\1\0\7\0\1", 11)});
    add_chunk(out, "flPr", buf_slice(&data));
    buf_release(&data);
}

static void start(struct buf *out)
{
    buf_clear(out);
    buf_add_str(out, MAGIC);
    add_chunk(out, "IHDR", SLICE("0123456789abc"));
}

/* A palette of `fills` fills, whose texts have `inks` colours. */
static void add_palette(struct buf *out, int fills, int inks)
{
    struct buf colors = {0};

    for (int f = 0; f < fills; f++)
        for (int i = 0; i < 8; i++)
            for (int c = 0; c < 3; c++)
                buf_add_char(&colors, (char)(200 + f - i * (20 + f % inks)));
    /* the last colour of a fill is that of its text: equal for all fills with the same ink */
    for (int f = 0; f < fills; f++)
        memset(colors.ptr + (f * 8 + 7) * 3, f % inks, 3);
    add_chunk(out, "PLTE", buf_slice(&colors));
    buf_release(&colors);
}

Test(input_own_png, profile)
{
    struct buf png = {0};

    start(&png);
    add_profile(&png, WORDS);
    add_chunk(&png, "IEND", SLICE(""));
    told_expect("profile", buf_slice(&png), NULL, "== cycles cycles\na 7\n");
    told_expect("cut after it", slice_take(buf_slice(&png), png.len - 12), NULL,
                "== cycles cycles\na 7\n");
    png.ptr[png.len - 20] ^= 1;
    told_expect(
        "damaged", buf_slice(&png), NULL,
        "in: error: the profile in the picture is damaged: its checksum is wrong\nfailed\n");
    buf_release(&png);
}

Test(input_own_png, refused)
{
    struct buf png = {0};

    start(&png);
    told_expect("a PNG", buf_slice(&png), NULL, NONE);
    add_chunk(&png, "iTXt", slice_make("Software\0\0\0\0\0flamepress 0.1", 27));
    told_expect("by its text", buf_slice(&png), NULL, LOST);
    add_chunk(&png, "iTXt", slice_make("Profile\0\0\0\0\0not embedded: so", 28));
    told_expect("with a reason", buf_slice(&png), NULL,
                "in: error: this picture of flamepress contains no profile; not embedded: so\n"
                "failed\n");
    start(&png);
    add_chunk(&png, "tEXt", slice_make("Software\0GIMP", 13));
    told_expect("another program", buf_slice(&png), NULL, NONE);
    start(&png);
    add_palette(&png, 32, 3);
    told_expect("by its palette", buf_slice(&png), NULL, LOST);
    start(&png);
    add_palette(&png, 32, 30);
    told_expect("another palette", buf_slice(&png), NULL, NONE);
    buf_release(&png);
}

/* Neither a cut nor a false length makes the reader read beyond the end. */
Test(input_own_png, cut)
{
    struct buf png = {0};
    struct reading r;

    start(&png);
    add_chunk(&png, "iTXt", SLICE("Software"));
    add_profile(&png, WORDS);
    for (size_t len = 8; len < png.len; len++) {
        reading_text(&r, slice_take(buf_slice(&png), len), NULL);
        cr_expect_eq(r.result, INPUT_FAILED, "%zu bytes", len);
        reading_release(&r);
    }
    start(&png);
    buf_add_str(&png, "\xff\xff\xff\xff"
                      "flPr");
    reading_text(&r, buf_slice(&png), NULL);
    cr_expect_eq(r.result, INPUT_FAILED);
    reading_release(&r);
    buf_release(&png);
}
