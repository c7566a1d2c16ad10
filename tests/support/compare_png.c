/*
 * Compares two PNGs as pixels.
 *
 *     compare_png WANT GOT LEVEL SHARE PICTURE
 *
 * A pixel differs if a channel differs by more than LEVEL (0 to 255). The two
 * are equal if they have the same size and at most SHARE per cent of the pixels
 * differ. Otherwise prints a line on stdout, writes PICTURE, which shows one above
 * the other and below them each differing pixel in black, and exits with status 1.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <png.h>

enum { CHANNELS = 3 };

struct image {
    uint32_t width, height;
    uint8_t *pixels;
};

static struct image read_image(const char *path)
{
    png_image png = {.version = PNG_IMAGE_VERSION};
    struct image image;

    if (!png_image_begin_read_from_file(&png, path)) {
        printf("%s: %s\n", path, png.message);
        exit(2);
    }
    png.format = PNG_FORMAT_RGB;
    image.width = png.width;
    image.height = png.height;
    image.pixels = malloc(PNG_IMAGE_SIZE(png));
    if (!image.pixels || !png_image_finish_read(&png, NULL, image.pixels, 0, NULL)) {
        printf("%s: %s\n", path, png.message);
        exit(2);
    }
    return image;
}

/*
 * Returns a map with pixels that differ by more than `level` in black and others in white. Sets
 * `count` to the number of the former and `most` to the largest difference.
 */
static uint8_t *difference(const struct image *want, const struct image *got, int level,
                           size_t *count, int *most)
{
    size_t pixels = (size_t)want->width * want->height;
    uint8_t *map = malloc(pixels * CHANNELS);

    *count = 0;
    *most = 0;
    if (!map)
        exit(2);
    for (size_t i = 0; i < pixels; i++) {
        int far = 0;

        for (size_t c = i * CHANNELS; c < (i + 1) * CHANNELS; c++) {
            int d = abs(want->pixels[c] - got->pixels[c]);

            far = d > far ? d : far;
        }
        *most = far > *most ? far : *most;
        *count += far > level;
        memset(map + i * CHANNELS, far > level ? 0 : 255, CHANNELS);
    }
    return map;
}

static void write_picture(const char *path, const struct image *want, const struct image *got,
                          const uint8_t *map)
{
    size_t size = (size_t)want->width * want->height * CHANNELS;
    png_image png = {.version = PNG_IMAGE_VERSION,
                     .width = want->width,
                     .height = want->height * 3,
                     .format = PNG_FORMAT_RGB};
    uint8_t *all = malloc(size * 3);

    if (!all)
        exit(2);
    memcpy(all, want->pixels, size);
    memcpy(all + size, got->pixels, size);
    memcpy(all + 2 * size, map, size);
    if (!png_image_write_to_file(&png, path, 0, all, 0, NULL))
        printf("%s: %s\n", path, png.message);
    free(all);
}

int main(int argc, char **argv)
{
    struct image want, got;
    double share;
    uint8_t *map;
    size_t count;
    int most, equal;

    if (argc != 6) {
        fprintf(stderr, "usage: compare_png WANT GOT LEVEL SHARE PICTURE\n");
        return 2;
    }
    want = read_image(argv[1]);
    got = read_image(argv[2]);
    if (want.width != got.width || want.height != got.height) {
        printf("%u x %u pixels, %u x %u were wanted\n", got.width, got.height, want.width,
               want.height);
        return 1;
    }
    map = difference(&want, &got, atoi(argv[3]), &count, &most);
    share = 100.0 * (double)count / ((double)want.width * want.height);
    equal = share <= strtod(argv[4], NULL);
    if (!equal) {
        printf("%.3f %% of the pixels differ, by up to %d levels; %s %% may, by more than %s\n",
               share, most, argv[4], argv[3]);
        write_picture(argv[5], &want, &got, map);
    }
    free(map);
    free(want.pixels);
    free(got.pixels);
    return !equal;
}
