/*
 * The PNG and the SVG show the same graph: both files are read and compared pixel
 * by pixel.
 */

#include "base/num.h"
#include "output/quantize.h"
#include "raster/pixmap.h"
#include "text/label.h"
#include "unit/support/drawn.h"
#include "unit/support/image.h"
#include "unit/support/markup.h"
#include "unit/support/test.h"

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

/* Reads the path of a box: "M10 724h1179v15H10". */
static struct rect read_box(const struct markup *m, const struct markup_element *box)
{
    static const char letters[] = "MyhvH"; /* y stands for the blank between two numbers */
    struct slice path = markup_get(m, box, "d");
    int32_t value[5];

    for (size_t i = 0; i < 5; i++) {
        cr_assert(path.len && *path.ptr == (i == 1 ? ' ' : letters[i]));
        path = slice_skip(path, i != 1);
        value[i] = path_number(&path);
    }
    cr_assert(!path.len && value[4] == value[0]);
    return (struct rect){value[0], value[1], value[2], value[3]};
}

static void check_label(const struct drawn *d, const struct markup *m,
                        const struct markup_element *text, int32_t width)
{
    double length = markup_number(m, text, "textLength");
    double shaped = (double)label_width(d->fonts, label_style(12, 1), text->text) / 64;

    if (!length) {
        cr_expect(shaped * 1.3 < width, "no textLength though other fonts may be wider");
        return;
    }
    cr_expect(length <= width + 0.06, "a label is too long");
    cr_expect(length - shaped < 0.06);
}

static void put_group(struct canvas *c, const struct drawn *d, const struct markup *m,
                      const struct markup_element *group)
{
    const struct markup_element *color = &m->elements.items[group->parent];
    const struct markup_element *text = markup_child(m, group, "text");
    struct rect r = read_box(m, markup_child(m, group, "path"));
    struct clip clip = {r.x, r.y, r.x + r.width, r.y + r.height};

    put(c, r.x, r.y, r.width, r.height, shown_color(d, m, color, "fill"));
    if (!text)
        return;
    label_draw(d->fonts, label_style(d->picture.options.look.font_size, 1), &c->text,
               (int32_t)markup_number(m, text, "x") * 64, (int32_t)markup_number(m, text, "y"),
               text->text, clip);
    cr_expect((int32_t)markup_number(m, text, "x") == r.x + 3);
    check_label(d, m, text, r.width - 6);
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
    for (uint32_t y = g->pad_top; y < g->pad_top + g->rows * d->picture.options.look.frame_height;
         y++) {
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
    options.look.inverted = true;
    options.look.subtitle = SLICE("a subtitle");
    check("inverted", buf_slice(&folded), &options);
    options = picture_defaults;
    options.colors = (struct palette_use){palette_find(SLICE("java")), PALETTE_BY_ALPHABET, 0};
    options.look.theme = THEME_DARK;
    options.look.width = 700;
    options.look.frame_height = 21;
    check("dark, by name", buf_slice(&folded), &options);
    options = picture_defaults;
    options.look.frame_height = 12;
    check("low rows", buf_slice(&folded), &options);
    options.look.frame_height = 8;
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
