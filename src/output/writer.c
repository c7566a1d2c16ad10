#include "output/writer.h"

#include <stddef.h>

#include "base/num.h"
#include "output/png.h"
#include "output/svg.h"

static bool write_svg(const struct picture *p, unsigned ratio, struct buf *out, struct buf *why)
{
    size_t start = out->len, most = p->options.look.svg_max_size;

    (void)ratio;
    svg_write(p, out);
    if (!most || out->len - start <= most)
        return true;
    buf_add_str(why, "the smallest possible SVG has ");
    num_write_grouped(why, out->len - start, 0);
    buf_add_str(why, " bytes, --svg-max-size allows ");
    num_write_grouped(why, most, 0);
    return false;
}

static const struct writer svg = {
    .name = "svg",
    .ending = ".svg",
    .about = "interactive: zoom and search in any browser",
    .write = write_svg,
};

static const struct writer png = {
    .name = "png",
    .ending = ".png",
    .about = "an image that pastes into a ticket",
    .by_ratio = true,
    .write = png_write,
};

const struct writer *const writers[] = {&svg, &png, NULL};

const struct writer *writer_find(struct slice name)
{
    for (size_t i = 0; writers[i]; i++)
        if (slice_equal(name, slice_str(writers[i]->name)))
            return writers[i];
    return NULL;
}

const struct writer *writer_for_path(struct slice path)
{
    for (size_t i = 0; writers[i]; i++)
        if (slice_ends(path, slice_str(writers[i]->ending)))
            return writers[i];
    return NULL;
}
