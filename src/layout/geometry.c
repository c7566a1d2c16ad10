#include "layout/geometry.h"

#include <math.h>

enum { PAD_X = 10 };

uint32_t geometry_drawable_width(uint32_t width)
{
    return (width > 4 * PAD_X ? width : 4 * PAD_X) - 2 * PAD_X;
}

void geometry_init(struct geometry *g, const struct layout *l,
                   const struct geometry_options *options)
{
    double font = options->font_size;
    uint32_t below = (uint32_t)lround(2 * font) + 10 + options->footer;
    uint64_t height;

    *g = (struct geometry){
        .options = *options,
        .total = l->total,
        .rows = l->rows,
        .below = l->below,
        .pad_x = PAD_X,
        .pad_top = (uint32_t)lround((options->subtitle ? 4.5 : 3) * font) + options->header,
        .width = options->width > 4 * PAD_X ? options->width : 4 * PAD_X,
    };
    height = g->pad_top + (uint64_t)g->rows * options->frame_height + below;
    g->height = height < INT32_MAX ? (uint32_t)height : INT32_MAX; /* writers refuse this height */
}

/*
 * Returns round(at * span / total), halves up. If the product exceeds 64 bits,
 * a slower wide division gives the same result.
 */
static int32_t scale(uint64_t at, uint32_t span, uint64_t total)
{
    if (total <= UINT64_MAX / 2 && at <= (UINT64_MAX - total) / (2 * (uint64_t)span))
        return (int32_t)((at * 2 * span + total) / (2 * total));
    return (int32_t)(((unsigned __int128)at * 2 * span + total) / ((unsigned __int128)total * 2));
}

struct rect geometry_box(const struct geometry *g, const struct box *box)
{
    const struct geometry_options *o = &g->options;
    uint32_t span = geometry_drawable_width(g->width);
    uint32_t line = box->callers ? g->below - box->depth : g->below + box->depth;
    uint32_t row = o->inverted ? line : g->rows - 1 - line;
    int32_t left = scale(box->start, span, g->total);
    int32_t right = scale(box->start + box->weight, span, g->total);

    return (struct rect){
        .x = (int32_t)g->pad_x + left,
        .y = (int32_t)(g->pad_top + row * o->frame_height),
        .width = right - left,
        .height = (int32_t)o->frame_height - 1,
    };
}
