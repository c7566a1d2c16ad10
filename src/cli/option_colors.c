#include "cli/option_colors.h"

#include <string.h>

#include "base/suggest.h"
#include "layout/background.h"
#include "layout/palette.h"

bool option_colors_palette(const char *value, struct buf *why)
{
    struct suggest near;

    if (palette_find(slice_str(value)))
        return true;
    suggest_init(&near, value);
    buf_printf(why, "invalid value '%s', expected one of:", value);
    for (const struct palette *const *p = palettes; *p; p++) {
        suggest_offer(&near, (*p)->name);
        buf_printf(why, " %s", (*p)->name);
    }
    suggest_write(&near, "", why);
    return false;
}

bool option_colors_ground(const char *value, struct buf *why)
{
    struct background background;
    struct suggest near;

    if (background_parse(slice_str(value), &background))
        return true;
    suggest_init(&near, value);
    buf_printf(why, "invalid value '%s', expected #rrggbb or one of:", value);
    for (const struct background *b = backgrounds; b->name; b++) {
        suggest_offer(&near, b->name);
        buf_printf(why, " %s", b->name);
    }
    suggest_write(&near, "", why);
    return false;
}
