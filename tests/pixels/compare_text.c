/*
 * Draws our labels and compares them with the browser's, for `make compare-text`.
 *
 *     compare_text page FONT                     a page with the table's labels in the font FONT
 *     compare_text compare RATIO SHOT PICTURE    measures the screenshot SHOT of that page against
 *                                                our own drawing at that pixel ratio and writes
 *                                                both to PICTURE, enlarged, ours above the other
 *
 * A label's ink, in pixels, is the sum of its darkness: how far each pixel is from the background
 * towards the text's colour, 0 to 1. Its contrast is the sum of the differences between neighbours
 * in a row; sharper letters have more. The difference of two pictures is the sum of the differences
 * in ink, pixel by pixel, as a share of the ink; the browser may put the baseline a row or two
 * higher or lower.
 */
#include <math.h>
#include <stdlib.h>

#include <png.h>

#include "base/num.h"
#include "raster/color.h"
#include "raster/fill.h"
#include "text/label.h"

enum { WIDTH = 360, ROW = 20, LEFT = 6, ENLARGED = 4 };

/*
 * The picture must have between these shares of the browser's ink and contrast, and end within a
 * pixel of the browser's text.
 */
static const double least_ink = 0.95, most_ink = 1.05;
static const double least_contrast = 0.93, most_contrast = 1.07;

static const double most_different = 0.11;

struct sample {
    const char *text;
    double size; /* CSS pixels */
    uint32_t fill;
};

static const struct sample samples[] = {
    {"mysqld`JOIN::exec", 12, 0xfa8b32},
    {"std::vector<int>::push_back", 12, 0xe66d2a},
    {"java/util/HashMap.putVal", 12, 0xf0c83c},
    {"__libc_start_call_main", 12, 0xffe055},
    {"entry_SYSCALL_64_after_hwframe", 12, 0xeb9b1e},
    {"net/http.(*conn).serve", 12, 0xdc5a1e},
    {"do_syscall_64", 12, 0xff0000},
    {"illicit WAVEFORM 0123456789", 12, 0xffffff},
    {"ext4_file_write_iter", 12, 0xc8c8c8},
    {"clear_page_erms", 12, 0xcd1e14},
    {"GC_mark_from", 12, 0x2d5aa0},
    {"PyEval_EvalFrameDefault", 12, 0x303040},
    {"start_thread", 12, 0x000000},
    {"swapper/0 [unknown]", 11, 0xf5af46},
    {"Flame Graph: mysqld on-CPU", 17, 0xffffff},
    {"Flame Graph: mysqld on-CPU", 17, 0x1e1e28},
};

enum { SAMPLES = sizeof(samples) / sizeof(samples[0]) };

static void write_page(const char *font)
{
    printf("<!DOCTYPE html><meta charset=utf-8><style>@font-face{font-family:probe;"
           "src:url('file://%s')}html,body{margin:0;background:#fff}"
           "div{width:%dpx;height:%dpx;line-height:%dpx;text-indent:%dpx;font-family:probe;"
           "white-space:pre;overflow:hidden;font-variant-ligatures:none}</style>\n",
           font, WIDTH, ROW, ROW, LEFT);
    for (size_t i = 0; i < SAMPLES; i++) {
        printf("<div style='font-size:%gpx;background:#%06x;color:#%06x'>", samples[i].size,
               samples[i].fill, color_text(samples[i].fill));
        for (const char *c = samples[i].text; *c; c++) {
            if (*c == '<')
                printf("&lt;");
            else
                putchar(*c);
        }
        printf("</div>\n");
    }
}

/* Pixels as 0xRRGGBB. */
struct image {
    uint32_t width, height;
    uint32_t *pixels;
};

static struct image read_shot(const char *path)
{
    png_image png = {.version = PNG_IMAGE_VERSION};
    struct image image = {0};

    if (!png_image_begin_read_from_file(&png, path))
        die("%s: %s", path, png.message);
    png.format = PNG_FORMAT_BGRA;
    image.width = png.width;
    image.height = png.height;
    image.pixels = xcalloc((size_t)png.width * png.height, 4);
    if (!png_image_finish_read(&png, NULL, image.pixels, 0, NULL))
        die("%s: %s", path, png.message);
    for (size_t i = 0; i < (size_t)png.width * png.height; i++)
        image.pixels[i] &= 0xffffff;
    return image;
}

static void write_picture(const char *path, const struct image *image)
{
    png_image png = {.version = PNG_IMAGE_VERSION,
                     .width = image->width,
                     .height = image->height,
                     .format = PNG_FORMAT_BGRA};

    for (size_t i = 0; i < (size_t)image->width * image->height; i++)
        image->pixels[i] |= 0xff000000;
    if (!png_image_write_to_file(&png, path, 0, image->pixels, 0, NULL))
        die("%s: %s", path, png.message);
}

/* Draws one sample as the program does, in the colours of the sample. */
static struct image draw_sample(struct fonts *f, const struct sample *s, double ratio)
{
    struct label_style style = label_style(s->size, ratio);
    struct image image = {(uint32_t)(WIDTH * ratio), (uint32_t)(ROW * ratio), NULL};
    struct pixmap p;

    if (!pixmap_init(&p, image.width, image.height))
        BUG("a sample is too large");
    image.pixels = xcalloc((size_t)image.width * image.height, 4);
    label_draw(f, style, &p, (int32_t)(LEFT * ratio * 64),
               label_baseline(f, style, 0, (int32_t)image.height), slice_str(s->text),
               pixmap_bounds(&p));
    for (uint32_t y = 0; y < image.height; y++) {
        for (uint32_t x = 0; x < image.width; x++)
            image.pixels[y * image.width + x] =
                color_blend(s->fill, color_text(s->fill), pixmap_row(&p, y)[x]);
    }
    pixmap_release(&p);
    return image;
}

/* Returns how far a pixel is from the background towards the text, 0 to 1. */
static double darkness(uint32_t pixel, uint32_t fill)
{
    uint32_t text = color_text(fill);
    double far = 0, all = 0;

    for (unsigned shift = 0; shift < 24; shift += 8) {
        far += fabs((double)(pixel >> shift & 255) - (double)(fill >> shift & 255));
        all += fabs((double)(text >> shift & 255) - (double)(fill >> shift & 255));
    }
    return far / all;
}

struct measure {
    double ink, contrast;
    double right; /* the last column with ink */
};

static struct measure measure(const struct image *image, uint32_t top, uint32_t height,
                              uint32_t fill)
{
    struct measure m = {0};

    for (uint32_t y = top; y < top + height; y++) {
        double before = 0;

        for (uint32_t x = 0; x < image->width; x++) {
            double here = darkness(image->pixels[(size_t)y * image->width + x], fill);

            m.ink += here;
            m.contrast += fabs(here - before);
            before = here;
            if (here > 0.1 && x > m.right)
                m.right = x;
        }
    }
    return m;
}

/* Returns the ink by which the pictures differ if `shot` is moved down by `down` rows. */
static double difference_at(const struct image *mine, const struct image *shot, uint32_t top,
                            uint32_t fill, int down)
{
    double sum = 0;

    for (int y = 2; y < (int)mine->height - 2; y++) {
        const uint32_t *a = mine->pixels + (size_t)y * mine->width;
        const uint32_t *b = shot->pixels + (size_t)((int)top + y - down) * shot->width;

        for (uint32_t x = 0; x < mine->width; x++)
            sum += fabs(darkness(a[x], fill) - darkness(b[x], fill));
    }
    return sum;
}

static double difference(const struct image *mine, const struct image *shot, uint32_t top,
                         uint32_t fill)
{
    double least = INFINITY;

    for (int down = -2; down <= 2; down++)
        least = fmin(least, difference_at(mine, shot, top, fill, down));
    return least;
}

/* Copies rows of `from` into the enlarged picture, at row `at` of that picture. */
static void enlarge(struct image *to, uint32_t at, const struct image *from, uint32_t top,
                    uint32_t height)
{
    for (uint32_t y = 0; y < height * ENLARGED; y++) {
        for (uint32_t x = 0; x < to->width; x++)
            to->pixels[(size_t)(at * ENLARGED + y) * to->width + x] =
                from->pixels[(size_t)(top + y / ENLARGED) * from->width + x / ENLARGED];
    }
}

static bool is_within(double value, double least, double most)
{
    return value >= least && value <= most;
}

static int compare(double ratio, const char *shot_path, const char *picture_path)
{
    struct diag d;
    struct image shot = read_shot(shot_path);
    uint32_t row = (uint32_t)(ROW * ratio);
    uint32_t width = (uint32_t)(WIDTH * ratio);
    struct image both = {width * ENLARGED, row * 2 * SAMPLES * ENLARGED, NULL};
    unsigned failed = 0;

    if (shot.width < width || shot.height < row * SAMPLES)
        die("%s is smaller than the page", shot_path);
    both.pixels = xcalloc((size_t)both.width * both.height, 4);
    diag_init(&d, slice_str(NULL));
    struct fonts *f = fonts_new(NULL, &d);

    for (uint32_t i = 0; i < SAMPLES; i++) {
        const struct sample *s = &samples[i];
        struct image mine = draw_sample(f, s, ratio);
        struct measure a = measure(&mine, 0, row, s->fill);
        struct measure b = measure(&shot, i * row, row, s->fill);
        double ink = a.ink / b.ink;
        double contrast = a.contrast / b.contrast;
        double differs = difference(&mine, &shot, i * row, s->fill) / b.ink;
        bool good = is_within(ink, least_ink, most_ink) &&
                    is_within(contrast, least_contrast, most_contrast) &&
                    is_within(a.right - b.right, -1, 1) && differs <= most_different;

        failed += !good;
        printf("%s @%g %2gpx on #%06x  ink %.3f  contrast %.3f  width %+.0f  "
               "different %.3f  %s\n",
               good ? "    " : "FAIL", ratio, s->size, s->fill, ink, contrast, a.right - b.right,
               differs, s->text);
        enlarge(&both, i * 2 * row, &mine, 0, row);
        enlarge(&both, (i * 2 + 1) * row, &shot, i * row, row);
        free(mine.pixels);
    }
    write_picture(picture_path, &both);
    printf("%u passed, %u failed\n", SAMPLES - failed, failed);
    fonts_free(f);
    diag_release(&d);
    free(both.pixels);
    free(shot.pixels);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
    double ratio;

    if (argc == 3 && strcmp(argv[1], "page") == 0) {
        write_page(argv[2]);
        return EXIT_SUCCESS;
    }
    if (argc == 5 && strcmp(argv[1], "compare") == 0 &&
        num_parse_double(slice_str(argv[2]), &ratio))
        return compare(ratio, argv[3], argv[4]);
    fprintf(stderr, "usage: compare_text page FONT | compare RATIO SHOT PICTURE\n");
    return 2;
}
