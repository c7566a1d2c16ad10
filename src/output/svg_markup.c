#include "output/svg_markup.h"

#include "output/xml.h"
#include "raster/color.h"

/*
 * The average width of a character that no common font exceeds in the names of functions, in ems.
 * Monospaced fonts have 0.6; Verdana has 0.65 in capital letters.
 */
#define EMS_WIDE 0.7

void svg_markup_color(struct buf *out, const char *attribute, palette_color color)
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

void svg_markup_number(struct buf *out, const char *attribute, int64_t value)
{
    buf_add_char(out, ' ');
    buf_add_str(out, attribute);
    buf_add_str(out, "=\"");
    buf_add_i64(out, value);
    buf_add_char(out, '"');
}

/* Appends a length, given in 26.6, in pixels with one decimal. */
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

void svg_markup_text(const struct picture *p, struct buf *out, struct picture_text text)
{
    write_length(out, "textLength", text.width);
    buf_add_str(out, " lengthAdjust=\"spacingAndGlyphs\">");
    xml_write_shown(out, picture_slice(p, text));
    buf_add_str(out, "</text>");
}

/* True if the text consists of ASCII characters, which all fonts have. */
static bool is_ascii(struct slice text)
{
    for (size_t i = 0; i < text.len; i++)
        if ((unsigned char)text.ptr[i] > 126)
            return false;
    return true;
}

void svg_markup_label(const struct picture *p, struct buf *out, struct picture_text text,
                      int32_t room)
{
    struct slice shown = picture_slice(p, text);

    if (!is_ascii(shown) || (double)shown.len * p->options.look.font_size * EMS_WIDE > room) {
        svg_markup_text(p, out, text);
        return;
    }
    buf_add_char(out, '>');
    xml_write_shown(out, shown);
    buf_add_str(out, "</text>");
}

palette_color svg_markup_on_background(const struct picture *p, palette_color light,
                                       palette_color dark)
{
    return p->theme.fixed && p->theme.dark ? dark : light;
}

void svg_markup_colors(const struct picture *p, struct buf *out, const char *attribute,
                       palette_color light, palette_color dark)
{
    svg_markup_color(out, attribute, svg_markup_on_background(p, light, dark));
    if (!p->theme.fixed)
        svg_markup_color(out, "color", dark); /* the style sheet's fill on dark background */
}

void svg_markup_hatch(struct buf *out, const char *class, struct rect r, int hatch,
                      palette_color background)
{
    if (!hatch)
        return;
    buf_printf(out, "<rect class=\"%s\"", class);
    svg_markup_number(out, "x", r.x);
    if (r.y)
        svg_markup_number(out, "y", r.y);
    svg_markup_number(out, "width", r.width);
    svg_markup_number(out, "height", r.height);
    buf_printf(out, " fill=\"url(#flame-%s%s)\"/>", hatch > 0 ? "more" : "less",
               color_text(background) ? "-light" : "");
}
