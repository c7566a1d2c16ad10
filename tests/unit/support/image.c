#include "unit/support/image.h"

#include <png.h>
#include <string.h>

#include "base/die.h"
#include "support/inflate.h"

static uint32_t big_endian(const char *p)
{
    const unsigned char *b = (const unsigned char *)p;

    return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
}

/* Appends the content of all chunks of a type. */
static void add_chunks(struct buf *to, struct slice png, const char *type)
{
    for (struct slice rest = slice_skip(png, 8); rest.len >= 12;) {
        uint32_t len = big_endian(rest.ptr);

        if (memcmp(rest.ptr + 4, type, 4) == 0)
            buf_add_slice(to, slice_take(slice_skip(rest, 8), len));
        rest = slice_skip(rest, (size_t)len + 12);
    }
}

/* Undoes the filter of a row, whose byte is before it. */
static void unfilter(uint8_t *row, uint32_t width, bool first)
{
    for (uint32_t x = 0; x < width; x++) {
        if (row[-1] == 1 && x)
            row[x] = (uint8_t)(row[x] + row[x - 1]);
        else if (row[-1] == 2 && !first)
            row[x] = (uint8_t)(row[x] + row[x - (ptrdiff_t)width - 1]);
    }
}

/* Decodes the picture without libpng and zlib. Returns whether the pixels are the same. */
static bool is_plain(const struct image *image, struct slice png)
{
    struct buf data = {0}, rows = {0};
    struct slice palette = image_chunk(png, "PLTE");
    size_t stride = image->width + (size_t)1;
    bool same;

    add_chunks(&data, png, "IDAT");
    same = !inflate_plainly(buf_slice(&data), &rows) && rows.len == stride * image->height;
    for (uint32_t y = 0; same && y < image->height; y++) {
        uint8_t *row = (uint8_t *)rows.ptr + y * stride + 1;

        unfilter(row, image->width, y == 0);
        for (uint32_t x = 0; same && x < image->width; x++)
            same = row[x] < palette.len / 3 &&
                   memcmp(palette.ptr + row[x] * (size_t)3,
                          image->rgb + ((size_t)y * image->width + x) * 3, 3) == 0;
    }
    buf_release(&data);
    buf_release(&rows);
    return same;
}

bool image_init(struct image *image, struct slice png)
{
    png_image reader = {.version = PNG_IMAGE_VERSION};

    *image = (struct image){0};
    if (!png_image_begin_read_from_memory(&reader, png.ptr, png.len))
        return false;
    reader.format = PNG_FORMAT_RGB;
    image->width = reader.width;
    image->height = reader.height;
    image->rgb = xmalloc(PNG_IMAGE_SIZE(reader));
    return png_image_finish_read(&reader, NULL, image->rgb, 0, NULL) && is_plain(image, png);
}

void image_release(struct image *image)
{
    free(image->rgb);
}

struct slice image_chunk(struct slice png, const char *type)
{
    struct slice rest = slice_skip(png, 8);

    while (rest.len >= 12) {
        uint32_t len = big_endian(rest.ptr);

        if (memcmp(rest.ptr + 4, type, 4) == 0)
            return slice_take(slice_skip(rest, 8), len);
        rest = slice_skip(rest, (size_t)len + 12);
    }
    return slice_make(NULL, 0);
}
