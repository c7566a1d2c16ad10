#include "output/legend.h"

#include <math.h>
#include <stdlib.h>

#include "base/die.h"
#include "base/num.h"
#include "output/picture_change.h"

static struct buf *add_entry(struct legend *l, palette_color color)
{
    *vec_add(&l->entries) = (struct legend_entry){.color = color, .at = l->text.len};
    return &l->text;
}

static void end_entry(struct legend *l)
{
    struct legend_entry *e = &l->entries.items[l->entries.count - 1];

    e->len = (uint32_t)(l->text.len - e->at);
}

/* ---- changes ---- */

enum { STEPS = 4 }; /* of the scale, to either side of no change */

/* The scale of the colours: step by step, and behind the last one what its ends stand for. */
static void add_scale(struct legend *l, const struct picture *p)
{
    const struct diverge_look *look = &p->options.diverge;
    int64_t most = p->layout->max_delta;
    struct buf *out = NULL;

    for (int step = -STEPS; step <= STEPS; step++) {
        out = add_entry(l, diverge_pick(look->pair, step, STEPS));
        l->entries.items[l->entries.count - 1].hatch = look->hatch ? step : 0;
    }
    buf_add_str(out, p->layout->delta_of_total ? "change with all that is called, "
                                               : "change of the function itself, ");
    picture_change_write(p, -most, out);
    buf_add_str(out, " to ");
    picture_change_write(p, most, out);
    end_entry(l);
}

static void add_changes(struct legend *l, const struct picture *p)
{
    bool by_base = p->layout->width_by == CHANGE_BY_BASE;

    add_scale(l, p);
    if (p->layout->lane) {
        buf_add_str(add_entry(l, PALETTE_ROOT),
                    by_base ? "new: paths that the base has not, as wide as they are now"
                            : "gone: paths that only the base has, as wide as they were");
        end_entry(l);
    }
}

/* ---- classes ---- */

/*
 * Self weight by class, without the self weight of each node: a node's total
 * belongs to its class, less what its children take. Sums are modulo 2^64.
 */
static void sum_classes(const struct picture *p, uint64_t *sums)
{
    const struct tree *t = p->layout->tree;

    for (uint32_t id = 1; id < t->count; id++) {
        if (!t->total[id])
            continue;
        sums[p->classes[t->symbol[id]]] += t->total[id];
        if (t->parent[id] != TREE_ROOT)
            sums[p->classes[t->symbol[t->parent[id]]]] -= t->total[id];
    }
}

/* "kernel 12.3%"; what rounds to nothing is left out. */
static void add_share(struct legend *l, const struct picture *p, unsigned class, uint64_t weight)
{
    static const double middle[] = {0.5, 0.5, 0.5};
    const struct palette_class *c = &p->options.colors.palette->classes[class];
    uint64_t total = tree_weight(p->layout->tree);
    struct buf *out;

    if (!weight || weight < total / 2000)
        return;
    out = add_entry(l, hue_color(c->hue, middle));
    buf_add_str(out, c->word);
    buf_add_char(out, ' ');
    num_write_percent(out, weight, total, 1);
    buf_add_char(out, '%');
    end_entry(l);
}

static void add_classes(struct legend *l, const struct picture *p)
{
    uint64_t sums[PICTURE_CLASSES] = {0};

    sum_classes(p, sums);
    for (unsigned i = 0; p->options.colors.palette->classes[i].word; i++)
        add_share(l, p, i, sums[i]);
}

/* ---- places ---- */

static void lay(struct legend *l, const struct picture *p)
{
    struct label_style style = label_style(picture_line_size(p, PICTURE_LEGEND), 1);
    int32_t room = (int32_t)geometry_drawable_width(p->options.width), x = 0;

    vec_each (struct legend_entry, e, &l->entries) {
        int64_t text = label_width(p->fonts, style, legend_text(l, e));
        int32_t width = e->len ? legend_gap(l) + (int32_t)((text + 63) / 64) : l->swatch;

        if (x && x + width > room) {
            l->rows++;
            x = 0;
        }
        e->row = l->rows;
        e->x = x;
        x += width + (e->len ? 2 * l->swatch : 0); /* without a text: a step of a scale */
    }
    l->rows += l->entries.count > 0;
}

void legend_init(struct legend *l, const struct picture *p)
{
    *l = (struct legend){.swatch = (int32_t)lround(p->options.font_size * 0.8)};
    buf_init(&l->text);
    if (p->layout->tree->base)
        add_changes(l, p);
    else if (p->classes)
        add_classes(l, p);
    lay(l, p);
}

void legend_release(struct legend *l)
{
    vec_release(&l->entries);
    buf_release(&l->text);
}
