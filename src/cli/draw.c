#include "cli/draw.h"

#include <string.h>

#include "base/num.h"
#include "cli/help.h"
#include "cli/kind.h"
#include "cli/load.h"
#include "cli/option_colors.h"
#include "tree/digest.h"

struct fonts *draw_fonts(const struct options *o, struct diag *diag)
{
    struct fonts_options options = {
        .font = o->font, .directory = o->font_directory, .system = true};

    return fonts_new(&options, diag);
}

void draw_warn_missing(struct fonts *fonts, struct diag *diag)
{
    struct fonts_chars missing = {0};

    fonts_missing(fonts, &missing);
    vec_each (uint32_t, c, &missing)
        diag_add(diag, DIAG_WARNING, DIAG_AT_FILE,
                 "no font has the character U+%04X; it is drawn as a box (--font, --font-dir)",
                 (unsigned)*c);
    vec_release(&missing);
}

/* --total in the tree's units, or 0 for the tree's own weight. */
static uint64_t common_total(const struct options *o, const struct tree *t, struct diag *diag)
{
    struct decimal total;
    uint64_t weight;
    unsigned decimals = t->profile->decimals;

    if (!o->total || !num_parse_decimal(slice_str(o->total), &total))
        return 0;
    if (total.decimals > decimals)
        weight = total.value / num_pow10(total.decimals - decimals);
    else if (!num_mul(total.value, num_pow10(decimals - total.decimals), &weight))
        weight = UINT64_MAX;
    if (weight >= tree_weight(t))
        return weight;
    diag_add(diag, DIAG_WARNING, DIAG_AT_FILE,
             "--total %s is less than the weight of the graph and is not used", o->total);
    return 0;
}

static struct slice digest_text(struct arena *memory, const struct tree *t)
{
    struct buf digest;
    struct slice copy;

    buf_init(&digest);
    tree_digest(t, &digest);
    copy = arena_copy(memory, buf_slice(&digest));
    buf_release(&digest);
    return copy;
}

enum svg_script draw_svg_script(const struct options *o)
{
    static const char *const words[] = {
        [SVG_SCRIPT_INLINE] = "inline",
        [SVG_SCRIPT_EXTERNAL] = "external",
        [SVG_SCRIPT_NONE] = "none",
    };

    for (unsigned i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        if (strcmp(o->svg_script, words[i]) == 0)
            return (enum svg_script)i;
    BUG("--svg-script %s", o->svg_script);
}

/* With --negate the files have changed their roles, and the widths stay as they are. */
static enum change_width width_by(const struct options *o)
{
    if (strcmp(o->width_by, "both") == 0)
        return CHANGE_BY_BOTH;
    return (strcmp(o->width_by, "base") == 0) != o->negate ? CHANGE_BY_BASE : CHANGE_BY_NEW;
}

void draw_init(struct drawing *d, const struct options *o, const struct tree *t,
               struct fonts *fonts, struct slice source, struct slice title, struct diag *diag)
{
    const struct series *s = &t->profile->series.items[t->series];
    struct layout_options layout = {
        .sort = strcmp(o->sort, "weight") == 0 ? LAYOUT_BY_WEIGHT : LAYOUT_BY_NAME,
        .total = common_total(o, t, diag),
        .min_width = o->min_width.value,
        .min_is_percent = o->min_width.percent,
        .width = geometry_drawable_width(o->width),
        .max_depth = o->max_depth,
        .width_by = width_by(o),
        .delta_of_total = strcmp(o->delta, "total") == 0,
    };
    struct picture_options picture = picture_defaults;
    const struct kind *kind = kind_of(o, t->profile, t->series);
    struct background background;

    *d = (struct drawing){0};
    arena_init(&d->memory);
    picture.title = title.len ? title : kind_title(kind, o, t->base != NULL, &d->memory);
    picture.subtitle = slice_str(o->subtitle);
    picture.name_type = slice_str(o->name_type);
    picture.count_name = slice_str(o->count_name);
    picture.width = o->width;
    picture.frame_height = o->height;
    picture.font_size = o->font_size;
    picture.factor = o->factor;
    picture.inverted = o->inverted;
    picture.dark = strcmp(o->theme, "dark") == 0;
    label_mode_parse(slice_str(o->label), &picture.label);
    picture.diverge = o->colors && strcmp(o->colors, "safe") == 0 ? DIVERGE_SAFE : DIVERGE_RED_BLUE;
    option_colors_set(o, kind->palette, &picture, &background);
    picture.unit = s->unit;
    picture.samples = s->samples;
    picture.source = source;
    picture.digest = digest_text(&d->memory, t);
    picture.svg_script = draw_svg_script(o);
    picture.svg_system_font = strcmp(o->svg_font, "system") == 0;
    picture.svg_max_size = o->svg_max_size;
    picture.software = SLICE("flamepress " FLAMEPRESS_VERSION);
    layout_init(&d->layout, t, &layout);
    picture_init(&d->picture, &d->layout, fonts, &picture);
}

void draw_searches(struct drawing *d, const struct options *o, const struct report_graph *graph)
{
    vec_each (struct report_match, match, &graph->matches)
        *vec_add(&d->searches) = (struct picture_search){match->name, match->pattern,
                                                         o->ignore_case, match->amount.weight};
    d->picture.options.searches = d->searches.items;
    d->picture.options.search_count = d->searches.count;
}

void draw_release(struct drawing *d)
{
    vec_release(&d->searches);
    picture_release(&d->picture);
    layout_release(&d->layout);
    arena_release(&d->memory);
}
