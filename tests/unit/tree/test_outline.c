#include "tree/outline.h"

#include "tree/sandwich.h"
#include "unit/support/graph.h"
#include "unit/support/test.h"

static void expect_rows(const struct tree *t, size_t most, bool callers, const char *want)
{
    struct outline o;
    struct buf have = {0};

    outline_init(&o, t, most, callers);
    for (size_t i = 1; i < o.rows.count; i++) {
        const struct outline_row *row = &o.rows.items[i];

        buf_printf(&have, "%s%u%.*s", i > 1 ? " " : "", row->depth,
                   SLICE_ARG(symbol_name(&t->profile->symbols, t->symbol[row->node])));
    }
    cr_expect_str_eq(buf_string(&have) ? buf_string(&have) : "", want);
    buf_release(&have);
    outline_release(&o);
}

Test(tree_outline, rows_are_in_the_order_of_calls_and_weights)
{
    struct graph g;

    graph_init(&g, SLICE("a;x 1\na;y 5\nb;z;w 9\nb 1\nc 10\nd 0\n"));
    expect_rows(&g.tree, 100, false, "1b 2z 3w 1c 1a 2y 2x");
    expect_rows(&g.tree, 4, false, "1b 2z 3w 1c");
    expect_rows(&g.tree, 0, false, "");
    graph_release(&g);
}

Test(tree_outline, sides_of_a_function)
{
    struct graph g;
    struct tree t;

    graph_init(&g, SLICE("a;f;x 1\nb;f;y 5\nc;b;f 2\n"));
    sandwich_init(&t, &g.tree, sandwich_find(&g.tree, SLICE("f")));
    expect_rows(&t, 100, true, "1b 2c 1a");
    expect_rows(&t, 100, false, "1y 1x");
    tree_release(&t);
    graph_release(&g);
}

/* The parent of each listed node is listed, and no other node is heavier than a listed one. */
Test(tree_outline, the_heaviest_nodes_are_a_tree)
{
    for (uint64_t seed = 1; seed <= 30; seed++) {
        struct buf folded;
        struct graph g;
        struct outline o;
        bool *kept;
        uint32_t nodes = 0;

        graph_random(&folded, seed * 7, 60, 9, 4);
        graph_init(&g, buf_slice(&folded));
        outline_init(&o, &g.tree, (size_t)seed * 3, false);
        kept = xcalloc(g.tree.count, sizeof(*kept));
        vec_each (struct outline_row, row, &o.rows) {
            cr_expect(row->node == TREE_ROOT || kept[g.tree.parent[row->node]]);
            kept[row->node] = true;
        }
        for (uint32_t i = 1; i < g.tree.count; i++) {
            nodes += g.tree.total[i] > 0;
            if (kept[i])
                cr_expect_geq(g.tree.total[i], o.heaviest);
            else
                cr_expect_leq(g.tree.total[i], o.heaviest);
        }
        cr_expect_eq(nodes, o.rows.count - 1 + o.left_out);
        free(kept);
        outline_release(&o);
        graph_release(&g);
        buf_release(&folded);
    }
}
