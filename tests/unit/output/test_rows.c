#include "output/rows.h"

#include <png.h>
#include <string.h>
#include <zlib.h>

#include "raster/fill.h"
#include "support/inflate.h"
#include "unit/support/test.h"

/* 100,000 pictures in PARTS, which run at the same time. */
enum { PARTS = 8, PICTURES = 100000 / PARTS };

static uint32_t next_random(uint64_t *state)
{
    *state ^= *state << 13, *state ^= *state >> 7, *state ^= *state << 17;
    return (uint32_t)(*state >> 20);
}

static void paint_boxes(struct pixmap *p, uint64_t *state)
{
    for (unsigned n = next_random(state) % 12; n; n--) {
        int32_t x = (int32_t)(next_random(state) % p->width),
                y = (int32_t)(next_random(state) % p->height);
        int32_t w = (int32_t)(next_random(state) % p->width),
                h = (int32_t)(next_random(state) % 20);

        fill_rect(p, (struct clip){x, y, x + w, y + h}, next_random(state) % PIXMAP_FILLS);
    }
}

/* Makes rows like text: short pieces of few values, each painted several times. */
static void paint_pieces(struct pixmap *p, uint64_t *state)
{
    uint32_t width = 1 + next_random(state) % 24;

    if (width > p->width)
        return;
    for (unsigned n = next_random(state) % 20; n; n--) {
        uint8_t *at = pixmap_row(p, next_random(state) % p->height) +
                      next_random(state) % (p->width - width + 1);

        for (uint32_t x = 0; x < width; x++)
            at[x] = (uint8_t)((at[x] & 0xf8) | (x * n & 7));
    }
}

static void paint_noise(struct pixmap *p, uint64_t *state)
{
    unsigned mask = next_random(state) % 256;

    for (size_t i = 0; i < (size_t)p->width * p->height; i++)
        p->pixels[i] = (uint8_t)(next_random(state) & mask);
}

static void paint_repeated_rows(struct pixmap *p, uint64_t *state)
{
    for (uint32_t y = 1; y < p->height; y++) {
        if (next_random(state) % 4)
            memcpy(pixmap_row(p, y), pixmap_row(p, next_random(state) % y), p->width);
    }
}

static void paint_random(struct pixmap *p, uint64_t *state)
{
    uint32_t wide = next_random(state) % 512 ? 40 : 3000;

    cr_assert(pixmap_init(p, 1 + next_random(state) % wide, 1 + next_random(state) % 24));
    if (next_random(state) % 4 == 0)
        paint_noise(p, state);
    if (next_random(state) % 4)
        paint_boxes(p, state);
    if (next_random(state) % 2)
        paint_pieces(p, state);
    if (next_random(state) % 2)
        paint_repeated_rows(p, state);
}

static void add_number(struct buf *out, uint32_t number)
{
    for (int shift = 24; shift >= 0; shift -= 8)
        buf_add_char(out, (char)(number >> shift & 255));
}

static void add_chunk(struct buf *out, const char *type, struct slice bytes)
{
    uint32_t sum = (uint32_t)crc32(0, (const Bytef *)type, 4);

    add_number(out, (uint32_t)bytes.len);
    buf_add(out, type, 4);
    buf_add_slice(out, bytes);
    add_number(out, (uint32_t)crc32(sum, (const Bytef *)bytes.ptr, (uInt)bytes.len));
}

/* Reads the rows with libpng, as a PNG whose bytes are shades of grey. */
static void expect_libpng(const struct pixmap *p, struct slice data)
{
    png_image reader = {.version = PNG_IMAGE_VERSION};
    size_t size = (size_t)p->width * p->height;
    uint8_t *pixels = xmalloc(size);
    struct buf file = {0}, header = {0};

    add_number(&header, p->width);
    add_number(&header, p->height);
    buf_add(&header, "\x08\0\0\0\0", 5);
    buf_add(&file, "\x89PNG\r\n\x1a\n", 8);
    add_chunk(&file, "IHDR", buf_slice(&header));
    add_chunk(&file, "IDAT", data);
    add_chunk(&file, "IEND", SLICE(""));
    cr_assert(png_image_begin_read_from_memory(&reader, file.ptr, file.len));
    reader.format = PNG_FORMAT_GRAY;
    cr_assert(png_image_finish_read(&reader, NULL, pixels, 0, NULL), "%s", reader.message);
    cr_assert_eq(reader.warning_or_error, 0, "%s", reader.message);
    cr_assert(memcmp(pixels, p->pixels, size) == 0);
    buf_release(&header);
    buf_release(&file);
    xfree(pixels);
}

/* Undoes the filters as the specification of PNG says, clause 9.2. */
static void expect_rows(const struct pixmap *p, uint8_t *bytes)
{
    for (uint32_t y = 0; y < p->height; y++) {
        uint8_t *row = bytes + y * (p->width + (size_t)1) + 1;

        for (uint32_t x = 0; x < p->width; x++) {
            if (row[-1] == 1)
                row[x] = (uint8_t)(row[x] + (x ? row[x - 1] : 0));
            else if (row[-1] == 2)
                row[x] = (uint8_t)(row[x] + (y ? row[x - (ptrdiff_t)p->width - 1] : 0));
        }
        cr_assert(memcmp(row, pixmap_row(p, y), p->width) == 0, "row %u", y);
    }
}

static void expect_picture(const struct pixmap *p)
{
    struct buf data = {0}, plain = {0};
    uLongf len = (uLongf)((p->width + (size_t)1) * p->height);
    uint8_t *other = xmalloc(len);
    const char *wrong;

    rows_pack(&data, p);
    wrong = inflate_plainly(buf_slice(&data), &plain);
    cr_assert(!wrong, "%s", wrong);
    cr_assert_eq(plain.len, len);
    cr_assert_eq(uncompress(other, &len, (Bytef *)data.ptr, (uLong)data.len), Z_OK);
    cr_assert(len == plain.len && memcmp(other, plain.ptr, len) == 0);
    expect_rows(p, other);
    expect_libpng(p, buf_slice(&data));
    buf_release(&data);
    buf_release(&plain);
    xfree(other);
}

static void random_pictures(unsigned part)
{
    for (unsigned i = 0; i < PICTURES; i++) {
        uint64_t state = (part * PICTURES + i) * 0x9e3779b97f4a7c15 + 1;
        struct pixmap p;

        paint_random(&p, &state);
        expect_picture(&p);
        pixmap_release(&p);
    }
}

#define RANDOM_PICTURES(PART)                                                                      \
    Test(output_rows, random_pictures_##PART)                                                      \
    {                                                                                              \
        random_pictures(PART);                                                                     \
    }
RANDOM_PICTURES(0)
RANDOM_PICTURES(1)
RANDOM_PICTURES(2)
RANDOM_PICTURES(3)
RANDOM_PICTURES(4)
RANDOM_PICTURES(5)
RANDOM_PICTURES(6)
RANDOM_PICTURES(7)

/* Sides at the limits, and pictures larger than the compressor's window. */
Test(output_rows, sizes)
{
    static const struct {
        uint32_t width, height;
    } cases[] = {{1, 1},
                 {1, 3000},
                 {PIXMAP_MAX_SIDE, 1},
                 {PIXMAP_MAX_SIDE, 9},
                 {2400, 900},
                 {17, PIXMAP_MAX_SIDE}};

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        uint64_t state = i + 1;
        struct pixmap p;

        cr_assert(pixmap_init(&p, cases[i].width, cases[i].height));
        for (int n = 0; n < 100; n++) {
            paint_boxes(&p, &state);
            paint_pieces(&p, &state);
        }
        expect_picture(&p);
        pixmap_release(&p);
    }
}

/* A row that equals the row above takes a few bytes, whatever it contains. */
Test(output_rows, equal_rows_are_small)
{
    uint64_t state = 1;
    struct buf one = {0}, many = {0};
    struct pixmap p;

    cr_assert(pixmap_init(&p, 2400, 101));
    for (uint32_t x = 0; x < p.width; x++)
        pixmap_row(&p, 0)[x] = (uint8_t)next_random(&state);
    for (uint32_t y = 1; y < p.height; y++)
        memcpy(pixmap_row(&p, y), pixmap_row(&p, 0), p.width);
    rows_pack(&many, &p);
    p.height = 1;
    rows_pack(&one, &p);
    cr_expect(many.len < one.len + 1600, "%zu bytes, one row %zu", many.len, one.len);
    buf_release(&one);
    buf_release(&many);
    pixmap_release(&p);
}
