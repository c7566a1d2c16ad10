#include "output/svg_font.h"

#include "output/deflate.h"
#include "text/portion.h"

static void write_font(struct slice file, struct buf *element)
{
    buf_add_str(element, "<metadata class=\"flame-font\">");
    deflate_write(element, file, SLICE(""));
    buf_add_str(element, "</metadata>\n");
}

/* Appends a font if it stays within `most` bytes; the first one else without the rarer letters. */
static void add_font(const struct portions *portions, size_t index, size_t most, struct buf *out)
{
    size_t start = out->len;

    for (int plain = 0; plain <= (index == 0); plain++) {
        if (!portions_write(portions, index, plain, write_font, out) || out->len <= most)
            return;
        out->len = start;
    }
}

void svg_font_write(const struct picture *p, const uint32_t *symbols, size_t count, struct buf *out)
{
    const struct symbols *names = &p->layout->tree->profile->symbols;
    size_t most = out->len + SVG_FONT_MOST;
    struct portions portions;

    portions_init(&portions, p->fonts);
    portions_add(&portions, buf_slice(&p->text));
    portions_add(&portions, p->options.name_type);
    for (size_t i = 0; i < count; i++)
        portions_add(&portions, symbol_name(names, symbols[i]));
    for (size_t i = 0; i < portions.items.count; i++)
        add_font(&portions, i, most, out);
    portions_release(&portions);
}
