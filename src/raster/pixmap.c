#include "raster/pixmap.h"

#include <stdlib.h>

#include "base/die.h"

bool pixmap_init(struct pixmap *p, uint32_t width, uint32_t height)
{
    *p = (struct pixmap){0};
    if (width == 0 || height == 0 || width > PIXMAP_MAX_SIDE || height > PIXMAP_MAX_SIDE)
        return false;
    if ((uint64_t)width * height > PIXMAP_MAX_BYTES)
        return false;
    p->width = width;
    p->height = height;
    p->stride = width;
    p->pixels = xcalloc((size_t)width * height + PIXMAP_SLACK, 1);
    return true;
}

void pixmap_release(struct pixmap *p)
{
    free(p->pixels);
    *p = (struct pixmap){0};
}

struct clip pixmap_bounds(const struct pixmap *p)
{
    return (struct clip){0, 0, (int32_t)p->width, (int32_t)p->height};
}

struct clip pixmap_intersect(struct clip a, struct clip b)
{
    return (struct clip){
        .left = a.left > b.left ? a.left : b.left,
        .top = a.top > b.top ? a.top : b.top,
        .right = a.right < b.right ? a.right : b.right,
        .bottom = a.bottom < b.bottom ? a.bottom : b.bottom,
    };
}
