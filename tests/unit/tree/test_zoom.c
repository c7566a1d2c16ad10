#include "tree/zoom.h"

#include "tree/sandwich.h"
#include "tree/digest.h"
#include "unit/support/graph.h"
#include "unit/support/test.h"

/* Appends a line of folded stacks without what precedes the callers of the function; or nothing. */
static void cut_line(struct slice line, struct slice function, unsigned callers, struct buf *out)
{
    struct slice stack = slice_take(line, slice_find_last(line, ' ')), rest = stack, name;
    size_t starts[64], count = 0;

    while (slice_cut(&rest, ';', &name)) {
        starts[count++] = (size_t)(name.ptr - line.ptr);
        if (!slice_equal(name, function))
            continue;
        count = count - 1 > callers ? count - 1 - callers : 0;
        buf_add_slice(out, slice_skip(line, starts[count]));
        buf_add_char(out, '\n');
        return;
    }
}

/* The part is the tree of the stacks that are cut as text. */
static void compare(struct slice folded, const char *function, unsigned callers)
{
    struct buf cut = {0}, want = {0}, got = {0};
    struct slice rest = folded, line;
    struct graph g, h;
    struct tree t;

    while (slice_line(&rest, &line))
        cut_line(line, slice_str(function), callers, &cut);
    graph_init(&g, folded);
    graph_init(&h, buf_slice(&cut));
    zoom_init(&t, &g.tree, sandwich_find(&g.tree, slice_str(function)), callers);
    tree_digest(&h.tree, &want);
    tree_digest(&t, &got);
    cr_expect_str_eq(buf_string(&got), buf_string(&want), "%u callers of %s in\n%.*s", callers,
                     function, SLICE_ARG(folded));
    cr_expect_eq(t.part_of, tree_weight(&g.tree));
    tree_release(&t);
    graph_release(&g);
    graph_release(&h);
    buf_release(&cut);
    buf_release(&want);
    buf_release(&got);
}

Test(tree_zoom, the_part_has_the_stacks_through_the_function)
{
    for (uint64_t seed = 1; seed <= 40; seed++) {
        struct buf folded = {0};

        graph_random(&folded, seed * 17, 40, 8, 5);
        compare(buf_slice(&folded), "f2", 0);
        compare(buf_slice(&folded), "f2", 1);
        compare(buf_slice(&folded), "f2", 2);
        compare(buf_slice(&folded), "f2", ZOOM_ALL_CALLERS);
        buf_release(&folded);
    }
}

Test(tree_zoom, the_outermost_call_counts)
{
    compare(SLICE("a;f;b;f;c 3\nd;a;f 2\nf 1\nx 9\n"), "f", 1);
    compare(SLICE("a;f;b;f;c 3\nd;a;f 2\nf 1\nx 9\n"), "f", ZOOM_ALL_CALLERS);
}

Test(tree_zoom, a_change_has_both_sides)
{
    struct graph g;
    struct tree t;

    graph_init(&g, SLICE("a;f;x 3 1\nb;f 0 4\nc 7 7\n"));
    zoom_init(&t, &g.tree, sandwich_find(&g.tree, SLICE("f")), 0);
    cr_expect_eq(t.total[TREE_ROOT], 5);
    cr_expect_eq(t.base[TREE_ROOT], 3);
    cr_expect_eq(t.count, 3, "the root, f and x");
    tree_release(&t);
    graph_release(&g);
}
