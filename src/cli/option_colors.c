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
    buf_printf(why, "no palette is called '%s'; it is one of:", value);
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
    buf_printf(why, "no background is called '%s'; it is #rrggbb or one of:", value);
    for (const struct background *b = backgrounds; b->name; b++) {
        suggest_offer(&near, b->name);
        buf_printf(why, " %s", b->name);
    }
    suggest_write(&near, "", why);
    return false;
}

bool option_colors_check(const struct options *o, struct diag *diag)
{
    if (o->by_name_hash && o->random)
        return diag_error(diag, "--hash and --random exclude each other");
    if (o->seed && !o->random)
        return diag_error(diag, "--seed is the seed of --random, which is not given");
    if (o->total && strcmp(o->scale, "common") == 0)
        return diag_error(diag, "--total is a scale of its own; --scale=common finds one");
    if (o->color_map && o->colors && strcmp(o->colors, "self") == 0)
        return diag_error(diag, "--cp remembers colours of names; those of --colors=self follow "
                                "weights");
    if (o->colors && strcmp(o->colors, "search") == 0 && !o->searches.count)
        return diag_error(diag, "--colors=search needs a named search: --search NAME=REGEX");
    return true;
}
