#include "output/picture.h"

#include <math.h>

#include "base/die.h"
#include "base/num.h"
#include "output/facts.h"
#include "output/heatmap.h"
#include "output/legend.h"
#include "raster/color.h"
#include "output/picture_color.h"
#include "output/picture_pair.h"

const struct picture_options picture_defaults = {
    .look = {.width = 1200, .frame_height = 16, .font_size = 12},
    .factor = 1,
    .records = {"samples", 7},
};

uint32_t picture_symbol(const struct picture *p, const struct box *box)
{
    const struct tree *t = p->layout->tree;

    return box->depth ? t->symbol[box->node] : t->around;
}

struct slice picture_name(const struct picture *p, const struct box *box)
{
    uint32_t symbol;

    if (box->node == LAYOUT_LANE)
        return picture_pair_lane(p);
    symbol = picture_symbol(p, box);
    return symbol == SYMBOL_NONE ? SLICE("all")
                                 : symbol_name(&p->layout->tree->profile->symbols, symbol);
}

void picture_write_share(const struct picture *p, const struct box *box, struct buf *out)
{
    uint64_t whole = p->layout->whole;

    buf_add_char(out, '(');
    if (p->layout->tree->base) {
        picture_pair_write_box(p, box, out);
    } else {
        unit_write_exact(out, &p->scale, box->weight);
        buf_add_str(out, ", ");
        num_write_percent(out, box->weight, whole, box->weight == whole ? 0 : PERCENT_TABLE);
        buf_add_char(out, '%');
    }
    buf_add_char(out, ')');
}

/* ---- texts ----------------------------------------------------------------------------------- */

double picture_text_size(const struct picture *p, enum picture_role role)
{
    return p->options.look.font_size + (role == PICTURE_TITLE ? 5 : 0);
}

/* Fits a text into `room` (26.6) and stores the result. */
static struct picture_text picture_text_fit(struct picture *p, struct label_style style,
                                            struct slice text, int64_t room, enum label_mode mode)
{
    struct picture_text fitted = {.at = p->text.len};

    fitted.width = (int32_t)label_fit(p->fonts, style, text, room, mode, &p->text);
    fitted.len = (uint32_t)(p->text.len - fitted.at);
    return fitted;
}

bool picture_text_in_boxes(const struct picture *p)
{
    const struct picture_options *o = &p->options;

    return o->look.frame_height >= o->look.font_size && o->look.font_size >= PICTURE_LEAST_FONT;
}

struct picture_text picture_text_keep(struct picture *p, struct slice text)
{
    struct picture_text kept = {.at = p->text.len, .len = (uint32_t)text.len};

    buf_add_slice(&p->text, text);
    return kept;
}

struct picture_text picture_text_add(struct picture *p, enum picture_role role, struct slice text,
                                     int32_t room)
{
    struct label_style style = label_style(picture_text_size(p, role), 1);

    return picture_text_fit(p, style, text, (int64_t)room * 64, LABEL_HEAD);
}

int32_t picture_text_line(struct picture *p, enum picture_role role, int32_t x, int32_t baseline,
                          struct slice text, int32_t room)
{
    struct picture_line line = {role, x, baseline, picture_text_add(p, role, text, room)};

    if (line.text.len)
        *vec_add(&p->lines) = line;
    return (line.text.width + 63) / 64;
}

/* ---- parts ----------------------------------------------------------------------------------- */

static void set_options(struct picture *p, const struct picture_options *options)
{
    struct picture_options *o = &p->options;

    *o = *options;
    if (!o->look.title.len)
        o->look.title = o->look.inverted ? SLICE("Icicle Graph") : SLICE("Flame Graph");
    if (!o->look.name_type.len)
        o->look.name_type = SLICE("Function:");
    if (!o->colors.palette)
        o->colors.palette = palettes[0];
    if (o->factor == 0)
        o->factor = 1;
    p->scale = (struct unit_scale){o->unit, p->layout->tree->profile->decimals, o->factor};
    if (o->count_name.len)
        p->scale.unit = (struct unit){UNIT_COUNT, 0, o->count_name};
}

static void choose_background(struct picture *p)
{
    const struct picture_options *o = &p->options;
    /* The palest cells of a heat map must be visible. */
    const char *name = o->heat ? "white" : o->colors.palette->background;

    if (o->background)
        p->background = *o->background;
    else if (p->layout->tree->base)
        p->background = picture_pair_ground;
    else if (!background_parse(slice_str(name), &p->background))
        BUG("no background is called %s", name);
    theme_init(&p->theme, o->look.theme, &p->background);
}

/* Returns the distance between lines of text below the frames. */
static double line_height(const struct picture *p)
{
    return 1.6 * p->options.look.font_size;
}

static bool is_whole(struct slice label)
{
    return slice_search(label, SLICE(LABEL_ELLIPSIS)) == label.len;
}

/* True if a label is worth reading: complete, or at least three characters and the ellipsis. */
static bool says_something(struct slice label)
{
    size_t count = 0;

    if (is_whole(label))
        return true;
    for (size_t i = 0; i < label.len; i++)
        count += ((unsigned char)label.ptr[i] & 0xc0) != 0x80;
    return count > 3;
}

static struct picture_text fit_label(struct picture *p, struct label_style style, struct slice name,
                                     int64_t room)
{
    struct picture_text label = picture_text_fit(p, style, name, room, p->options.look.label);

    if (says_something(picture_slice(p, label)))
        return label;
    p->text.len = label.at;
    return (struct picture_text){0};
}

/*
 * As fit_label(), followed by the box's share: if both fit, and the name is not cut for it. The
 * browser has the same rule (flame_draw.js).
 */
static struct picture_text fit_with_share(struct picture *p, struct label_style style,
                                          const struct box *box, int64_t room)
{
    uint64_t whole = p->layout->whole;
    struct slice name = picture_name(p, box);
    struct buf share = {0};
    struct picture_text label;
    int64_t width;

    buf_add_char(&share, ' ');
    num_write_percent(&share, box->weight, whole, box->weight == whole ? 0 : 2);
    buf_add_char(&share, '%');
    width = label_width(p->fonts, style, buf_slice(&share));
    label = picture_text_fit(p, style, name, room - width, p->options.look.label);
    if (label.len && is_whole(picture_slice(p, label))) {
        buf_add_slice(&p->text, buf_slice(&share));
        label.len += (uint32_t)share.len;
        label.width += (int32_t)width;
    } else {
        p->text.len = label.at;
        label = fit_label(p, style, name, room);
    }
    buf_release(&share);
    return label;
}

/* Leaves a pixel of background between neighbours, unless the box is too narrow. */
static struct rect part(struct rect r)
{
    if (r.width > 2)
        r.width--;
    return r;
}

static void add_boxes(struct picture *p)
{
    struct theme_darkener darkener;
    const struct layout *l = p->layout;
    struct label_style style = label_style(p->options.look.font_size, 1);
    int64_t least = picture_text_in_boxes(p) ? (int64_t)p->options.look.font_size : INT64_MAX;

    theme_darkener_init(&darkener);
    vec_reserve(&p->boxes, l->boxes.count);
    for (size_t i = 0; i < l->boxes.count; i++) {
        const struct box *box = &l->boxes.items[i];
        struct rect rect = part(geometry_box(&p->geometry, box));
        int64_t room = rect.width - 2 * PICTURE_LABEL_PAD;
        struct picture_box *b;

        if (rect.width < 1)
            continue;
        b = vec_add(&p->boxes);
        *b = (struct picture_box){rect, picture_color(p, box), 0, (uint32_t)i, {0}};
        b->dark = theme_darken(&darkener, b->color);
        if (room >= least)
            b->label = p->options.look.label_percent && !l->tree->base
                           ? fit_with_share(p, style, box, room * 64)
                           : fit_label(p, style, picture_name(p, box), room * 64);
    }
}

static void add_legend(struct picture *p, const struct legend *l, int32_t baseline)
{
    int32_t left = (int32_t)p->geometry.pad_x, right = (int32_t)p->geometry.width - left;

    vec_each (struct legend_entry, e, &l->entries) {
        int32_t y = baseline + (int32_t)lround(e->row * line_height(p)), x = left + e->x;
        int32_t text = x + legend_gap(l);

        *vec_add(&p->swatches) = (struct picture_swatch){
            .rect = {x, y - l->swatch, l->swatch, l->swatch},
            .color = e->color,
            .dark = color_dark(e->color),
            .hatch = e->hatch,
        };
        if (e->len)
            picture_text_line(p, PICTURE_LEGEND, text, y, legend_text(l, e), right - text);
    }
}

/*
 * Sets the description, from which the file's metadata is written, to the subtitle and all facts,
 * if the lines below the picture were too short for them.
 */
static void add_description(struct picture *p, const struct facts *facts)
{
    struct slice subtitle = p->options.look.subtitle;
    struct buf text = {0};
    bool complete = facts->complete;

    vec_each (const struct picture_line, line, &p->lines)
        if (line->role == PICTURE_SUBTITLE || line->role == PICTURE_FACTS)
            complete &= is_whole(picture_slice(p, line->text));
    if (complete)
        return;
    buf_add_slice(&text, subtitle);
    buf_add_str(&text, subtitle.len ? FACTS_BETWEEN : "");
    facts_write(facts, &text);
    p->description = picture_text_keep(p, buf_slice(&text));
    buf_release(&text);
}

static void add_lines(struct picture *p, const struct facts *facts, const struct legend *legend)
{
    const struct picture_options *o = &p->options;
    const struct geometry *g = &p->geometry;
    int32_t x = (int32_t)g->pad_x, room = (int32_t)g->width - 2 * x;
    int32_t bottom = (int32_t)(g->pad_top + g->rows * o->look.frame_height);
    int32_t title_baseline = (int32_t)lround(2 * o->look.font_size);
    int32_t controls = room / 4 < 200 ? room / 4 : 200; /* those of the SVG, right of the title */
    double row = line_height(p);

    picture_text_line(p, PICTURE_TITLE, x, title_baseline, o->look.title, room - controls);
    if (o->look.subtitle.len)
        picture_text_line(p, PICTURE_SUBTITLE, x,
                          title_baseline + (int32_t)lround(1.5 * o->look.font_size),
                          o->look.subtitle, room);
    for (size_t i = 0; i < facts->lines.count; i++)
        picture_text_line(p, PICTURE_FACTS, x, bottom + (int32_t)lround(row * (double)(i + 1)),
                          facts_line(facts, i), room);
    add_legend(p, legend, bottom + (int32_t)lround(row * (double)(facts->lines.count + 1)));
    add_description(p, facts);
}

bool picture_is_estimated(const struct picture *p)
{
    return profile_fact(p->layout->tree->profile, SLICE("estimated")).len > 0;
}

void picture_write_samples(const struct picture *p, uint64_t samples, uint64_t total,
                           struct buf *out)
{
    if (picture_is_estimated(p) || !unit_needs_samples(&p->options.unit, samples, total))
        return;
    buf_add_str(out, " in ");
    unit_write_things(out, samples, p->options.records);
}

void picture_init(struct picture *p, const struct layout *l, struct fonts *fonts,
                  const struct picture_options *options)
{
    struct geometry_options geometry;
    struct facts facts;
    struct legend legend;

    *p = (struct picture){.layout = l, .fonts = fonts};
    set_options(p, options);
    choose_background(p);
    picture_color_init(p);
    facts_init(&facts, p, (int32_t)geometry_drawable_width(p->options.look.width));
    legend_init(&legend, p);
    geometry = (struct geometry_options){
        .width = p->options.look.width,
        .frame_height = p->options.look.frame_height,
        .font_size = p->options.look.font_size,
        .inverted = p->options.look.inverted,
        .subtitle = p->options.look.subtitle.len > 0,
        .footer = (uint32_t)lround((double)(facts.lines.count - 1 + legend.rows) * line_height(p)),
    };
    geometry_init(&p->geometry, l, &geometry);
    geometry.header = notes_place(p);
    if (geometry.header)
        geometry_init(&p->geometry, l, &geometry);
    p->baseline = label_baseline(fonts, label_style(p->options.look.font_size, 1), 0,
                                 (int32_t)p->options.look.frame_height - 1);
    if (p->options.heat)
        heatmap_add(p, p->options.heat);
    else
        add_boxes(p);
    notes_add(p);
    add_lines(p, &facts, &legend);
    legend_release(&legend);
    facts_release(&facts);
}

void picture_release(struct picture *p)
{
    release_all(p, vec, boxes, lines, swatches, leaders, outlines);
    buf_release(&p->text);
    picture_color_release(p);
}
