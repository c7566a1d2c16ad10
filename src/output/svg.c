#include "output/svg.h"

#include <stdlib.h>

#include "assets/asset.h"
#include "base/die.h"
#include "output/attributes.h"
#include "output/picture_change.h"
#include "output/stack.h"
#include "output/svg_data.h"
#include "output/xml.h"
#include "raster/color.h"
#include "raster/fill.h"

static void write_color(struct buf *out, const char *attribute, palette_color color)
{
    static const char hex[] = "0123456789abcdef";
    char text[7] = "#";

    for (int i = 0; i < 6; i++)
        text[i + 1] = hex[color >> (20 - 4 * i) & 15];
    buf_add_char(out, ' ');
    buf_add_str(out, attribute);
    buf_add_str(out, "=\"");
    buf_add(out, text, sizeof(text));
    buf_add_char(out, '"');
}

static void write_number(struct buf *out, const char *attribute, int64_t value)
{
    buf_add_char(out, ' ');
    buf_add_str(out, attribute);
    buf_add_str(out, "=\"");
    buf_add_i64(out, value);
    buf_add_char(out, '"');
}

/* A length in 26.6 as pixels with one decimal. */
static void write_length(struct buf *out, const char *attribute, int32_t length)
{
    int32_t tenths = (length * 10 + 32) / 64;

    buf_add_char(out, ' ');
    buf_add_str(out, attribute);
    buf_add_str(out, "=\"");
    buf_add_i64(out, tenths / 10);
    if (tenths % 10) {
        buf_add_char(out, '.');
        buf_add_i64(out, tenths % 10);
    }
    buf_add_char(out, '"');
}

static struct slice find_asset(const char *name)
{
    struct slice content;

    if (!asset_find(slice_str(name), &content))
        BUG("%s is not embedded", name);
    return content;
}

/*
 * Text with the width that it was fitted to, so that a reader without the font
 * sees it squeezed and not cut.
 */
static void write_text(const struct picture *p, struct buf *out, struct picture_text text)
{
    write_length(out, "textLength", text.width);
    buf_add_str(out, " lengthAdjust=\"spacingAndGlyphs\">");
    xml_write_shown(out, picture_slice(p, text));
    buf_add_str(out, "</text>");
}

/* The colour of an attribute: that for dark ground only where the ground is always dark. */
static palette_color on_ground(const struct picture *p, palette_color light, palette_color dark)
{
    return p->theme.fixed && p->theme.dark ? dark : light;
}

/* The colours of something for light and for dark ground; a fixed ground has but one. */
static void write_colors(const struct picture *p, struct buf *out, const char *attribute,
                         palette_color light, palette_color dark)
{
    write_color(out, attribute, on_ground(p, light, dark));
    if (!p->theme.fixed)
        write_color(out, "color", dark); /* what the style sheet fills with on dark ground */
}

static void write_stop(const struct picture *p, struct buf *out, unsigned offset, unsigned end)
{
    buf_printf(out, "<stop offset=\"%u%%\"", offset);
    write_colors(p, out, "stop-color", p->background.light[end], p->background.dark[end]);
    buf_add_str(out, "/>");
}

/* Its name is its background's, so that graphs that stand in one page may share it. */
static void write_ground(const struct picture *p, struct buf *out)
{
    const struct background *b = &p->background;

    if (background_is_flat(b, false) && background_is_flat(b, true)) {
        buf_add_str(out, "<rect class=\"ground\" width=\"100%\" height=\"100%\"");
        write_colors(p, out, "fill", b->light[BACKGROUND_TOP], b->dark[BACKGROUND_TOP]);
        buf_add_str(out, "/>\n");
        return;
    }
    buf_printf(out,
               "<linearGradient id=\"ground-%s-%lu\" gradientUnits=\"userSpaceOnUse\" x1=\"0\" "
               "y1=\"0\" x2=\"0\" y2=\"%lu\">",
               b->name, (unsigned long)p->geometry.height, (unsigned long)p->geometry.height);
    write_stop(p, out, BACKGROUND_FROM, BACKGROUND_TOP);
    write_stop(p, out, BACKGROUND_TO, BACKGROUND_BOTTOM);
    buf_printf(out,
               "</linearGradient>\n<rect class=\"ground\" width=\"100%%\" height=\"100%%\" "
               "fill=\"url(#ground-%s-%lu)\"/>\n",
               b->name, (unsigned long)p->geometry.height);
}

static void write_style(const struct picture *p, struct buf *out)
{
    if (p->options.svg_script == SVG_SCRIPT_EXTERNAL)
        return;
    buf_add_str(out, "<style>");
    buf_add_slice(out, find_asset("graph/style"));
    buf_add_str(out, "</style>\n");
}

static void write_size(struct buf *out, uint64_t width, uint64_t height)
{
    write_number(out, "width", (int64_t)width);
    write_number(out, "height", (int64_t)height);
    buf_printf(out, " viewBox=\"0 0 %llu %llu\"", (unsigned long long)width,
               (unsigned long long)height);
}

static void write_prolog(const struct picture *p, struct buf *out)
{
    buf_add_str(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    if (p->options.svg_script == SVG_SCRIPT_EXTERNAL)
        buf_add_str(out, "<?xml-stylesheet href=\"flamepress.css\"?>\n");
}

/* What those hear who do not see it. */
static void write_label(const struct picture *p, struct buf *out)
{
    struct slice title = p->options.title, view = p->options.view;
    struct buf label;

    buf_init(&label);
    buf_printf(&label, "%.*s%s%.*s", SLICE_ARG(title), view.len ? ", " : "", SLICE_ARG(view));
    xml_write_attribute(out, "aria-label", buf_slice(&label));
    buf_release(&label);
}

/* `y` is where it is among others. */
static void write_head(const struct picture *p, struct buf *out, uint64_t y)
{
    buf_add_str(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"flamepress");
    if (p->layout->tree->base)
        buf_add_str(out, " differential");
    if (p->theme.fixed)
        buf_add_str(out, " fixed");
    buf_add_str(out, "\" role=\"img\"");
    write_label(p, out);
    if (y)
        write_number(out, "y", (int64_t)y);
    write_size(out, p->geometry.width, p->geometry.height);
    buf_add_str(out, " font-family=\"'");
    xml_write_shown(out, fonts_family(p->fonts));
    buf_add_str(out, "','Roboto Condensed','DejaVu Sans Condensed','Arial Narrow',sans-serif\"");
    buf_printf(out, " font-size=\"%g\"", p->options.font_size);
    if (p->theme.fixed)
        write_color(out, "fill", p->theme.muted);
    buf_add_str(out, ">\n<title>");
    xml_write_shown(out, p->options.title);
    buf_add_str(out, "</title>\n");
    write_style(p, out);
    write_ground(p, out);
}

/* Graphs that stand in one page have the same hatchings, so they may share the names. */
static void write_hatchings(const struct picture *p, struct buf *out)
{
    static const struct {
        const char *name, *path, *color;
    } hatchings[] = {
        {"more", "M-1 1L1 -1M-1 7L7 -1M5 7L7 5", "#000"},
        {"less", "M-1 -1L7 7M-1 5L1 7M5 -1L7 1", "#000"},
        {"more-light", "M-1 1L1 -1M-1 7L7 -1M5 7L7 5", "#fff"},
        {"less-light", "M-1 -1L7 7M-1 5L1 7M5 -1L7 1", "#fff"},
    };

    if (!p->options.diverge.hatch || !p->layout->tree->base)
        return;
    for (size_t i = 0; i < sizeof(hatchings) / sizeof(hatchings[0]); i++)
        buf_printf(out,
                   "<pattern id=\"flame-%s\" patternUnits=\"userSpaceOnUse\" width=\"%d\" "
                   "height=\"%d\"><path d=\"%s\" stroke=\"%s\" stroke-opacity=\".43\"/>"
                   "</pattern>\n",
                   hatchings[i].name, FILL_HATCH_STEP, FILL_HATCH_STEP, hatchings[i].path,
                   hatchings[i].color);
}

/* In the colour of the text on `ground`. */
static void write_hatch(struct buf *out, const char *class, struct rect r, int hatch,
                        palette_color ground)
{
    if (!hatch)
        return;
    buf_printf(out, "<rect class=\"%s\"", class);
    write_number(out, "x", r.x);
    if (r.y)
        write_number(out, "y", r.y);
    write_number(out, "width", r.width);
    write_number(out, "height", r.height);
    buf_printf(out, " fill=\"url(#flame-%s%s)\"/>", hatch > 0 ? "more" : "less",
               color_text(ground) ? "-light" : "");
}

static void write_lines(const struct picture *p, struct buf *out)
{
    static const char *const classes[PICTURE_ROLES] = {
        [PICTURE_TITLE] = "title",
        [PICTURE_SUBTITLE] = "muted subtitle",
        [PICTURE_FACTS] = "muted facts",
        [PICTURE_LEGEND] = "muted legend",
    };
    struct theme theme;

    theme_init(&theme, false, &p->background); /* the style sheet has the other */
    vec_each (struct picture_line, line, &p->lines) {
        bool title = line->role == PICTURE_TITLE;

        buf_add_str(out, "<text");
        xml_write_attribute(out, "class", slice_str(classes[line->role]));
        write_number(out, "x", line->x);
        write_number(out, "y", line->baseline);
        if (title)
            buf_printf(out, " font-size=\"%g\"", picture_text_size(p, line->role));
        write_color(out, "fill", title ? theme.ink : theme.muted);
        write_text(p, out, line->text);
        buf_add_char(out, '\n');
    }
    vec_each (struct picture_swatch, swatch, &p->swatches) {
        buf_add_str(out, "<rect class=\"swatch\"");
        write_number(out, "x", swatch->rect.x);
        write_number(out, "y", swatch->rect.y);
        write_number(out, "width", swatch->rect.width);
        write_number(out, "height", swatch->rect.height);
        write_colors(p, out, "fill", swatch->color, swatch->dark);
        if (swatch->title.len) {
            buf_add_str(out, "><title>");
            xml_write(out, picture_slice(p, swatch->title));
            buf_add_str(out, "</title></rect>");
        } else {
            buf_add_str(out, "/>");
        }
        write_hatch(out, "swatch", swatch->rect, swatch->hatch, swatch->color);
        buf_add_char(out, '\n');
    }
}

/* What the user gives the function of a box, or NULL. */
static const struct attribute_set *given(const struct picture *p, struct slice name)
{
    return p->options.attributes ? attributes_find(p->options.attributes, name) : NULL;
}

/* The user's class and link, which are around all of a box. */
static void open_box(struct buf *out, const struct attribute_set *set)
{
    buf_add_str(out, "<g");
    if (set && set->values[ATTRIBUTE_CLASS].len)
        xml_write_attribute(out, "class", set->values[ATTRIBUTE_CLASS]);
    buf_add_char(out, '>');
    if (set && set->values[ATTRIBUTE_HREF].len) {
        struct slice target = set->values[ATTRIBUTE_TARGET];

        buf_add_str(out, "<a");
        xml_write_attribute(out, "href", set->values[ATTRIBUTE_HREF]);
        xml_write_attribute(out, "target", target.len ? target : SLICE("_top"));
        buf_add_char(out, '>');
    }
}

static void close_box(struct buf *out, const struct attribute_set *set)
{
    if (set && set->values[ATTRIBUTE_HREF].len)
        buf_add_str(out, "</a>");
    buf_add_str(out, "</g>\n");
}

static void write_title(const struct picture *p, struct buf *out, const struct box *box,
                        const struct attribute_set *set, struct buf *scratch)
{
    buf_add_str(out, "<title>");
    if (set && set->values[ATTRIBUTE_TITLE].len) {
        xml_write_shown(out, set->values[ATTRIBUTE_TITLE]);
    } else {
        xml_write_name(out, picture_name(p, box));
        buf_add_char(out, ' ');
        buf_clear(scratch);
        picture_write_share(p, box, scratch);
        xml_write_shown(out, buf_slice(scratch));
    }
    buf_add_str(out, "</title>");
}

static void write_box(const struct picture *p, struct buf *out, const struct picture_box *b,
                      struct buf *scratch)
{
    const struct box *box = &p->layout->boxes.items[b->box];
    const struct attribute_set *set = given(p, picture_name(p, box));
    palette_color ink = color_text(on_ground(p, b->color, b->dark));

    open_box(out, set);
    write_title(p, out, box, set, scratch);
    buf_add_str(out, "<rect");
    write_number(out, "x", b->rect.x);
    write_number(out, "width", b->rect.width);
    write_number(out, "height", b->rect.height);
    write_colors(p, out, "fill", b->color, b->dark);
    buf_add_str(out, "/>");
    write_hatch(out, "hatch", (struct rect){b->rect.x, 0, b->rect.width, b->rect.height},
                picture_change_hatch(p, box), b->color);
    if (b->label.len) {
        buf_add_str(out, "<text");
        write_number(out, "x", b->rect.x + PICTURE_LABEL_PAD);
        write_number(out, "y", p->baseline);
        if (ink)
            write_color(out, "fill", ink);
        write_text(p, out, b->label);
    }
    close_box(out, set);
}

/* A group for each row, its boxes placed relative to the row's top. */
static void write_boxes(const struct picture *p, struct buf *out)
{
    int32_t row = -1; /* the one that is open */
    struct buf scratch;

    buf_init(&scratch);
    buf_add_str(out, p->theme.fixed ? "<g class=\"frames\" fill=\"#000000\">\n"
                                    : "<g class=\"frames\">\n");
    vec_each (struct picture_box, b, &p->boxes) {
        if (b->rect.width < SVG_POINTABLE)
            continue;
        if (b->rect.y != row) {
            if (row >= 0)
                buf_add_str(out, "</g>\n");
            buf_printf(out, "<g transform=\"translate(0,%ld)\">\n", (long)b->rect.y);
            row = b->rect.y;
        }
        write_box(p, out, b, &scratch);
    }
    if (row >= 0)
        buf_add_str(out, "</g>\n");
    buf_add_str(out, "</g>\n");
    buf_release(&scratch);
}

struct thin {
    palette_color color;
    uint32_t box;
};

static int compare_thin(const void *a, const void *b)
{
    const struct thin *left = a, *right = b;

    if (left->color != right->color)
        return left->color < right->color ? -1 : 1;
    return left->box < right->box ? -1 : left->box > right->box;
}

/* Boxes one pixel wide are upright strokes; those of a colour are one path. */
static void write_strokes(const struct picture *p, struct buf *out, const struct thin *thin,
                          size_t count)
{
    int32_t height = (int32_t)p->options.frame_height - 1, x = 0, y = 0;

    for (size_t i = 0; i < count; i++) {
        struct rect r = p->boxes.items[thin[i].box].rect;

        if (!i || thin[i].color != thin[i - 1].color) {
            buf_add_str(out, i ? "\"/>\n<path" : "<path");
            write_colors(p, out, "stroke", thin[i].color, p->boxes.items[thin[i].box].dark);
            buf_printf(out, " d=\"M%ld.5 %ld", (long)r.x, (long)r.y);
        } else {
            buf_add_char(out, 'm');
            buf_add_i64(out, r.x - x);
            if (r.y >= y)
                buf_add_char(out, ' ');
            buf_add_i64(out, r.y - y);
        }
        buf_add_char(out, 'v');
        buf_add_i64(out, height);
        x = r.x;
        y = r.y + height;
    }
    if (count)
        buf_add_str(out, "\"/>\n");
}

static void write_thin(const struct picture *p, struct buf *out)
{
    VEC(struct thin) thin = {0};

    for (uint32_t i = 0; i < p->boxes.count; i++)
        if (p->boxes.items[i].rect.width < SVG_POINTABLE)
            *vec_add(&thin) = (struct thin){p->boxes.items[i].color, i};
    if (thin.count)
        qsort(thin.items, thin.count, sizeof(struct thin), compare_thin);
    buf_add_str(out, "<g class=\"thin\" fill=\"none\">\n");
    write_strokes(p, out, thin.items, thin.count);
    buf_add_str(out, "</g>\n");
    vec_release(&thin);
}

const struct svg_side svg_sides[] = {
    {"flamepress.js", "graph/script"},
    {"flamepress.css", "graph/style"},
};
const size_t svg_side_count = sizeof(svg_sides) / sizeof(svg_sides[0]);

struct slice svg_side_content(const struct svg_side *side)
{
    return find_asset(side->asset);
}

static void write_script(const struct picture *p, struct buf *out)
{
    if (p->options.svg_script == SVG_SCRIPT_NONE)
        return;
    if (p->options.svg_script == SVG_SCRIPT_EXTERNAL) {
        buf_add_str(out, "<script href=\"flamepress.js\"/>\n");
        return;
    }
    buf_add_str(out, "<script><![CDATA[");
    buf_add_slice(out, find_asset("graph/script"));
    buf_add_str(out, "]]></script>\n");
}

/* A graph, about `most` bytes of it. */
static void write_graph(const struct picture *p, struct buf *out, uint64_t y, size_t most)
{
    size_t start = out->len, used;
    struct buf tail;

    write_head(p, out, y);
    write_hatchings(p, out);
    write_lines(p, out);
    buf_add_str(out, "<g class=\"stage\">\n");
    write_boxes(p, out);
    write_thin(p, out);
    buf_add_str(out, "</g>\n");
    buf_init(&tail);
    write_script(p, &tail);
    buf_add_str(&tail, "</svg>\n");
    used = out->len - start + tail.len;
    if (p->options.svg_script != SVG_SCRIPT_NONE)
        svg_data_write(p, most > used ? most - used : 0, out);
    buf_add_slice(out, buf_slice(&tail));
    buf_release(&tail);
}

void svg_write(const struct picture *p, struct buf *out)
{
    size_t most = p->options.svg_max_size ? p->options.svg_max_size : SVG_MAX_SIZE;
    uint64_t y = 0;

    write_prolog(p, out);
    if (!p->below) {
        write_graph(p, out, 0, most);
        return;
    }
    buf_add_str(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"flamepress-stack\"");
    write_size(out, p->geometry.width, stack_height(p));
    buf_add_str(out, ">\n");
    for (; p; p = p->below) {
        write_graph(p, out, y, most / 3);
        y += p->geometry.height;
    }
    buf_add_str(out, "</svg>\n");
}
