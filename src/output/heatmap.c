#include "output/heatmap.h"

#include <math.h>

#include "base/die.h"
#include "base/num.h"

enum { WIDEST = 64 /* the largest width of a column, in pixels */ };

uint32_t heatmap_columns(uint32_t width)
{
    uint32_t room = geometry_drawable_width(width);

    return room > HEATMAP_MARGIN + HEATMAP_LEAST ? (room - HEATMAP_MARGIN) / HEATMAP_LEAST : 1;
}

static unsigned channel(palette_color from, palette_color to, unsigned shift, double share)
{
    double a = from >> shift & 255, b = to >> shift & 255;

    return (unsigned)lround(a + (b - a) * share);
}

/* Returns the colour of a step, interpolated between three. Step 0 is the lowest weight. */
static palette_color step_color(unsigned step, bool dark)
{
    static const palette_color ends[2][3] = {{0xffe9a8, 0xf2622a, 0x5f0014},
                                             {0x4a2620, 0xd9542b, 0xffe68c}};
    double at = 2.0 * step / (HEATMAP_STEPS - 1);
    unsigned low = at >= 1 ? 1 : 0;
    palette_color from = ends[dark][low], to = ends[dark][low + 1];
    palette_color color = 0;

    BUG_ON(step >= HEATMAP_STEPS);
    for (unsigned shift = 0; shift < 24; shift += 8)
        color |= channel(from, to, shift, at - low) << shift;
    return color;
}

/* ---- cells --------------------------------------------------------------------------------- */

struct grid {
    int32_t left, top, column, row; /* pixels */
};

static struct grid make_grid(const struct picture *p, const struct heat *h)
{
    int32_t room = (int32_t)(p->geometry.width - 2 * p->geometry.pad_x) - HEATMAP_MARGIN;
    int32_t column = room / (int32_t)h->columns, row = (int32_t)p->options.look.frame_height;

    column = column < 1 ? 1 : column > WIDEST ? WIDEST : column;
    row /= HEAT_ROWS_TO_A_FRAME;
    return (struct grid){
        .left = (int32_t)p->geometry.pad_x + HEATMAP_MARGIN,
        .top = (int32_t)p->geometry.pad_top,
        .column = column,
        .row = row < 1 ? 1 : row,
    };
}

static unsigned step_of(const struct heat *h, uint64_t weight)
{
    return (unsigned)(((unsigned __int128)weight * (HEATMAP_STEPS - 1) + h->most / 2) / h->most);
}

/* Makes "12.340 s: 5 samples". */
static struct picture_text make_title(struct picture *p, const struct heat *h, uint32_t column,
                                      uint32_t row, uint64_t weight)
{
    uint64_t second = h->first + column * h->stride;
    struct picture_text title;
    struct buf text = {0};

    num_write_decimal(&text, second * 1000 + row * (1000 / HEAT_ROWS), 3);
    buf_add_str(&text, " s");
    if (h->stride > 1)
        buf_printf(&text, " and the same part of the next %llu seconds",
                   (unsigned long long)h->stride - 1);
    buf_add_str(&text, ": ");
    unit_write_exact(&text, &p->scale, weight);
    title = picture_text_keep(p, buf_slice(&text));
    buf_release(&text);
    return title;
}

static void add_cells(struct picture *p, const struct heat *h, const struct grid *g)
{
    for (uint32_t column = 0; column < h->columns; column++) {
        for (uint32_t row = 0; row < HEAT_ROWS; row++) {
            uint64_t weight = h->weight[(size_t)column * HEAT_ROWS + row];
            int32_t y = p->options.look.inverted ? (int32_t)row : HEAT_ROWS - 1 - (int32_t)row;
            unsigned step = weight ? step_of(h, weight) : 0;

            if (!weight)
                continue;
            *vec_add(&p->swatches) = (struct picture_swatch){
                .rect = {g->left + (int32_t)column * g->column, g->top + y * g->row,
                         g->column > 2 ? g->column - 1 : g->column,
                         g->row > 2 ? g->row - 1 : g->row},
                .color = step_color(step, false),
                .dark = step_color(step, true),
                .title = make_title(p, h, column, row, weight),
            };
        }
    }
}

/* ---- axes and legend ----------------------------------------------------------------------- */

/* Adds the vertical axis: milliseconds within the second. The top label is below its mark. */
static void add_offsets(struct picture *p, const struct grid *g)
{
    enum { MARKS = 5 };
    int32_t half = (int32_t)lround(p->options.look.font_size * 0.35); /* of a figure's height */
    struct buf text = {0};

    for (int32_t i = 0; i <= MARKS; i++) {
        int32_t row = HEAT_ROWS / MARKS * (p->options.look.inverted ? i : MARKS - i);
        int32_t y = g->top + row * g->row + (row ? half : 2 * half);

        buf_clear(&text);
        buf_printf(&text, "%d ms", (int)i * (1000 / MARKS));
        picture_text_line(p, PICTURE_LEGEND, (int32_t)p->geometry.pad_x, y, buf_slice(&text),
                          HEATMAP_MARGIN);
    }
    buf_release(&text);
}

/* Returns the least round number of columns between two labels that leaves them room. */
static uint32_t tick_columns(const struct heat *h, const struct grid *g)
{
    static const uint32_t rounds[] = {1, 2, 5};
    enum { ROOM = 48 /* pixels of a label */ };
    uint64_t power = 1;

    for (unsigned i = 0;; i++) {
        uint64_t columns = rounds[i % 3] * power;

        if (columns * (uint32_t)g->column >= ROOM || columns >= h->columns)
            return (uint32_t)columns;
        power *= i % 3 == 2 ? 10 : 1;
    }
}

/* Adds the horizontal axis: seconds since the first sample of the input. */
static void add_seconds(struct picture *p, const struct heat *h, const struct grid *g)
{
    int32_t y = g->top + HEAT_ROWS * g->row + (int32_t)lround(1.3 * p->options.look.font_size);
    int32_t end = (int32_t)(p->geometry.width - p->geometry.pad_x);
    uint32_t step = tick_columns(h, g);
    struct buf text = {0};

    for (uint32_t column = 0; column < h->columns; column += step) {
        int32_t x = g->left + (int32_t)column * g->column;

        buf_clear(&text);
        buf_printf(&text, "%llu s", (unsigned long long)(h->first + column * h->stride));
        picture_text_line(p, PICTURE_LEGEND, x, y, buf_slice(&text), end - x);
    }
    buf_release(&text);
}

/* Adds the legend of colours, below the seconds. */
static void add_key(struct picture *p, const struct heat *h, const struct grid *g)
{
    int32_t size = (int32_t)lround(p->options.look.font_size * 0.8), x = g->left;
    int32_t y = g->top + HEAT_ROWS * g->row + (int32_t)lround(2.8 * p->options.look.font_size);
    struct buf text = {0};

    for (unsigned step = 0; step < HEATMAP_STEPS; step++, x += size)
        *vec_add(&p->swatches) = (struct picture_swatch){
            .rect = {x, y - size, size, size},
            .color = step_color(step, false),
            .dark = step_color(step, true),
        };
    buf_add_str(&text, "up to ");
    unit_write_short(&text, &p->scale, h->most);
    buf_printf(&text, " in %d ms", 1000 / HEAT_ROWS);
    if (h->stride > 1)
        buf_printf(&text, " of %llu seconds", (unsigned long long)h->stride);
    picture_text_line(p, PICTURE_LEGEND, x + size, y, buf_slice(&text),
                      (int32_t)(p->geometry.width - p->geometry.pad_x) - x - size);
    buf_release(&text);
}

void heatmap_add(struct picture *p, const struct heat *h)
{
    struct grid grid = make_grid(p, h);

    add_cells(p, h, &grid);
    add_offsets(p, &grid);
    add_seconds(p, h, &grid);
    add_key(p, h, &grid);
}
