#include "cli/look_make.h"

#include <string.h>

#include "cli/sink.h"

static enum svg_script find_script(const char *name)
{
    static const char *const words[] = {
        [SVG_SCRIPT_INLINE] = "inline",
        [SVG_SCRIPT_EXTERNAL] = "external",
        [SVG_SCRIPT_NONE] = "none",
    };

    for (unsigned i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        if (strcmp(name, words[i]) == 0)
            return (enum svg_script)i;
    BUG("--svg-script %s", name);
}

static enum change_width find_width(const char *name)
{
    return strcmp(name, "both") == 0   ? CHANGE_BY_BOTH
           : strcmp(name, "base") == 0 ? CHANGE_BY_BASE
                                       : CHANGE_BY_NEW;
}

struct look look_make(const struct options *o)
{
    struct look look = {
        .title = slice_str(o->title),
        .subtitle = slice_str(o->subtitle),
        .name_type = slice_str(o->name_type),
        .font_size = o->font_size,
        .width = o->width,
        .frame_height = o->height,
        .max_depth = o->max_depth,
        .min_width = o->min_width.value,
        .min_is_percent = o->min_width.percent,
        .sort = strcmp(o->sort, "weight") == 0 ? LAYOUT_BY_WEIGHT : LAYOUT_BY_NAME,
        .inverted = o->inverted,
        .flamechart = o->flamechart,
        .palette = o->colors ? palette_find(slice_str(o->colors)) : NULL,
        .spread = o->random         ? PALETTE_AT_RANDOM
                  : o->by_name_hash ? PALETTE_BY_ALPHABET
                                    : PALETTE_BY_HASH,
        .seed = o->seed,
        .dark = strcmp(o->theme, "dark") == 0,
        .width_by = find_width(o->width_by),
        .delta_of_total = strcmp(o->delta, "total") == 0,
        .hatch = o->hatch,
        .triple = o->triple,
        .pixel_ratios = o->pixel_ratios,
        .svg_script = find_script(o->svg_script),
        .svg_system_font = strcmp(o->svg_font, "system") == 0,
        .svg_max_size = o->svg_max_size,
        /* Hugo drops HTML that could choose between two PNGs, so its pages show the SVG. */
        .dark_beside = o->dark_images && strcmp(o->site, "hugo") != 0,
    };

    look.has_total = o->total && num_parse_decimal(slice_str(o->total), &look.total);
    look.has_background =
        o->background && background_parse(slice_str(o->background), &look.background);
    if (!label_mode_parse(slice_str(o->label), &look.label))
        BUG("--label %s", o->label);
    return look;
}

struct fonts *look_make_fonts(const struct options *o, struct diag *diag)
{
    struct fonts_options options = {
        .font = o->font, .directory = o->font_directory, .system = true};

    return fonts_new(&options, diag);
}

bool look_make_resources(struct resources *r, const struct options *o, struct console *console)
{
    bool ok = resources_init(r, o->color_map, o->name_attributes);

    console_show(console, &r->about_colors);
    console_show(console, &r->about_attributes);
    return ok;
}

bool look_make_save_colors(struct resources *r, const struct color_map *added,
                           struct console *console)
{
    struct buf text;
    bool ok;

    buf_init(&text);
    ok = !resources_update(r, added, &text) ||
         sink_write(console, r->colors_path, buf_slice(&text)) != SINK_FAILED;
    buf_release(&text);
    return ok;
}
