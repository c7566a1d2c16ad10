#include "layout/ratio.h"

#include "layout/layout.h"
#include "unit/support/graph.h"
#include "unit/support/test.h"

/* Lays out stacks with two weights: instructions or stalled cycles, then cycles. */
static void lay_out(struct graph *g, struct layout *l, const char *folded, enum pair_kind kind,
                    struct layout_options options)
{
    options.width = 1000;
    options.max_depth = 100;
    graph_init(g, slice_str(folded));
    g->profile.series.items[g->tree.series].pair = (uint8_t)kind;
    layout_init(l, &g->tree, &options);
}

static int64_t delta_of(const struct layout *l, const char *name)
{
    vec_each (struct box, box, &l->boxes)
        if (box->depth &&
            slice_equal(symbol_name(&l->tree->profile->symbols, l->tree->symbol[box->node]),
                        slice_str(name)))
            return box->delta;
    cr_assert_fail("no box of %s", name);
    return 0;
}

Test(layout_ratio, the_ends_have_the_full_colours)
{
    static const char *const folded = "fast 30 10\nmiddle 20 10\nslow 10 10\nslow;inner 0 0\n";
    struct layout l;
    struct graph g;

    lay_out(&g, &l, folded, PAIR_INSTRUCTIONS, (struct layout_options){0});
    cr_expect_eq(delta_of(&l, "fast"), RATIO_MOST);
    cr_expect_eq(delta_of(&l, "middle"), 0);
    cr_expect_eq(delta_of(&l, "slow"), -RATIO_MOST);
    cr_expect_eq(l.total, 30, "as wide as the cycles");
    cr_expect_eq(l.lane, 0);
    layout_release(&l);
    graph_release(&g);
    lay_out(&g, &l, folded, PAIR_STALLS, (struct layout_options){.negate = false});
    cr_expect_eq(delta_of(&l, "fast"), -RATIO_MOST, "it stalls most");
    cr_expect_eq(delta_of(&l, "slow"), RATIO_MOST);
    layout_release(&l);
    graph_release(&g);
    lay_out(&g, &l, folded, PAIR_STALLS, (struct layout_options){.negate = true});
    cr_expect_eq(delta_of(&l, "fast"), RATIO_MOST);
    layout_release(&l);
    graph_release(&g);
}

Test(layout_ratio, own_weights_or_all_that_is_called)
{
    static const char *const folded = "a 10 10\na;b 0 10\nc 8 10\n";
    struct layout l;
    struct graph g;

    lay_out(&g, &l, folded, PAIR_INSTRUCTIONS, (struct layout_options){0});
    cr_expect_eq(delta_of(&l, "a"), RATIO_MOST, "1.0 of its own");
    cr_expect_eq(delta_of(&l, "b"), -RATIO_MOST);
    layout_release(&l);
    graph_release(&g);
    lay_out(&g, &l, folded, PAIR_INSTRUCTIONS, (struct layout_options){.delta_of_total = true});
    cr_expect_eq(delta_of(&l, "c"), RATIO_MOST, "0.8");
    cr_expect_eq(delta_of(&l, "a"), -166666, "0.5 is a sixth of the way from 0.6 to 0");
    layout_release(&l);
    graph_release(&g);
}

Test(layout_ratio, frames_of_hardly_any_cycles_have_no_colour)
{
    struct layout l;
    struct graph g;

    lay_out(&g, &l, "fast 20000 10000\nslow 10000 10000\nchance 900 9\nnothing 5 0\n",
            PAIR_INSTRUCTIONS, (struct layout_options){0});
    cr_expect_eq(delta_of(&l, "fast"), RATIO_MOST);
    cr_expect_eq(delta_of(&l, "slow"), -RATIO_MOST);
    cr_expect_eq(delta_of(&l, "chance"), 0);
    layout_release(&l);
    graph_release(&g);
}

Test(layout_ratio, one_ratio_has_no_colour)
{
    struct layout l;
    struct graph g;

    lay_out(&g, &l, "a 20 10\nb 10 5\n", PAIR_INSTRUCTIONS, (struct layout_options){0});
    cr_expect_eq(delta_of(&l, "a"), 0);
    layout_release(&l);
    graph_release(&g);
}
