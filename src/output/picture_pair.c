#include "output/picture_pair.h"

#include "base/num.h"
#include "profile/pair.h"

/* ---- changes --------------------------------------------------------------------------------- */

const struct background picture_pair_ground = {
    "differential", {0xe6e8eb, 0xe6e8eb}, {0x17191e, 0x17191e}};

struct slice picture_pair_lane(const struct picture *p)
{
    return p->layout->width_by == CHANGE_BY_BASE ? SLICE("new") : SLICE("gone");
}

int picture_pair_hatch(const struct picture *p, const struct box *box)
{
    const struct tree *t = p->layout->tree;

    if (!p->options.diverge.hatch || !t->base || box->node == LAYOUT_LANE || !box->delta)
        return 0;
    if (box->depth && symbol_class(&t->profile->symbols, t->symbol[box->node]) == SYMBOL_SEPARATOR)
        return 0;
    return box->delta > 0 ? 1 : -1;
}

static uint64_t size_of(int64_t change)
{
    return change < 0 ? -(uint64_t)change : (uint64_t)change;
}

static void write_short(const struct picture *p, uint64_t weight, struct buf *out)
{
    if (p->scale.unit.kind == UNIT_COUNT)
        unit_write_exact(out, &p->scale, weight);
    else
        unit_write_short(out, &p->scale, weight);
}

static void write_sign(int64_t change, struct buf *out)
{
    if (change)
        buf_add_char(out, change < 0 ? '-' : '+');
}

static void write_change(const struct picture *p, int64_t change, struct buf *out)
{
    write_sign(change, out);
    write_short(p, size_of(change), out);
}

static void write_exact(const struct picture *p, int64_t change, struct buf *out)
{
    write_sign(change, out);
    unit_write_exact(out, &p->scale, size_of(change));
}

static void write_side(const struct picture *p, const char *name, uint64_t weight, uint64_t whole,
                       struct buf *out)
{
    buf_add_str(out, name);
    unit_write_exact(out, &p->scale, weight);
    buf_add_str(out, ", ");
    num_write_percent(out, weight, whole, weight == whole ? 0 : PERCENT_TABLE);
    buf_add_char(out, '%');
}

static void write_change_box(const struct picture *p, const struct box *box, struct buf *out)
{
    const struct layout *l = p->layout;
    const struct change_amount *c = &l->changes.items[box - l->boxes.items];
    const struct tree *whole = l->tree->whole ? l->tree->whole : l->tree;

    write_side(p, "base ", c->base, whole->base[TREE_ROOT], out);
    write_side(p, "; new ", c->now, l->whole, out);
    buf_add_str(out, "; change ");
    write_exact(p, (int64_t)(c->now - c->base), out);
    if (box->callers)
        return;
    buf_add_str(out, ", self ");
    write_exact(p, c->self, out);
}

/* Writes "grown +5". Counts go without the unit, which the total has. */
static void write_part(const struct picture *p, const char *what, char sign, uint64_t size,
                       bool *begun, struct buf *out)
{
    if (!size)
        return;
    buf_printf(out, "%s%s%c", *begun ? ", " : ": ", what, sign);
    if (p->scale.unit.kind == UNIT_COUNT)
        unit_write_number(out, &p->scale, size);
    else
        unit_write_short(out, &p->scale, size);
    *begun = true;
}

static void write_balance(const struct picture *p, bool scaled, struct buf *out)
{
    const struct layout *l = p->layout;
    const struct change_balance *b = &l->balance;
    uint64_t now = tree_weight(l->tree), before = l->tree->base[TREE_ROOT];
    int64_t change = (int64_t)(now - before);
    bool begun = false;

    if (change) {
        buf_add_str(out, "change ");
        write_change(p, change, out);
    } else {
        buf_add_str(out, scaled ? "total unchanged after scaling" : "total unchanged");
    }
    if (before && change) {
        buf_add_str(out, change < 0 ? " (-" : " (+");
        num_write_percent(out, size_of(change), before, PERCENT_CAPTION);
        buf_add_str(out, "%)");
    }
    write_part(p, "only in new ", '+', b->new, &begun, out);
    write_part(p, "grown ", '+', b->grown, &begun, out);
    write_part(p, "shrunk ", '-', b->shrunk, &begun, out);
    write_part(p, "only in base ", '-', b->gone, &begun, out);
    if (l->hidden_change) {
        buf_add_str(out, begun ? " (" : ": ");
        write_change(p, l->hidden_change, out);
        buf_add_str(out, begun ? " in frames not drawn)" : " in frames not drawn");
    }
}

static void add_base_total(const struct picture *p, struct buf *out)
{
    const struct tree *t = p->layout->tree;
    const struct series *s = &t->profile->series.items[t->series];
    const struct series *base = s->base == SERIES_NONE ? NULL : &t->profile->series.items[s->base];
    uint64_t unscaled = base ? base->unscaled : 0;

    buf_add_str(out, "base ");
    if (base && base->input.len)
        buf_printf(out, "%.*s: ", SLICE_ARG(base->input));
    write_short(p, t->base[TREE_ROOT], out);
    if (t->whole) {
        buf_add_str(out, ", ");
        num_write_percent(out, t->base[TREE_ROOT], t->whole->base[TREE_ROOT], PERCENT_CAPTION);
        buf_add_str(out, "% of all");
        return;
    }
    if (unscaled) {
        buf_add_str(out, ", scaled from ");
        write_short(p, unscaled, out);
    }
    picture_write_samples(p, p->options.base_samples, unscaled ? unscaled : t->base[TREE_ROOT],
                          out);
}

static void add_change_total(const struct picture *p, struct facts *f)
{
    const struct tree *t = p->layout->tree;
    const struct series *s = &t->profile->series.items[t->series];
    bool scaled =
        s->unscaled || (s->base != SERIES_NONE && t->profile->series.items[s->base].unscaled);

    add_base_total(p, facts_add(f, FACT_TOTAL));
    write_balance(p, scaled, facts_add(f, FACT_TOTAL));
}

static void write_change_scale(const struct picture *p, struct buf *out)
{
    int64_t most = p->layout->max_delta;

    buf_add_str(out, p->layout->delta_of_total ? "change of total, "
                     : p->layout->below        ? "change of self, of callers total, "
                                               : "change of self, ");
    write_change(p, -most, out);
    buf_add_str(out, " to ");
    write_change(p, most, out);
    if (p->options.marked)
        buf_add_str(out, "; pale: no finding");
    else if (evidence_is_known(&p->layout->evidence))
        buf_printf(out, "; paler below %d standard errors", EVIDENCE_FULL);
}

/* ---- ratios of two counters ------------------------------------------------------------------ */

static enum pair_kind kind_of(const struct picture *p)
{
    const struct tree *t = p->layout->tree;

    return t->base ? pair_kind(t->profile, t->series) : PAIR_CHANGE;
}

bool picture_pair_is_ratio(const struct picture *p)
{
    return kind_of(p) != PAIR_CHANGE;
}

struct unit picture_pair_other_unit(const struct picture *p)
{
    const struct tree *t = p->layout->tree;

    return t->profile->series.items[t->profile->series.items[t->series].base].unit;
}

static void write_other(const struct picture *p, uint64_t weight, struct buf *out)
{
    struct unit_scale scale = p->scale;

    scale.unit = picture_pair_other_unit(p);
    unit_write_exact(out, &scale, weight);
}

/* Writes "IPC 1.22" or "45.30% stalled"; "no cycles" if there are none. */
static void write_ratio(const struct picture *p, struct ratio r, struct buf *out)
{
    const struct tree *t = p->layout->tree;

    if (!r.cycles) {
        buf_add_str(out, "no cycles");
    } else if (pair_is_relative(t->profile, t->series)) {
        pair_write_relative(out, r.part, r.cycles, t->base[TREE_ROOT], t->total[TREE_ROOT]);
    } else if (kind_of(p) == PAIR_STALLS) {
        pair_write_ratio(out, PAIR_STALLS, r.part, r.cycles);
        buf_add_str(out, " stalled");
    } else {
        buf_add_str(out, "IPC ");
        pair_write_ratio(out, PAIR_INSTRUCTIONS, r.part, r.cycles);
    }
}

static void write_ratio_box(const struct picture *p, const struct box *box, struct buf *out)
{
    const struct layout *l = p->layout;
    const struct change_amount *c = &l->changes.items[box - l->boxes.items];

    unit_write_exact(out, &p->scale, c->now);
    buf_add_str(out, ", ");
    num_write_percent(out, c->now, l->whole, c->now == l->whole ? 0 : PERCENT_TABLE);
    buf_add_str(out, "%; ");
    write_other(p, c->base, out);
    buf_add_str(out, "; ");
    write_ratio(p, (struct ratio){c->base, c->now}, out);
    buf_add_str(out, ", self ");
    write_ratio(p, (struct ratio){c->own_now - (uint64_t)c->self, c->own_now}, out);
}

/* Returns what the second counter counted in frames without cycles, which have no box. */
static uint64_t weigh_hidden(const struct tree *t)
{
    uint64_t hidden = 0;

    for (uint32_t i = 1; i < t->count; i++)
        if (!t->total[i] && (t->total[t->parent[i]] || t->parent[i] == TREE_ROOT))
            hidden += t->base[i];
    return hidden;
}

static void add_hidden(const struct picture *p, struct facts *f)
{
    const struct tree *t = p->layout->tree;
    uint64_t hidden = weigh_hidden(t);
    struct buf *out;

    if (!hidden || hidden < t->base[TREE_ROOT] / 2000) /* 0.0% */
        return;
    out = facts_add(f, FACT_HIDDEN);
    write_other(p, hidden, out);
    buf_add_str(out, " (");
    num_write_percent(out, hidden, t->base[TREE_ROOT], PERCENT_CAPTION);
    buf_add_str(out, "%) in stacks without cycles");
}

static void add_ratio_total(const struct picture *p, struct facts *f)
{
    const struct tree *t = p->layout->tree;
    struct ratio all = {t->base[TREE_ROOT], tree_weight(t)};
    struct buf *out;

    write_other(p, all.part, facts_add(f, FACT_TOTAL));
    out = facts_add(f, FACT_TOTAL);
    if (pair_is_relative(t->profile, t->series)) {
        buf_add_str(out, "periods unknown (perf script -F +period, perf record -c N)");
    } else {
        write_ratio(p, all, out);
        if (kind_of(p) == PAIR_INSTRUCTIONS && all.part) {
            buf_add_str(out, ", CPI ");
            pair_write_ratio(out, PAIR_INSTRUCTIONS, all.cycles, all.part);
        }
    }
    add_hidden(p, f);
}

static void write_ratio_scale(const struct picture *p, struct buf *out)
{
    const struct layout *l = p->layout;
    const struct tree *t = l->tree;
    bool stalls = kind_of(p) == PAIR_STALLS;

    buf_add_str(out, l->delta_of_total ? "total: " : "self: ");
    write_ratio(p, l->range.stalled, out);
    if (ratio_compare(kind_of(p), l->range.stalled, l->range.flowing) == 0) {
        buf_add_str(out, " everywhere");
    } else {
        buf_add_str(out, stalls ? " to " : " (stalled) to ");
        write_ratio(p, l->range.flowing, out);
        buf_add_str(out, " (flowing)");
    }
    buf_add_str(out, "; white: the average");
    if (!pair_is_relative(t->profile, t->series)) {
        buf_add_str(out, ", ");
        write_ratio(p, l->range.average, out);
    }
    if (l->range.least > 1) {
        buf_add_str(out, ", or fewer than ");
        unit_write_exact(out, &p->scale, l->range.least);
    }
}

/* ---- either ---------------------------------------------------------------------------------- */

void picture_pair_write_box(const struct picture *p, const struct box *box, struct buf *out)
{
    if (picture_pair_is_ratio(p))
        write_ratio_box(p, box, out);
    else
        write_change_box(p, box, out);
}

void picture_pair_add_total(const struct picture *p, struct facts *f)
{
    if (picture_pair_is_ratio(p))
        add_ratio_total(p, f);
    else
        add_change_total(p, f);
}

void picture_pair_write_scale(const struct picture *p, struct buf *out)
{
    if (picture_pair_is_ratio(p))
        write_ratio_scale(p, out);
    else
        write_change_scale(p, out);
}
