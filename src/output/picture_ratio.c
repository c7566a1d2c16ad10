#include "output/picture_ratio.h"

#include "base/num.h"
#include "profile/pair.h"

static enum pair_kind kind_of(const struct picture *p)
{
    const struct tree *t = p->layout->tree;

    return t->base ? pair_kind(t->profile, t->series) : PAIR_CHANGE;
}

bool picture_ratio_is(const struct picture *p)
{
    return kind_of(p) != PAIR_CHANGE;
}

struct unit picture_ratio_unit(const struct picture *p)
{
    const struct tree *t = p->layout->tree;

    return t->profile->series.items[t->profile->series.items[t->series].base].unit;
}

static void write_other(const struct picture *p, uint64_t weight, struct buf *out)
{
    struct unit_scale scale = p->scale;

    scale.unit = picture_ratio_unit(p);
    unit_write_exact(out, &scale, weight);
}

/* "IPC 1.22", or "45.30% stalled"; "-" where there are no cycles. */
static void write_ratio(const struct picture *p, struct ratio r, struct buf *out)
{
    if (!r.cycles) {
        buf_add_str(out, "no cycles");
    } else if (kind_of(p) == PAIR_STALLS) {
        pair_write_ratio(out, PAIR_STALLS, r.part, r.cycles);
        buf_add_str(out, " stalled");
    } else {
        buf_add_str(out, "IPC ");
        pair_write_ratio(out, PAIR_INSTRUCTIONS, r.part, r.cycles);
    }
}

void picture_ratio_write_box(const struct picture *p, const struct box *box, struct buf *out)
{
    const struct layout *l = p->layout;
    const struct change_amount *c = &l->changes.items[box - l->boxes.items];

    unit_write_exact(out, &p->scale, c->now);
    buf_add_str(out, ", ");
    num_write_percent(out, c->now, l->whole, c->now == l->whole ? 0 : 2);
    buf_add_str(out, "%; ");
    write_other(p, c->base, out);
    buf_add_str(out, "; ");
    write_ratio(p, (struct ratio){c->base, c->now}, out);
    buf_add_str(out, ", self ");
    write_ratio(p, (struct ratio){c->own_now - (uint64_t)c->self, c->own_now}, out);
}

/* What the other counter counted where there are no cycles, and so no box. */
static uint64_t weigh_hidden(const struct tree *t)
{
    uint64_t hidden = 0;

    for (uint32_t i = 1; i < t->count; i++)
        if (!t->total[i] && (t->total[t->parent[i]] || t->parent[i] == TREE_ROOT))
            hidden += t->base[i];
    return hidden;
}

static void write_hidden(const struct picture *p, const char *separator, struct buf *out)
{
    const struct tree *t = p->layout->tree;
    uint64_t hidden = weigh_hidden(t);

    if (!hidden || hidden < t->base[TREE_ROOT] / 2000) /* 0.0% */
        return;
    buf_add_str(out, separator);
    write_other(p, hidden, out);
    buf_add_str(out, " (");
    num_write_percent(out, hidden, t->base[TREE_ROOT], 1);
    buf_add_str(out, "%) in stacks without cycles");
}

void picture_ratio_write_total(const struct picture *p, const char *separator, struct buf *out)
{
    const struct tree *t = p->layout->tree;
    struct ratio all = {t->base[TREE_ROOT], tree_weight(t)};

    buf_add_str(out, separator);
    write_other(p, all.part, out);
    buf_add_str(out, separator);
    write_ratio(p, all, out);
    if (kind_of(p) == PAIR_INSTRUCTIONS && all.part) {
        buf_add_str(out, ", CPI ");
        pair_write_ratio(out, PAIR_INSTRUCTIONS, all.cycles, all.part);
    }
    write_hidden(p, separator, out);
}

void picture_ratio_write_scale(const struct picture *p, struct buf *out)
{
    const struct layout *l = p->layout;
    bool stalls = kind_of(p) == PAIR_STALLS;

    buf_add_str(out, l->delta_of_total ? "with all that is called: " : "of the function itself: ");
    write_ratio(p, l->range.stalled, out);
    if (ratio_compare(kind_of(p), l->range.stalled, l->range.flowing) == 0) {
        buf_add_str(out, " everywhere; of all ");
    } else {
        buf_add_str(out, stalls ? " to " : " (stalled) to ");
        write_ratio(p, l->range.flowing, out);
        buf_add_str(out, " (flowing); of all ");
    }
    write_ratio(p, (struct ratio){l->tree->base[TREE_ROOT], tree_weight(l->tree)}, out);
}
