/*
 * The PNG and the SVG show the same graph: both files are read and compared pixel
 * by pixel.
 */
#include <criterion/criterion.h>

#include "base/num.h"
#include "output/quantize.h"
#include "raster/pixmap.h"
#include "text/label.h"
#include "unit/support/drawn.h"
#include "unit/support/image.h"
#include "unit/support/markup.h"

/* What the SVG shows at each pixel, in CSS pixels. */
struct canvas {
    uint32_t width, height;
    uint32_t *color;
    uint32_t *box; /* the number of the box, 0 for the background */
    uint32_t boxes;
    struct pixmap text; /* drawn from the SVG's labels */
};

/* The PNG draws a gradient in steps: the 62 levels of the widest channel in sixteen. */
enum { GROUND_BOUND = 4 };

static uint32_t parse_color(struct slice text)
{
    uint64_t value = 0;

    cr_assert(slice_starts(text, SLICE("#")) && num_parse_hex(slice_skip(text, 1), &value));
    return (uint32_t)value;
}

static void put(struct canvas *c, int32_t x, int32_t y, int32_t width, int32_t height,
                uint32_t color)
{
    uint32_t number = ++c->boxes;

    cr_assert(x >= 0 && y >= 0 && x + width <= (int32_t)c->width &&
              y + height <= (int32_t)c->height);
    for (int32_t row = y; row < y + height; row++) {
        for (int32_t column = x; column < x + width; column++) {
            size_t at = (size_t)row * c->width + (size_t)column;

            cr_assert_eq(c->box[at], 0, "boxes overlap at %d,%d", column, row);
            c->color[at] = color;
            c->box[at] = number;
        }
    }
}

/* The y of translate(0,Y). */
static int32_t translation(const struct markup *m, const struct markup_element *group)
{
    struct slice text = markup_get(m, group, "transform");
    double y = 0;

    cr_assert(slice_starts(text, SLICE("translate(0,")) && slice_ends(text, SLICE(")")));
    cr_assert(num_parse_double(slice_make(text.ptr + 12, text.len - 13), &y));
    return (int32_t)y;
}

/* Returns the colour of an attribute on a light background, or the one beside it for dark. */
static uint32_t shown_color(const struct drawn *d, const struct markup *m,
                            const struct markup_element *e, const char *attribute)
{
    return parse_color(markup_get(m, e, d->picture.theme.dark ? "color" : attribute));
}

/*
 * The background as a browser fills it: one colour, or a gradient from the first stop to the
 * second.
 */
static void put_ground(struct canvas *c, const struct drawn *d, const struct markup *m,
                       const struct markup_element *ground)
{
    const struct markup_element *gradient = ground - 1;
    uint32_t from, to;

    while (!slice_equal(gradient->name, SLICE("linearGradient")) && gradient > m->elements.items)
        gradient--;
    if (slice_starts(markup_get(m, ground, "fill"), SLICE("#"))) {
        from = to = shown_color(d, m, ground, "fill");
    } else {
        cr_assert(markup_number(m, gradient, "y2") == (double)c->height);
        cr_assert(slice_equal(markup_get(m, gradient + 1, "offset"), SLICE("5%")));
        cr_assert(slice_equal(markup_get(m, gradient + 2, "offset"), SLICE("95%")));
        from = shown_color(d, m, gradient + 1, "stop-color");
        to = shown_color(d, m, gradient + 2, "stop-color");
    }
    for (uint32_t y = 0; y < c->height; y++) {
        double part = ((y + 0.5) / c->height - 0.05) / 0.9;
        uint32_t color = 0;

        part = part < 0 ? 0 : part > 1 ? 1 : part;
        for (unsigned shift = 0; shift < 24; shift += 8)
            color |=
                (uint32_t)((from >> shift & 255) * (1 - part) + (to >> shift & 255) * part + 0.5)
                << shift;
        for (uint32_t x = 0; x < c->width; x++)
            c->color[(size_t)y * c->width + x] = color;
    }
}

static void put_group(struct canvas *c, const struct drawn *d, const struct markup *m,
                      const struct markup_element *group)
{
    const struct markup_element *rect = markup_child(m, group, "rect");
    const struct markup_element *text = markup_child(m, group, "text");
    int32_t x = (int32_t)markup_number(m, rect, "x"), y;
    int32_t width = (int32_t)markup_number(m, rect, "width");
    int32_t height = (int32_t)markup_number(m, rect, "height");
    struct clip clip;

    y = translation(m, &m->elements.items[group->parent]);
    put(c, x, y, width, height, shown_color(d, m, rect, "fill"));
    if (!text)
        return;
    clip = (struct clip){x, y, x + width, y + height};
    label_draw(d->fonts, label_style(d->picture.options.font_size, 1), &c->text,
               (int32_t)markup_number(m, text, "x") * 64, y + (int32_t)markup_number(m, text, "y"),
               text->text, clip);
    cr_expect((int32_t)markup_number(m, text, "x") == x + 3);
    cr_expect(markup_number(m, text, "textLength") <= width - 6 + 0.06, "a label is too long");
    cr_expect(markup_number(m, text, "textLength") -
                  (double)label_width(d->fonts, label_style(12, 1), text->text) / 64 <
              0.06);
}

/* Reads a number of path data, "-12" or " 3.5". */
static int32_t path_number(struct slice *path)
{
    size_t len = 1;
    double value;

    while (len < path->len && strchr("0123456789.", path->ptr[len]))
        len++;
    cr_assert(num_parse_double(slice_trim(slice_take(*path, len)), &value), "%.*s",
              SLICE_ARG(*path));
    *path = slice_skip(*path, len);
    return (int32_t)(value < 0 ? value - 0.5 : value);
}

/* Reads "M10.5 36v15m3-15v15": vertical strokes one pixel wide. */
static void put_strokes(struct canvas *c, const struct drawn *d, const struct markup *m,
                        const struct markup_element *e)
{
    struct slice path = markup_get(m, e, "d");
    uint32_t color = shown_color(d, m, e, "stroke");
    int32_t x = 0, y = 0;

    while (path.len) {
        bool absolute = *path.ptr == 'M';
        int32_t dx, dy, height;

        path = slice_skip(path, 1);
        dx = path_number(&path);
        dy = path_number(&path);
        x = absolute ? dx : x + dx;
        y = absolute ? dy : y + dy;
        cr_assert(slice_starts(path, SLICE("v")));
        path = slice_skip(path, 1);
        height = path_number(&path);
        put(c, x, y, 1, height, color);
        y += height;
    }
}

static void read_canvas(struct canvas *c, const struct drawn *d)
{
    struct markup m;
    struct buf why = {0};

    cr_assert(markup_init(&m, buf_slice(&d->svg), &why), "%s", buf_string(&why));
    c->width = (uint32_t)markup_number(&m, m.elements.items, "width");
    c->height = (uint32_t)markup_number(&m, m.elements.items, "height");
    c->color = xcalloc((size_t)c->width * c->height, sizeof(*c->color));
    c->box = xcalloc((size_t)c->width * c->height, sizeof(*c->box));
    c->boxes = 0;
    cr_assert(pixmap_init(&c->text, c->width, c->height));
    vec_each (struct markup_element, e, &m.elements) {
        const struct markup_element *parent = &m.elements.items[e->parent];

        if (slice_equal(markup_get(&m, e, "class"), SLICE("ground")))
            put_ground(c, d, &m, e);
        else if (slice_equal(e->name, SLICE("g")) && e->depth == 4)
            put_group(c, d, &m, e);
        else if (slice_equal(e->name, SLICE("path")) &&
                 slice_equal(markup_get(&m, parent, "class"), SLICE("thin")))
            put_strokes(c, d, &m, e);
    }
    markup_release(&m);
    buf_release(&why);
}

static void release_canvas(struct canvas *c)
{
    free(c->color);
    free(c->box);
    pixmap_release(&c->text);
}

static bool is_near(uint32_t a, uint32_t b, int bound)
{
    for (int shift = 0; shift < 24; shift += 8)
        if (abs((int)(a >> shift & 255) - (int)(b >> shift & 255)) > bound)
            return false;
    return true;
}

/*
 * Compares the rows of frames pixel by pixel. The colour of a box in the PNG is that of its
 * pixels without text; text must be where the labels of the SVG, drawn again, have it.
 */
static void compare(const char *name, const struct drawn *d, const struct canvas *c,
                    const struct image *image, unsigned ratio)
{
    const struct geometry *g = &d->picture.geometry;
    uint32_t *fill = xcalloc(c->boxes + (size_t)1, sizeof(*fill));
    bool *known = xcalloc(c->boxes + (size_t)1, sizeof(*known));
    unsigned wrong = 0;

    cr_assert(image->width == c->width * ratio && image->height == c->height * ratio);
    for (uint32_t y = g->pad_top; y < g->pad_top + g->rows * d->picture.options.frame_height; y++) {
        for (uint32_t x = 0; x < c->width; x++) {
            size_t at = (size_t)y * c->width + x;
            uint32_t pixel = image_get(image, x * ratio, y * ratio), box = c->box[at];
            bool text = pixmap_row(&c->text, y)[x] % PIXMAP_LEVELS != 0;

            if (!box) {
                wrong += !is_near(pixel, c->color[at], GROUND_BOUND);
                continue;
            }
            if (!known[box]) {
                known[box] = true; /* the first pixel of a box, in a corner, has no text */
                fill[box] = pixel;
                wrong += !is_near(pixel, c->color[at], QUANTIZE_BOUND);
            }
            wrong += ratio == 1 && (pixel == fill[box]) == text;
        }
    }
    cr_expect_eq(wrong, 0, "%s at ratio %u: %u pixels differ", name, ratio, wrong);
    free(fill);
    free(known);
}

static void check(const char *name, struct slice folded, const struct picture_options *options)
{
    for (unsigned ratio = 1; ratio <= 2; ratio++) {
        struct drawn d;
        struct canvas c;
        struct image image;

        drawn_init(&d, folded, options, ratio);
        read_canvas(&c, &d);
        cr_assert(image_init(&image, buf_slice(&d.png)));
        cr_expect(c.boxes > 2, "%s: only %u boxes", name, c.boxes);
        compare(name, &d, &c, &image, ratio);
        image_release(&image);
        release_canvas(&c);
        drawn_release(&d);
    }
}

Test(output_agreement, random_graphs)
{
    for (uint64_t seed = 1; seed <= 4; seed++) {
        struct buf folded;

        graph_random(&folded, seed, 400, 14, 60);
        check("random", buf_slice(&folded), NULL);
        buf_release(&folded);
    }
}

Test(output_agreement, options)
{
    struct picture_options options = picture_defaults;
    struct buf folded;

    graph_random(&folded, 9, 300, 10, 40);
    options.inverted = true;
    options.subtitle = SLICE("a subtitle");
    check("inverted", buf_slice(&folded), &options);
    options = picture_defaults;
    options.colors = (struct palette_use){palette_find(SLICE("java")), PALETTE_BY_ALPHABET, 0};
    options.theme = THEME_DARK;
    options.width = 700;
    options.frame_height = 21;
    check("dark, by name", buf_slice(&folded), &options);
    options = picture_defaults;
    options.frame_height = 12;
    check("low rows", buf_slice(&folded), &options);
    options.frame_height = 8;
    check("rows too low for labels", buf_slice(&folded), &options);
    buf_release(&folded);
}

Test(output_agreement, labels_of_all_kinds)
{
    check("labels",
          SLICE("std::vector<std::string, std::allocator<std::string>>::push_back(x const&) 50\n"
                "io/netty/channel/AbstractChannelHandlerContext:.fireChannelRead_[j] 40\n"
                "\xe6\xbc\xa2\xe5\xad\x97_name 30\na<b>&c 20\nx 900\n- 5\n-- 5\n"),
          NULL);
}

Test(output_agreement, differential)
{
    check("differential", SLICE("a;b 10 30\na;c 60 20\na;d 7 7\ne 1 3\n"), NULL);
}
