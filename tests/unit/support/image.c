#include "unit/support/image.h"

#include <png.h>

#include "base/die.h"

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
    return png_image_finish_read(&reader, NULL, image->rgb, 0, NULL) != 0;
}

void image_release(struct image *image)
{
    free(image->rgb);
}

static uint32_t big_endian(const char *p)
{
    const unsigned char *b = (const unsigned char *)p;

    return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
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
