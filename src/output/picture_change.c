#include "output/picture_change.h"

#include "base/num.h"

const struct background picture_change_ground = {
    "differential", {0xe6e8eb, 0xe6e8eb}, {0x17191e, 0x17191e}};

struct slice picture_change_lane(const struct picture *p)
{
    return p->layout->width_by == CHANGE_BY_BASE ? SLICE("new") : SLICE("gone");
}

int picture_change_hatch(const struct picture *p, const struct box *box)
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

void picture_change_write_weight(const struct picture *p, uint64_t weight, struct buf *out)
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

void picture_change_write(const struct picture *p, int64_t change, struct buf *out)
{
    write_sign(change, out);
    picture_change_write_weight(p, size_of(change), out);
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
    num_write_percent(out, weight, whole, weight == whole ? 0 : 2);
    buf_add_char(out, '%');
}

void picture_change_write_box(const struct picture *p, const struct box *box, struct buf *out)
{
    const struct layout *l = p->layout;
    const struct change_amount *c = &l->changes.items[box - l->boxes.items];

    write_side(p, "base ", c->base, l->tree->base[TREE_ROOT], out);
    write_side(p, "; new ", c->now, l->whole, out);
    buf_add_str(out, "; change ");
    write_exact(p, (int64_t)(c->now - c->base), out);
    buf_add_str(out, ", self ");
    write_exact(p, c->self, out);
}

/* ---- the total ----------------------------------------------------------------------------- */

/* Of things the number alone: the unit has been told. */
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

void picture_change_write_total(const struct picture *p, struct buf *out)
{
    const struct layout *l = p->layout;
    const struct change_balance *b = &l->balance;
    uint64_t now = tree_weight(l->tree), before = l->tree->base[TREE_ROOT];
    int64_t change = (int64_t)(now - before);
    bool begun = false;

    buf_add_str(out, "change ");
    picture_change_write(p, change, out);
    if (before && change) {
        buf_add_str(out, change < 0 ? " (-" : " (+");
        num_write_percent(out, size_of(change), before, 1);
        buf_add_str(out, "%)");
    }
    write_part(p, "new paths ", '+', b->new, &begun, out);
    write_part(p, "grown ", '+', b->grown, &begun, out);
    write_part(p, "shrunk ", '-', b->shrunk, &begun, out);
    write_part(p, "gone paths ", '-', b->gone, &begun, out);
    if (l->hidden_change) {
        buf_add_str(out, begun ? " (" : ": ");
        picture_change_write(p, l->hidden_change, out);
        buf_add_str(out, begun ? " in frames not drawn)" : " in frames not drawn");
    }
}
