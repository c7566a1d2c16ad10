#include "output/paint.h"

#include <string.h>

#include "base/die.h"
#include "output/picture_pair.h"
#include "output/quantize.h"
#include "raster/color.h"
#include "raster/fill.h"

/*
 * The background has two fills, one for each colour of text on it. A gradient has two more; no text
 * is on them, so each of their levels is a colour of the gradient.
 */
enum { FILL_BACKGROUND, FILL_MUTED, FILL_GRADIENT, FILL_BOXES = FILL_GRADIENT + 2 };
enum { GRADIENT_STEPS = 2 * PIXMAP_LEVELS };

/* A pixel of the background without text has no other bit than these. */
enum { BACKGROUND_BITS = FILL_MUTED * PIXMAP_LEVELS };

/* LANES pixels at a time, which compilers turn into vectors. */
enum { LANES = 16 };

typedef uint8_t bytes16 __attribute__((vector_size(LANES)));

_Static_assert(FILL_BOXES + QUANTIZE_CELLS == PIXMAP_FILLS, "every fill has its use");
_Static_assert(FILL_BACKGROUND == 0 && FILL_MUTED == 1, "BACKGROUND_BITS covers both");

static struct clip scaled(struct rect r, unsigned ratio)
{
    int32_t k = (int32_t)ratio;

    return (struct clip){r.x * k, r.y * k, (r.x + r.width) * k, (r.y + r.height) * k};
}

static void add_colors(const struct picture *p, struct quantize *q, uint32_t *number)
{
    vec_each (struct picture_box, box, &p->boxes)
        *number++ = quantize_add(q, p->theme.dark ? box->dark : box->color);
    vec_each (struct picture_swatch, swatch, &p->swatches)
        *number++ = quantize_add(q, p->theme.dark ? swatch->dark : swatch->color);
}

static size_t count_colors(const struct picture *p)
{
    return p->boxes.count + p->swatches.count;
}

/*
 * Chooses fills for the colours of a column of pictures. Fills `number` with a number for each box
 * of a picture, then for each of its swatches.
 */
static void choose_fills(struct paint *paint, const struct picture *p, struct quantize *q,
                         uint32_t *number)
{
    for (const struct picture *one = p; one; one = one->below) {
        add_colors(one, q, number);
        number += count_colors(one);
    }
    quantize_fit(q);

    paint->background[FILL_BACKGROUND] = p->theme.background[BACKGROUND_TOP];
    paint->background[FILL_MUTED] = p->theme.background[BACKGROUND_BOTTOM];
    paint->ink[FILL_BACKGROUND] = p->theme.ink;
    paint->ink[FILL_MUTED] = p->theme.muted;
    paint->fills = FILL_BOXES + q->cells;
    for (uint32_t i = 0; i < q->cells; i++) {
        paint->background[FILL_BOXES + i] = q->shown[i];
        paint->ink[FILL_BOXES + i] = color_text(q->shown[i]);
    }
}

static void paint_hatch(struct paint *paint, struct clip area, int hatch, unsigned ratio)
{
    if (hatch)
        fill_hatch(&paint->pixmap, area, hatch > 0 ? FILL_RISING : FILL_FALLING, ratio);
}

static void paint_boxes(struct paint *paint, const struct picture *p, unsigned ratio,
                        const struct quantize *q, const uint32_t *number)
{
    struct label_style style = label_style(p->options.look.font_size, ratio);
    int32_t height = ((int32_t)p->options.look.frame_height - 1) * (int32_t)ratio;
    int32_t baseline = label_baseline(p->fonts, style, 0, height);

    vec_each (struct picture_box, box, &p->boxes) {
        struct clip area = scaled(box->rect, ratio);

        fill_rect(&paint->pixmap, area, FILL_BOXES + quantize_cell(q, *number++));
        paint_hatch(paint, area, picture_pair_hatch(p, &p->layout->boxes.items[box->box]), ratio);
        if (box->label.len)
            label_draw(p->fonts, style, &paint->pixmap,
                       (area.left + PICTURE_LABEL_PAD * (int32_t)ratio) * 64, area.top + baseline,
                       picture_slice(p, box->label), area);
    }
    vec_each (struct picture_swatch, swatch, &p->swatches) {
        struct clip area = scaled(swatch->rect, ratio);

        fill_rect(&paint->pixmap, area, FILL_BOXES + quantize_cell(q, *number++));
        paint_hatch(paint, area, swatch->hatch, ratio);
    }
}

enum { OUTLINE = 2 }; /* CSS pixels, inside the box */

/* Paints the sides of a box, or all of it if it is thin. */
static void paint_outline(struct paint *paint, struct clip c, int32_t wide)
{
    const struct clip sides[] = {
        {c.left, c.top, c.right, c.top + wide},
        {c.left, c.bottom - wide, c.right, c.bottom},
        {c.left, c.top, c.left + wide, c.bottom},
        {c.right - wide, c.top, c.right, c.bottom},
    };

    for (size_t i = 0; i < sizeof(sides) / sizeof(sides[0]); i++)
        fill_ink(&paint->pixmap, pixmap_intersect(sides[i], c), FILL_BACKGROUND);
}

static void paint_notes(struct paint *paint, const struct picture *p, unsigned ratio)
{
    vec_each (const struct rect, outline, &p->outlines)
        paint_outline(paint, scaled(*outline, ratio), OUTLINE * (int32_t)ratio);
    vec_each (const struct picture_leader, n, &p->leaders)
        fill_ink(&paint->pixmap, scaled((struct rect){n->x, n->top, 1, n->bottom - n->top}, ratio),
                 FILL_BACKGROUND);
}

static void paint_lines(struct paint *paint, const struct picture *p, unsigned ratio)
{
    struct clip all = pixmap_bounds(&paint->pixmap);

    vec_each (struct picture_line, line, &p->lines) {
        struct label_style style = label_style(picture_text_size(p, line->role), ratio);
        struct clip band = all;

        if (line->role != PICTURE_TITLE) {
            band.top = (line->baseline * (int32_t)ratio) - style.size / 64;
            band.bottom = (line->baseline * (int32_t)ratio) + style.size / 128;
            band.left = line->x * (int32_t)ratio;
            band.right = band.left + (line->text.width * (int32_t)ratio + 63) / 64;
            fill_rect(&paint->pixmap, band,
                      line->role == PICTURE_NOTE ? FILL_BACKGROUND : FILL_MUTED);
        }
        label_draw(p->fonts, style, &paint->pixmap, line->x * (int32_t)ratio * 64,
                   line->baseline * (int32_t)ratio, picture_slice(p, line->text), all);
    }
}

/* Returns the step of the gradient at a row of pixels. */
static unsigned gradient_step(uint32_t y, uint32_t height)
{
    int64_t from = (int64_t)height * BACKGROUND_FROM, to = (int64_t)height * BACKGROUND_TO;
    int64_t step = ((int64_t)y * 100 - from) * GRADIENT_STEPS / (to - from);

    return step < 0 ? 0 : step < GRADIENT_STEPS ? (unsigned)step : GRADIENT_STEPS - 1;
}

/* Replaces the background in a row, in both its fills but not below text, by `background`. */
static void paint_background(uint8_t *row, uint32_t width, uint8_t background)
{
    uint32_t x = 0;

    for (; x + LANES <= width; x += LANES) {
        bytes16 pixels, is_background;

        memcpy(&pixels, row + x, sizeof(pixels));
        is_background = (bytes16)((pixels & (uint8_t)~BACKGROUND_BITS) == 0);
        pixels = (pixels & ~is_background) | (is_background & background);
        memcpy(row + x, &pixels, sizeof(pixels));
    }
    for (; x < width; x++)
        row[x] = row[x] & ~BACKGROUND_BITS ? row[x] : background;
}

/* Paints the gradient over the background around the texts. */
static void paint_gradient(struct paint *paint, const struct picture *p)
{
    uint32_t height = paint->pixmap.height, width = paint->pixmap.width;

    for (unsigned i = 0; i < GRADIENT_STEPS; i++)
        paint->gradient[i] = theme_background(&p->theme, i, GRADIENT_STEPS);
    if (!theme_has_gradient(&p->theme))
        return;
    for (uint32_t y = 0; y < height; y++) {
        uint8_t *row = pixmap_row(&paint->pixmap, y);
        uint8_t background = (uint8_t)(FILL_GRADIENT * PIXMAP_LEVELS + gradient_step(y, height));

        paint_background(row, width, background);
    }
}

/* Paints a column of pictures, each in its part of the pixmap. */
static void paint_stack(struct paint *paint, const struct picture *p, unsigned ratio,
                        const struct quantize *q, const uint32_t *number)
{
    const struct pixmap whole = paint->pixmap;
    uint32_t top = 0;

    for (; p; p = p->below) {
        paint->pixmap.pixels = pixmap_row(&whole, top);
        paint->pixmap.height = p->geometry.height * ratio;
        top += paint->pixmap.height;
        paint_boxes(paint, p, ratio, q, number);
        paint_notes(paint, p, ratio);
        paint_lines(paint, p, ratio);
        number += count_colors(p);
    }
    paint->pixmap = whole;
}

bool paint_init(struct paint *paint, const struct picture *p, unsigned ratio)
{
    uint64_t width = (uint64_t)p->geometry.width * ratio;
    uint64_t height = picture_stack_height(p) * ratio;
    size_t colors = 1;
    struct quantize q = {0};
    uint32_t *number;

    *paint = (struct paint){0};
    if (width > PIXMAP_MAX_SIDE || height > PIXMAP_MAX_SIDE ||
        !pixmap_init(&paint->pixmap, (uint32_t)width, (uint32_t)height))
        return false;
    for (const struct picture *one = p; one; one = one->below)
        colors += count_colors(one);
    number = xreallocarray(NULL, colors, sizeof(*number));
    choose_fills(paint, p, &q, number);
    paint_stack(paint, p, ratio, &q, number);
    paint_gradient(paint, p);
    quantize_release(&q);
    free(number);
    return true;
}

void paint_release(struct paint *paint)
{
    pixmap_release(&paint->pixmap);
}

uint32_t paint_color(const struct paint *paint, uint8_t byte)
{
    unsigned fill = byte / PIXMAP_LEVELS;

    if (fill >= FILL_GRADIENT && fill < FILL_BOXES)
        return paint->gradient[byte - FILL_GRADIENT * PIXMAP_LEVELS];
    return color_blend(paint->background[fill], paint->ink[fill], byte % PIXMAP_LEVELS);
}
