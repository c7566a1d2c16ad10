/*
 * A PNG decoded by libpng's simplified interface and by a decoder of our own, for tests.
 */
#ifndef SUPPORT_IMAGE_H
#define SUPPORT_IMAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/slice.h"

struct image {
    uint32_t width, height;
    uint8_t *rgb;
};

/* Returns false if libpng refuses the PNG, or if support/inflate.h reads other pixels. */
bool image_init(struct image *image, struct slice png);
void image_release(struct image *image);

/* The pixel as 0xRRGGBB. */
static inline uint32_t image_get(const struct image *image, uint32_t x, uint32_t y)
{
    const uint8_t *p = image->rgb + ((size_t)y * image->width + x) * 3;

    return (uint32_t)p[0] << 16 | (uint32_t)p[1] << 8 | p[2];
}

/* Returns the first chunk of a type such as "pHYs"; empty if there is none. */
struct slice image_chunk(struct slice png, const char *type);

#endif
