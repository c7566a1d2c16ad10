#include "draw/draw.h"

#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "base/suggest.h"
#include "base/version.h"
#include "draw/caption.h"
#include "draw/fit.h"
#include "draw/marking.h"
#include "output/heatmap.h"
#include "output/picture_pair.h"
#include "prepare/prepare.h"
#include "prepare/units.h"
#include "profile/pair.h"
#include "tree/sandwich.h"
#include "tree/chart.h"
#include "tree/zoom.h"

void draw_warn_missing(struct fonts *fonts, struct diag *diag)
{
    struct fonts_chars missing = {0};

    fonts_missing(fonts, &missing);
    vec_each (uint32_t, c, &missing)
        diag_warn(diag,
                  "no font has the character U+%04X; it is drawn as a box (--font, --font-dir)",
                  (unsigned)*c);
    vec_release(&missing);
}

/* Returns the look's total in the tree's units, or 0 if the tree's own weight fills the width. */
static uint64_t common_total(const struct look *look, const struct tree *t, struct diag *diag)
{
    unsigned decimals = t->profile->decimals;
    struct decimal total = look->total;
    uint64_t weight;
    struct buf text = {0};

    if (!look->has_total)
        return 0;
    if (total.decimals > decimals)
        weight = total.value / num_pow10(total.decimals - decimals);
    else if (!num_mul(total.value, num_pow10(decimals - total.decimals), &weight))
        weight = UINT64_MAX;
    if (weight >= tree_weight(t))
        return weight;
    num_write_decimal(&text, total.value, total.decimals);
    diag_warn(diag, "--total %s is less than the weight of the graph and is not used",
              buf_string(&text));
    buf_release(&text);
    return 0;
}

/* Returns by id whether a symbol has a frame with a weight. */
static bool *find_drawn(const struct tree *t)
{
    bool *drawn = xcalloc(symbols_count(&t->profile->symbols) + (size_t)1, sizeof(*drawn));

    for (uint32_t i = 1; i < t->count; i++)
        drawn[t->symbol[i]] |= t->total[i] > 0;
    return drawn;
}

/* Reports that no frame of the tree is called `function`, and which names are similar. */
static bool report_no_function(const char *option, struct slice function, const struct tree *t,
                               struct diag *diag)
{
    const struct symbols *symbols = &t->profile->symbols;
    const char *name = arena_strdup(&diag->memory, function);
    bool *drawn = find_drawn(t), known = false;
    struct suggest near;
    struct buf hint = {0};

    suggest_init(&near, name);
    for (uint32_t i = 0; i < symbols_count(symbols); i++) {
        known |= !drawn[i] && slice_equal(symbol_name(symbols, i), function);
        if (drawn[i])
            suggest_offer(&near, arena_strdup(&diag->memory, symbol_name(symbols, i)));
    }
    suggest_write(&near, "", &hint);
    if (known)
        diag_misuse(diag, "option --%s: the graph has no stack with '%s'%s", option, name,
                    t->profile->series.items[t->series].removals.count
                        ? "; filters or time ranges leave some out"
                        : "");
    else
        diag_misuse(diag, "option --%s: no function is called '%s'%s", option, name,
                    buf_string(&hint));
    buf_release(&hint);
    free(drawn);
    return false;
}

bool draw_sandwich(struct tree *t, struct slice function, const struct tree *whole,
                   struct diag *diag)
{
    uint32_t symbol;

    symbol = sandwich_find(whole, function);
    if (symbol == SYMBOL_NONE)
        return report_no_function("around", function, whole, diag);
    sandwich_init(t, whole, symbol);
    if (budget_allows(diag, DIAG_AT_FILE))
        return true;
    tree_release(t);
    return false;
}

static bool make_chart(struct drawing *d, const struct tree **t, struct diag *diag)
{
    const struct tree *whole = *t;

    if (!chart_init(&d->part, whole->profile, whole->series))
        return diag_error(diag,
                          "the chart has too many frames; choose a time range (--from, --to)");
    *t = &d->part;
    return true;
}

/* Makes the tree of --zoom or --crop. */
static bool make_zoom(struct drawing *d, const struct recipe *recipe, const struct tree *whole,
                      struct diag *diag)
{
    bool crop = recipe->crop.len > 0;
    struct slice function = crop ? recipe->crop : recipe->zoom;
    uint32_t symbol = sandwich_find(whole, function);

    if (symbol == SYMBOL_NONE)
        return report_no_function(crop ? "crop" : "zoom", function, whole, diag);
    zoom_init(&d->part, whole, symbol, crop ? 1 : ZOOM_ALL_CALLERS);
    share_sum_all(&recipe->searches, &d->part, &d->part_shares);
    return true;
}

/* Makes the tree to draw, within the thread's budget, and points `*t` to it. */
static bool make_part(struct drawing *d, const struct draw_request *r, const struct tree **t,
                      struct diag *diag)
{
    struct tree_options leaf_first = {.reverse = true};
    const struct recipe *recipe = r->recipe;
    const struct tree *whole = *t;

    if (r->look->flamechart)
        return make_chart(d, t, diag);
    if (recipe_is_part(recipe)) {
        if (!make_zoom(d, recipe, whole, diag))
            return false;
    } else if (recipe->around.len) {
        if (!draw_sandwich(&d->part, recipe->around, whole, diag))
            return false;
    } else if (!recipe->reverse) {
        return true;
    } else {
        tree_init(&d->part, whole->profile, whole->series, &leaf_first);
        d->part.measured = whole;
    }
    *t = &d->part;
    return true;
}

static bool shows_change(const struct tree *t)
{
    return t->base && pair_kind(t->profile, t->series) == PAIR_CHANGE;
}

/* Returns the processes, threads and states that were chosen: " (uninterruptible)". */
static struct slice title_choice(struct drawing *d, const struct recipe *recipe)
{
    const struct names_wanted *const choices[] = {&recipe->processes, &recipe->threads,
                                                  &recipe->states};
    const char *text = "";

    for (size_t i = 0; i < sizeof(choices) / sizeof(choices[0]); i++)
        vec_each (const struct slice, name, choices[i])
            text =
                arena_printf(&d->memory, "%s%s%.*s", text, *text ? ", " : " (", SLICE_ARG(*name));
    return slice_str(*text ? arena_printf(&d->memory, "%s)", text) : text);
}

/* Returns "Off-CPU Time Flame Graph", or "... Icicle Graph". */
static struct slice kind_title(struct drawing *d, const struct draw_request *r,
                               const struct tree *t)
{
    const char *kind = units_kind(r->recipe, t->profile, t->series)->title;

    if (recipe_is_of(r->recipe, KIND_HEATMAP))
        return slice_str(kind);
    return slice_str(arena_printf(&d->memory, "%s%s%s%s", kind, *kind ? " " : "",
                                  shows_change(t) ? "Differential " : "",
                                  r->look->flamechart         ? "Flame Chart"
                                  : r->look->picture.inverted ? "Icicle Graph"
                                                              : "Flame Graph"));
}

static struct slice make_title(struct drawing *d, const struct draw_request *r,
                               const struct tree *t)
{
    struct slice title, choice = title_choice(d, r->recipe);

    if (r->recipe->around.len)
        title = slice_str(
            arena_printf(&d->memory, "Callers and callees of %.*s", SLICE_ARG(r->recipe->around)));
    else
        title = kind_title(d, r, t);
    return slice_str(arena_printf(&d->memory, "%.*s%.*s", SLICE_ARG(title), SLICE_ARG(choice)));
}

/* The role of a drawing: the whole picture, or one of three with --triple. */
enum role { ALONE, DIFFERENCE, SIDE };

enum { TRIPLE = 3 }; /* pictures of --triple */

/* Returns the total that fills the width: both sides of a difference have the same scale. */
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

/* --negate swaps the roles of the files, but widths still come from the same file. */
static enum change_width width_by(const struct draw_request *r)
{
    if (!r->recipe->negate || r->look->width_by == CHANGE_BY_BOTH)
        return r->look->width_by;
    return r->look->width_by == CHANGE_BY_BASE ? CHANGE_BY_NEW : CHANGE_BY_BASE;
}

/* Samples support no change if the recipe says that the numbers are of something else. */
static struct evidence find_evidence(const struct recipe *r, const struct tree *t)
{
    const struct series *s = &t->profile->series.items[t->series];
    struct unit_scale scale = recipe_scale(r, t->profile, t->series);

    if (!shows_change(t) || (unit_is_samples(&s->unit) && !unit_is_samples(&scale.unit)))
        return (struct evidence){0, 0};
    return (struct evidence){profile_sample_weight(t->profile, t->series),
                             profile_sample_weight(t->profile, s->base)};
}

static struct layout_options choose_layout(const struct draw_request *r, const struct tree *t,
                                           enum role role, struct diag *diag)
{
    const struct look *look = r->look;

    return (struct layout_options){
        .sort = look->sort,
        .min_width = look->min_width,
        .min_is_percent = look->min_is_percent,
        .width = geometry_drawable_width(look->picture.width),
        .max_depth = look->max_depth,
        .width_by = width_by(r),
        .delta_of_total = look->delta_of_total,
        .own_shares = r->own_shares || role == SIDE,
        .total = role == SIDE ? side_scale(t) : common_total(look, t, diag),
        .negate = r->recipe->negate && t->base && !shows_change(t),
        .evidence = find_evidence(r->recipe, t),
    };
}

static bool lay_out_heat(struct drawing *d, const struct look *look, const struct tree *t,
                         struct diag *diag)
{
    if (!heat_init(&d->heat, t->profile, t->series, heatmap_columns(look->picture.width)))
        return diag_error(diag, "the samples have no weight; a heat map of them shows nothing");
    heat_lay_out(&d->layout, t, HEATMAP_FRAMES);
    return true;
}

/* Makes the tree to draw and lays it out, within the thread's budget. */
static bool lay_out_flames(struct drawing *d, const struct draw_request *r, const struct tree **t,
                           enum role role, struct layout_options *layout, struct diag *diag)
{
    const struct tree *whole = *t;

    if (!make_part(d, r, t, diag))
        return false;
    if (*t != whole)
        prepare_charge_tree((*t)->count);
    if (!budget_allows(diag, DIAG_AT_FILE))
        return false;
    *layout = choose_layout(r, *t, role, diag);
    layout_init(&d->layout, *t, layout);
    return budget_allows(diag, DIAG_AT_FILE);
}

/*
 * Lays out the tree to draw and points `*t` to it; `layout` is how. Returns false after
 * reporting why it cannot, such as that the tree or its boxes need too much memory.
 */
static bool lay_out(struct drawing *d, const struct draw_request *r, const struct tree **t,
                    enum role role, struct layout_options *layout, struct diag *diag)
{
    struct budget budget, *before;
    bool ok;

    if (recipe_is_of(r->recipe, KIND_HEATMAP))
        return lay_out_heat(d, r->look, *t, diag);
    prepare_budget(r->recipe, r->memory_limit, (*t)->profile, &budget);
    before = budget_enter(&budget);
    ok = lay_out_flames(d, r, t, role, layout, diag);
    budget_leave(before);
    return ok;
}

/* Returns the greatest weight of a box in row `rows` or a higher one. */
static uint64_t heaviest_above(const struct layout *l, uint32_t rows)
{
    uint64_t most = 0;

    vec_each (const struct box, box, &l->boxes)
        if (box->depth >= rows && box->weight > most)
            most = box->weight;
    return most;
}

/* What keep_height() leaves out: nothing yet, thin frames, or the highest rows. */
enum left_out { ALL_DRAWN, WITHOUT_THIN, WITHOUT_TOP };

/*
 * Makes the picture at most `most` high. Raises the minimum width of frames, which removes thin
 * towers; if a row beyond `most` has a frame wider than a twentieth of the picture, cuts the
 * highest rows instead.
 */
static enum left_out leave_out(const struct drawing *d, uint32_t frame_height, uint32_t most,
                               struct layout_options *layout)
{
    const struct geometry *g = &d->picture.geometry;
    uint32_t rest = (uint32_t)(g->height - (uint64_t)g->rows * frame_height);
    uint32_t rows = most > rest + frame_height ? (most - rest) / frame_height : 1;
    uint64_t widest = heaviest_above(&d->layout, rows);

    if (widest > d->layout.total / 20) {
        layout->max_depth = d->layout.below ? (rows + 1) / 2 : rows; /* of callers and of callees */
        return WITHOUT_TOP;
    }
    layout->min_is_percent = true;
    layout->min_width = ((double)widest + 0.5) * 100 / (double)d->layout.total;
    return WITHOUT_THIN;
}

static void say_left_out(enum left_out what, const struct layout_options *layout, uint32_t most,
                         struct diag *diag)
{
    if (what == WITHOUT_TOP)
        diag_add(diag, DIAG_NOTE, DIAG_AT_FILE,
                 "the highest rows are left out, for a height of %u at most (--max-height)", most);
    else if (what == WITHOUT_THIN)
        diag_add(diag, DIAG_NOTE, DIAG_AT_FILE,
                 "frames below %.3g%% of the width are left out, for a height of %u at most "
                 "(--max-height)",
                 layout->min_width, most);
}

/*
 * Draws the picture again, with less, if it is higher than the look allows. What is left out is a
 * fact, which may need a line of its own, so the second picture may be too high as well.
 */
static void keep_height(struct drawing *d, const struct draw_request *r, uint32_t most,
                        struct layout_options *layout, const struct picture_options *picture,
                        struct diag *diag)
{
    const struct tree *t = d->layout.tree;
    enum left_out what = ALL_DRAWN;

    if (!most || d->heat.columns)
        return;
    for (int tries = 0; tries < 2 && d->picture.geometry.height > most; tries++) {
        what = leave_out(d, r->look->picture.frame_height, most, layout);
        picture_release(&d->picture);
        layout_release(&d->layout);
        layout_init(&d->layout, t, layout);
        picture_init(&d->picture, &d->layout, r->fonts, picture);
    }
    say_left_out(what, layout, most, diag);
}

static void set_look(struct picture_options *picture, const struct draw_request *r,
                     const struct kind *kind, enum role role)
{
    const struct look *look = r->look;

    picture->look = look->picture;
    picture->count_name = r->recipe->count_name;
    picture->factor = r->recipe->factor;
    picture->diverge = (struct diverge_look){
        .pair = look->palette == &palette_safe ? DIVERGE_SAFE : DIVERGE_RED_BLUE,
        .hatch = look->hatch,
    };
    picture->colors = (struct palette_use){
        .palette = look->palette ? look->palette : palette_find(slice_str(kind->palette)),
        .spread = look->spread,
        .seed = look->seed,
    };
    if (look->has_background)
        picture->background = &look->background;
    else if (role != ALONE)
        picture->background = &picture_pair_ground;
    if (kind == &kinds[KIND_HEATMAP])
        picture->look.svg_script = SVG_SCRIPT_NONE;
}

static void add_captions(struct drawing *d, const struct draw_request *r, const struct tree *t,
                         struct picture_options *picture)
{
    struct buf text = {0};

    caption_write_view(r->look, r->recipe, picture->look.title, &text);
    picture->view = arena_copy(&d->memory, buf_slice(&text));
    buf_clear(&text);
    caption_write_part(r->recipe, t->profile, t->series, picture->look.title, &text);
    picture->part = arena_copy(&d->memory, buf_slice(&text));
    if (r->look->has_origin && !picture->look.subtitle.len) {
        buf_clear(&text);
        caption_write_origin(t->profile, r->source, &text);
        picture->look.subtitle = arena_copy(&d->memory, buf_slice(&text));
    }
    buf_release(&text);
}

static bool draw_one(struct drawing *d, const struct draw_request *r, enum role role,
                     struct diag *diag)
{
    const struct tree *t = &d->tree;
    const struct series *s = &t->profile->series.items[t->series];
    struct picture_options picture = picture_defaults;
    struct layout_options layout;

    if (!lay_out(d, r, &t, role, &layout, diag))
        return false;
    set_look(&picture, r, units_kind(r->recipe, t->profile, t->series), role);
    picture.kind = slice_str(units_kind(r->recipe, t->profile, t->series)->name);
    picture.look.title = r->look->picture.title.len ? r->look->picture.title : make_title(d, r, t);
    add_captions(d, r, t, &picture);
    picture.heat = d->heat.columns ? &d->heat : NULL;
    picture.unit = s->unit;
    picture.samples = profile_samples(t->profile, t->series);
    picture.records = profile_records(t->profile, t->series);
    if (shows_change(t) && picture.samples)
        picture.base_samples = profile_samples(t->profile, s->base);
    picture.source = r->source;
    picture.digest = true;
    picture.color_map = r->color_map;
    picture.attributes = r->attributes;
    picture.marked = r->marked;
    picture.threads = r->threads;
    picture.searches = (d->part.part_of ? &d->part_shares : &d->shares)->items;
    picture.search_count = d->shares.count;
    picture.notes = marking_make(r->recipe, t->profile, &d->memory, diag);
    picture.note_count = r->recipe->marks.count;
    picture.software = SLICE("flamepress " FLAMEPRESS_VERSION);
    picture_init(&d->picture, &d->layout, r->fonts, &picture);
    keep_height(d, r, r->look->max_height / (role == ALONE ? 1 : TRIPLE), &layout, &picture, diag);
    if (role != SIDE)
        marking_warn(r->recipe, &d->picture, diag);
    return true;
}

static void init(struct drawing *d, const struct profile *p, uint32_t series,
                 const struct search_list *searches, unsigned threads)
{
    struct tree_options whole = {.threads = threads};

    *d = (struct drawing){0};
    tree_init(&d->tree, p, series, &whole);
    share_sum_all(searches, &d->tree, &d->shares);
}

/* Draws one side of a difference above `d`. */
static bool draw_side(struct drawing *d, const struct draw_request *r, const struct tree *t,
                      bool new, struct diag *diag)
{
    const struct series *s = &t->profile->series.items[t->series];
    const struct search_list none = {0};
    struct drawing *side = d->above = xcalloc(1, sizeof(*side));
    const char *name = new ? "New" : "Base";
    struct draw_request own = *r;
    struct look look = *r->look;
    bool ok;

    own.look = &look;
    look.picture.title =
        look.picture.title.len
            ? slice_str(arena_printf(&d->memory, "%s: %.*s", name, SLICE_ARG(look.picture.title)))
            : slice_str(name);
    init(side, t->profile, new ? t->series : s->base, &none, r->threads);
    free(side->tree.base);
    side->tree.base = NULL;
    ok = draw_one(side, &own, SIDE, diag);
    side->picture.below = &d->picture;
    return ok;
}

/* Lays out the graph and fits its labels. */
static bool draw_all(struct drawing *d, const struct draw_request *r, struct diag *diag)
{
    const struct tree *t = &d->tree;
    bool triple = r->look->triple && shows_change(t);

    share_warn_given_up(&d->shares, diag);
    if (!fit_check(r->look, r->recipe, r->color_map, t->profile, t->series, diag) ||
        !draw_one(d, r, triple ? DIFFERENCE : ALONE, diag))
        return false;
    return !triple || (draw_side(d, r, t, true, diag) && draw_side(d->above, r, t, false, diag));
}

const struct tree *draw_other_tree(const struct drawing *d)
{
    return d->part.profile && !d->part.lead ? &d->part : NULL;
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
    tree_release(&d->tree);
    vec_release(&d->shares);
    vec_release(&d->part_shares);
    arena_release(&d->memory);
}

static void release(struct drawing *d)
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

bool draw_graph(const struct draw_request *r, const struct draw_use *use, struct diag *diag)
{
    struct drawing drawing;
    bool ok;

    init(&drawing, r->profile, r->series, &r->recipe->searches, r->threads);
    if (use->begin)
        use->begin(use->context, &drawing);
    ok = draw_all(&drawing, r, diag) && use->end(use->context, &drawing, diag);
    release(&drawing);
    return ok;
}
