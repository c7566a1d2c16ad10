#include "layout/background.h"

#include <stddef.h>

#include "base/num.h"

const struct background backgrounds[] = {
    {"white", {0xffffff, 0xffffff}, {0x17191e, 0x17191e}},
    {"grey", {0xf8f8f8, 0xe8e8e8}, {0x17191e, 0x1f2127}},
    {"yellow", {0xeeeeee, 0xeeeeb0}, {0x17191e, 0x24221a}},
    {"blue", {0xeeeeee, 0xe0e0ff}, {0x17191e, 0x1a2033}},
    {"green", {0xeef2ee, 0xe0ffe0}, {0x17191e, 0x18281e}},
    {NULL, {0}, {0}},
};

static bool parse_color(struct slice text, palette_color *color)
{
    uint64_t value;

    if (text.len != 7 || text.ptr[0] != '#' || !num_parse_hex(slice_skip(text, 1), &value))
        return false;
    *color = (palette_color)value;
    return true;
}

bool background_parse(struct slice text, struct background *b)
{
    palette_color color;

    for (size_t i = 0; backgrounds[i].name; i++) {
        if (slice_equal(text, slice_str(backgrounds[i].name))) {
            *b = backgrounds[i];
            return true;
        }
    }
    if (!parse_color(text, &color))
        return false;
    *b = (struct background){NULL, {color, color}, {color, color}};
    return true;
}

bool background_is_flat(const struct background *b, bool dark)
{
    const palette_color *ends = dark ? b->dark : b->light;

    return ends[BACKGROUND_TOP] == ends[BACKGROUND_BOTTOM];
}
