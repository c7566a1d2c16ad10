#include "tree/walk.h"

#include "unit/support/graph.h"
#include "unit/support/test.h"

/* Appends "+name" for entering, "-name" for leaving, and the depth. */
static void write_steps(const struct tree *t, struct buf *out)
{
    struct tree_walk w;

    tree_walk_init(&w, t);
    while (tree_walk_next(&w)) {
        struct slice name = w.node == TREE_ROOT
                                ? SLICE("all")
                                : symbol_name(&t->profile->symbols, t->symbol[w.node]);

        buf_printf(out, "%s%.*s%u ", w.leaving ? "-" : "+", SLICE_ARG(name), w.depth);
    }
    cr_expect_not(tree_walk_next(&w), "the end stays the end");
    tree_walk_release(&w);
}

static void expect(const char *folded, const char *want)
{
    struct graph g;
    struct buf out = {0};

    graph_init(&g, slice_str(folded));
    write_steps(&g.tree, &out);
    cr_expect_str_eq(buf_string(&out), want, "got '%s', expected '%s'", buf_string(&out), want);
    graph_release(&g);
    buf_release(&out);
}

Test(tree_walk, enters_and_leaves_depth_first)
{
    expect("a;b 1\nc 1\na;d;e 1\n", "+all0 +a1 +b2 -b2 +d2 +e3 -e3 -d2 -a1 +c1 -c1 -all0 ");
}

Test(tree_walk, passes_over_what_has_no_weight)
{
    expect("a;b 0\nc 1\nd;e 0\n", "+all0 +c1 -c1 -all0 ");
}

Test(tree_walk, sees_what_had_a_weight_before)
{
    expect("a 1 0\nb 0 0\n", "+all0 +a1 -a1 -all0 ");
}

Test(tree_walk, an_empty_graph_has_no_events)
{
    expect("a;b 0\n", "");
}
