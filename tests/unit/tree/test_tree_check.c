#include "support/tree_check.h"

#include "unit/support/graph.h"
#include "unit/support/test.h"

static struct graph g;
static struct buf why;

static void set_up(void)
{
    graph_init(&g, SLICE("a;b 2 3\na;c 4 5\nd 6 7\n"));
}

static void tear_down(void)
{
    graph_release(&g);
    buf_release(&why);
}

TestSuite(tree_check, .init = set_up, .fini = tear_down);

static void expect(const char *what)
{
    cr_expect_not(tree_check(&g.tree, &why));
    cr_expect(slice_search(buf_slice(&why), slice_str(what)) < why.len, "the reason is '%s'",
              buf_string(&why));
}

Test(tree_check, a_tree_as_built_is_sound)
{
    cr_expect(tree_check(&g.tree, &why), "%s", buf_string(&why));
}

Test(tree_check, parents_come_first)
{
    g.profile.stacks.parent[1] = 2;
    expect("before its parent");
}

Test(tree_check, symbols_exist)
{
    g.profile.stacks.symbol[2] = 99;
    expect("does not exist");
}

Test(tree_check, siblings_are_distinct)
{
    g.profile.stacks.symbol[3] = g.profile.stacks.symbol[2];
    expect("one stack");
}

Test(tree_check, children_fit_in_their_parent)
{
    g.tree.total[1]--;
    expect("less than its children");
}

Test(tree_check, base_children_too)
{
    g.tree.base[1]--;
    expect("less than its children");
}

Test(tree_check, the_root_has_it_all)
{
    g.tree.total[TREE_ROOT]++;
    expect("the root has");
}

Test(tree_check, the_root_is_a_root)
{
    g.profile.stacks.symbol[TREE_ROOT] = 0;
    expect("not a root");
}
