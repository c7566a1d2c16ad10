#include "cli/draw.h"

#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "base/suggest.h"
#include "base/version.h"
#include "cli/caption.h"
#include "cli/kind.h"
#include "cli/load.h"
#include "cli/option_colors.h"
#include "cli/option_shapes.h"
#include "output/picture_change.h"
#include "output/heatmap.h"
#include "profile/pair.h"
#include "tree/around.h"
#include "tree/chart.h"
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

/* Says which functions have names like that. */
static bool tell_no_function(const struct options *o, const struct symbols *symbols,
                             struct diag *diag)
{
    struct suggest near;
    struct buf hint;

    buf_init(&hint);
    suggest_init(&near, o->around);
    for (uint32_t i = 0; i < symbols_count(symbols); i++)
        suggest_offer(&near, arena_strdup(&diag->memory, symbol_name(symbols, i)));
    suggest_write(&near, "", &hint);
    diag_error(diag, "option --around: no function is called '%s'%s", o->around, hint.ptr);
    buf_release(&hint);
    return false;
}

bool draw_around(struct tree *t, const struct options *o, const struct tree *whole,
                 struct diag *diag)
{
    uint32_t symbol;

    if (whole->base)
        return diag_error(diag, "--around is for one column of a graph that shows a change: "
                                "name it (--event base, --event new)");
    symbol = around_find(whole, slice_str(o->around));
    if (symbol == SYMBOL_NONE)
        return tell_no_function(o, &whole->profile->symbols, diag);
    around_init(t, whole, symbol);
    return true;
}

static bool make_chart(struct drawing *d, const struct tree **t, struct diag *diag)
{
    const struct tree *whole = *t;

    if (whole->base)
        return diag_error(diag, "--flamechart is for one column of a graph that shows a change: "
                                "name it (--event base, --event new)");
    if (!chart_is_possible(whole->profile, whole->series))
        return diag_error(diag,
                          "this %s input does not tell the order of its samples, which "
                          "--flamechart needs",
                          whole->profile->format);
    if (!chart_init(&d->part, whole->profile, whole->series))
        return diag_error(diag, "the chart has too many frames; take a part (--from, --to)");
    *t = &d->part;
    return true;
}

/* Makes the tree that is drawn; `*t` becomes it. */
static bool make_part(struct drawing *d, const struct options *o, const struct tree **t,
                      struct diag *diag)
{
    struct tree_options leaf_first = {.reverse = true};
    const struct tree *whole = *t;

    if (o->flamechart)
        return make_chart(d, t, diag);
    if (o->around && !draw_around(&d->part, o, whole, diag))
        return false;
    if (!o->around && o->reverse) {
        tree_init(&d->part, whole->profile, whole->series, &leaf_first);
        d->part.measured = whole;
    }
    if (o->around || o->reverse)
        *t = &d->part;
    return true;
}

/* Whose samples were chosen, of all that were measured: " (uninterruptible)". */
static struct slice title_choice(struct drawing *d, const struct options *o)
{
    const struct strings *const choices[] = {&o->processes, &o->thread_names, &o->states};
    const char *text = "";

    for (size_t i = 0; i < sizeof(choices) / sizeof(choices[0]); i++)
        vec_each (const char *const, choice, choices[i])
            text = arena_printf(&d->memory, "%s%s%s", text, *text ? ", " : " (", *choice);
    return slice_str(*text ? arena_printf(&d->memory, "%s)", text) : text);
}

static struct slice make_title(struct drawing *d, const struct options *o, const struct tree *t)
{
    struct slice title, choice = title_choice(d, o);

    if (o->around)
        title = slice_str(arena_printf(&d->memory, "Callers and callees of %s", o->around));
    else
        title = kind_title(kind_of(o, t->profile, t->series), o,
                           t->base && pair_kind(t->profile, t->series) == PAIR_CHANGE, &d->memory);
    return slice_str(arena_printf(&d->memory, "%.*s%.*s", SLICE_ARG(title), SLICE_ARG(choice)));
}

/* Records that are sums already, as lines of folded stacks are, do not tell how many samples. */
static uint64_t count_samples(const struct profile *p, const struct series *s)
{
    bool sums = !p->format || !strcmp(p->format, "folded") || !strcmp(p->format, "heaptrack");

    return !sums && (p->in_order || s->moments.now) ? s->samples : 0;
}

static bool is_triple(const struct options *o, const struct tree *t)
{
    return o->triple && t->base && pair_kind(t->profile, t->series) == PAIR_CHANGE;
}

/* Draws one side of a difference over what has been drawn. */
static bool draw_side(struct drawing *d, const struct options *o, const struct tree *t, bool new,
                      struct slice source, struct slice title, const struct resources *resources,
                      struct diag *diag)
{
    const struct series *s = &t->profile->series.items[t->series];
    struct tree_options whole = {.reverse = false};
    struct searches_found nothing = {0};
    struct drawing *side = d->above = xcalloc(1, sizeof(*side));
    const char *name = new ? "New" : "Base";
    struct tree *tree = xcalloc(1, sizeof(*tree));
    bool ok;

    tree_init(tree, t->profile, new ? t->series : s->base, &whole);
    free(tree->base);
    tree->base = NULL;
    ok = draw_init(side, o, tree, d->picture.fonts, source,
                   title.len
                       ? slice_str(arena_printf(&d->memory, "%s: %.*s", name, SLICE_ARG(title)))
                       : slice_str(name),
                   &nothing, resources, diag);
    side->side = tree;
    side->picture.below = &d->picture;
    return ok;
}

/* Base and new over their difference. */
static bool draw_above(struct drawing *d, const struct options *o, const struct tree *t,
                       struct slice source, struct slice title, const struct resources *resources,
                       struct diag *diag)
{
    struct options own = *o;

    own.triple = false;
    own.stacked = true;
    return draw_side(d, &own, t, true, source, title, resources, diag) &&
           draw_side(d->above, &own, t, false, source, title, resources, diag);
}

/* Both sides of a difference have one scale. */
static uint64_t side_scale(const struct tree *t)
{
    uint64_t most = 0;

    vec_each (struct series, s, &t->profile->series) {
        if (s->base == SERIES_NONE ||
            (s->base != t->series && s != &t->profile->series.items[t->series]))
            continue;
        most = s->total > most ? s->total : most;
        most = t->profile->series.items[s->base].total > most
                   ? t->profile->series.items[s->base].total
                   : most;
    }
    return most;
}

static struct layout_options choose_layout(const struct options *o, const struct tree *t,
                                           struct diag *diag)
{
    return (struct layout_options){
        .sort = strcmp(o->sort, "weight") == 0 ? LAYOUT_BY_WEIGHT : LAYOUT_BY_NAME,
        .min_width = o->min_width.value,
        .min_is_percent = o->min_width.percent,
        .width = geometry_drawable_width(o->width),
        .max_depth = o->max_depth,
        .width_by = width_by(o),
        .delta_of_total = strcmp(o->delta, "total") == 0,
        .own_shares = o->own_shares || o->stacked,
        .total = o->stacked ? side_scale(t) : common_total(o, t, diag),
        .negate = o->negate && t->base && pair_kind(t->profile, t->series) != PAIR_CHANGE,
    };
}

static bool lay_out_heat(struct drawing *d, const struct options *o, const struct tree *t,
                         struct diag *diag)
{
    if (t->base)
        return diag_error(diag, "--kind=heatmap is for one column of a graph that shows a change: "
                                "name it (--event base, --event new)");
    if (!tree_weight(t))
        return diag_error(diag, "the samples have no weight; a heat map of them shows nothing");
    if (!heat_init(&d->heat, t->profile, t->series, heatmap_columns(o->width)))
        return diag_error(diag,
                          "this %s input does not tell when its samples were taken, which "
                          "--kind=heatmap needs",
                          t->profile->format);
    heat_lay_out(&d->layout, t, HEATMAP_FRAMES);
    return true;
}

/* Lays out what is drawn; `*t` becomes that. */
static bool lay_out(struct drawing *d, const struct options *o, const struct tree **t,
                    struct diag *diag)
{
    struct layout_options layout;

    if (kind_is_heatmap(o))
        return lay_out_heat(d, o, *t, diag);
    if (!make_part(d, o, t, diag))
        return false;
    layout = choose_layout(o, *t, diag);
    layout_init(&d->layout, *t, &layout);
    return true;
}

/* How it looks: what the options say. */
static void set_looks(struct picture_options *picture, const struct options *o,
                      const struct tree *t, struct background *background)
{
    picture->subtitle = slice_str(o->subtitle);
    picture->name_type = slice_str(o->name_type);
    picture->count_name = slice_str(o->count_name);
    picture->width = o->width;
    picture->frame_height = o->height;
    picture->font_size = o->font_size;
    picture->factor = o->factor;
    picture->inverted = o->inverted;
    picture->dark = strcmp(o->theme, "dark") == 0;
    label_mode_parse(slice_str(o->label), &picture->label);
    picture->diverge = (struct diverge_look){
        .pair = o->colors && strcmp(o->colors, "safe") == 0 ? DIVERGE_SAFE : DIVERGE_RED_BLUE,
        .hatch = o->hatch,
    };
    if (o->stacked || is_triple(o, t))
        picture->background = &picture_change_ground;
    option_colors_set(o, kind_of(o, t->profile, t->series)->palette, picture, background);
    picture->svg_script = kind_is_heatmap(o) ? SVG_SCRIPT_NONE : draw_svg_script(o);
    picture->svg_system_font = strcmp(o->svg_font, "system") == 0;
    picture->svg_max_size = o->svg_max_size;
}

static void add_captions(struct drawing *d, const struct options *o, const struct tree *t,
                         struct picture_options *picture)
{
    struct buf text;

    buf_init(&text);
    caption_write_view(o, picture->title, &text);
    picture->view = arena_copy(&d->memory, buf_slice(&text));
    buf_clear(&text);
    caption_write_part(o, t->profile, picture->title, &text);
    picture->part = arena_copy(&d->memory, buf_slice(&text));
    buf_release(&text);
}

bool draw_init(struct drawing *d, const struct options *o, const struct tree *t,
               struct fonts *fonts, struct slice source, struct slice title,
               const struct searches_found *found, const struct resources *resources,
               struct diag *diag)
{
    const struct series *s = &t->profile->series.items[t->series];
    struct picture_options picture = picture_defaults;
    struct background background;

    *d = (struct drawing){0};
    arena_init(&d->memory);
    if (!option_shapes_check(o, diag) || !lay_out(d, o, &t, diag))
        return false;
    set_looks(&picture, o, t, &background);
    picture.title = title.len ? title : make_title(d, o, t);
    add_captions(d, o, t, &picture);
    picture.heat = d->heat.columns ? &d->heat : NULL;
    picture.unit = s->unit;
    picture.samples = count_samples(t->profile, s);
    picture.source = source;
    picture.digest = digest_text(&d->memory, t);
    picture.color_map = &resources->colors;
    picture.attributes = &resources->attributes;
    picture.searches = found->items;
    picture.search_count = found->count;
    picture.software = SLICE("flamepress " FLAMEPRESS_VERSION);
    picture_init(&d->picture, &d->layout, fonts, &picture);
    return !is_triple(o, t) || draw_above(d, o, t, source, title, resources, diag);
}

const struct picture *draw_picture(const struct drawing *d)
{
    while (d->above)
        d = d->above;
    return &d->picture;
}

static void release_one(struct drawing *d)
{
    picture_release(&d->picture);
    layout_release(&d->layout);
    heat_release(&d->heat);
    if (d->part.profile)
        tree_release(&d->part);
    if (d->side)
        tree_release(d->side);
    free(d->side);
    arena_release(&d->memory);
}

void draw_release(struct drawing *d)
{
    struct drawing *above = d->above;

    release_one(d);
    while (above) {
        d = above;
        above = d->above;
        release_one(d);
        free(d);
    }
}
