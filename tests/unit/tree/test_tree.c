#include "tree/tree.h"

#include "base/hash.h"
#include "support/tree_check.h"
#include "unit/support/graph.h"
#include "unit/support/test.h"

static void expect_sound(const struct tree *t)
{
    struct buf why = {0};

    cr_expect(tree_check(t, &why), "%s", buf_string(&why));
    buf_release(&why);
}

/* Returns the total at the end of a path of names; UINT64_MAX if there is no such path. */
static uint64_t total_at(const struct tree *t, const char *path)
{
    const struct symbols *symbols = &t->profile->symbols;
    struct slice rest = slice_str(path), name;
    uint32_t node = TREE_ROOT;

    while (slice_cut(&rest, ';', &name)) {
        uint32_t found = TREE_ROOT;

        for (uint32_t i = 1; i < t->count; i++)
            if (t->parent[i] == node && slice_equal(symbol_name(symbols, t->symbol[i]), name))
                found = i;
        if (found == TREE_ROOT)
            return UINT64_MAX;
        node = found;
    }
    return t->total[node];
}

Test(tree_tree, totals_are_of_node_and_callees)
{
    struct graph g;
    uint64_t self[16];

    graph_init(&g, SLICE("main;a;b 3\nmain;a 4\nmain;c 5\nidle 6\n"));
    expect_sound(&g.tree);
    cr_expect_eq(tree_weight(&g.tree), 18);
    cr_expect_eq(total_at(&g.tree, "main"), 12);
    cr_expect_eq(total_at(&g.tree, "main;a"), 7);
    cr_expect_eq(total_at(&g.tree, "main;a;b"), 3);
    cr_expect_eq(total_at(&g.tree, "idle"), 6);
    cr_assert_leq(g.tree.count, 16);
    tree_self(&g.tree, self);
    cr_expect_eq(self[TREE_ROOT], 0);
    cr_expect_eq(self[1], 0, "main itself");
    cr_expect_eq(self[2], 4, "a itself");
    cr_expect_eq(self[3], 3, "b itself");
    graph_release(&g);
}

Test(tree_tree, reversed_merges_from_the_leaves)
{
    struct graph g;
    struct tree t;

    graph_init(&g, SLICE("main;a;read 3\nmain;b;read 4\nmain;-;b 5\nmain 1\n"));
    tree_init(&t, &g.profile, 0, &(struct tree_options){.reverse = true});
    expect_sound(&t);
    cr_expect_eq(tree_weight(&t), 13);
    cr_expect_eq(total_at(&t, "read"), 7);
    cr_expect_eq(total_at(&t, "read;a"), 3);
    cr_expect_eq(total_at(&t, "read;b;main"), 4);
    cr_expect_eq(total_at(&t, "b"), 5);
    cr_expect_eq(total_at(&t, "b;-;main"), 5);
    cr_expect_eq(total_at(&t, "main"), 1);
    tree_release(&t);
    graph_release(&g);
}

Test(tree_tree, a_differential_one_has_both_totals)
{
    struct graph g;
    struct tree t;

    graph_init(&g, SLICE("main;a 3 7\nmain;b 5 0\nmain;c 0 2\n"));
    cr_assert(g.tree.base);
    expect_sound(&g.tree);
    cr_expect_eq(g.tree.series, 1);
    cr_expect_eq(tree_weight(&g.tree), 9);
    cr_expect_eq(g.tree.base[TREE_ROOT], 8);
    cr_expect_eq(total_at(&g.tree, "main;b"), 0);
    tree_init(&t, &g.profile, 1, &(struct tree_options){.reverse = true});
    expect_sound(&t);
    cr_expect_eq(total_at(&t, "a;main"), 7);
    cr_expect_eq(t.base[TREE_ROOT], 8);
    tree_release(&t);
    graph_release(&g);
}

Test(tree_tree, a_series_is_alone_in_its_tree)
{
    struct graph g;
    struct tree t;
    uint32_t id, stack;

    graph_init(&g, SLICE("main;a 3\n"));
    id = profile_series(&g.profile, SLICE("other"), unit_samples);
    stack = stacks_push(&g.profile.stacks, STACK_ROOT,
                        symbols_add(&g.profile.symbols, SLICE("x"), SYMBOL_USER));
    cr_assert(profile_add(&g.profile, id, stack, 9));
    tree_init(&t, &g.profile, id, &(struct tree_options){0});
    expect_sound(&t);
    cr_expect_eq(tree_weight(&t), 9);
    cr_expect_eq(total_at(&t, "main"), 0);
    tree_release(&t);
    graph_release(&g);
}

Test(tree_tree, its_total_is_the_sum_of_what_went_in)
{
    for (uint64_t seed = 1; seed <= 20; seed++) {
        uint64_t sum = 0;
        struct buf folded;
        struct slice rest, line;
        struct graph g;
        struct tree reversed;

        graph_random(&folded, seed, 300, 12, 5);
        rest = buf_slice(&folded);
        while (slice_line(&rest, &line)) {
            uint64_t weight;

            cr_assert(num_parse_u64(slice_skip(line, slice_find_last(line, ' ') + 1), &weight));
            sum += weight;
        }
        graph_init(&g, buf_slice(&folded));
        tree_init(&reversed, &g.profile, 0, &(struct tree_options){.reverse = true});
        expect_sound(&g.tree);
        expect_sound(&reversed);
        cr_expect_eq(tree_weight(&g.tree), sum);
        cr_expect_eq(tree_weight(&reversed), sum);
        tree_release(&reversed);
        graph_release(&g);
        buf_release(&folded);
    }
}

/* Appends the stacks with their self weights, in the order of the nodes. */
static void fold(const struct tree *t, struct buf *out)
{
    uint64_t *self = xcalloc(t->count, sizeof(*self));
    uint32_t frames[64];

    tree_self(t, self);
    for (uint32_t i = 1; i < t->count; i++) {
        uint32_t depth = stacks_depth(&t->profile->stacks, i);

        if (!self[i])
            continue;
        cr_assert_leq(depth, 64);
        stacks_frames(&t->profile->stacks, i, frames, depth);
        for (uint32_t f = 0; f < depth; f++)
            buf_printf(out, "%s%.*s", f ? ";" : "",
                       SLICE_ARG(symbol_name(&t->profile->symbols, frames[f])));
        buf_printf(out, " %llu\n", (unsigned long long)self[i]);
    }
    free(self);
}

Test(tree_tree, folding_a_tree_and_reading_it_again_is_a_fixed_point)
{
    struct buf folded, once = {0}, twice = {0};
    struct graph first, second;

    graph_random(&folded, 42, 500, 10, 6);
    graph_init(&first, buf_slice(&folded));
    fold(&first.tree, &once);
    graph_init(&second, buf_slice(&once));
    fold(&second.tree, &twice);
    cr_expect_str_eq(buf_string(&twice), buf_string(&once));
    cr_expect_eq(tree_weight(&first.tree), tree_weight(&second.tree));
    graph_release(&first);
    graph_release(&second);
    buf_release(&folded);
    buf_release(&once);
    buf_release(&twice);
}

Test(tree_tree, threads_share_a_large_tree)
{
    struct tree one, three;
    struct profile p;

    graph_large(&p, 200000);
    tree_init(&one, &p, 0, &(struct tree_options){.threads = 1});
    tree_init(&three, &p, 0, &(struct tree_options){.threads = 3});
    expect_sound(&three);
    cr_expect_eq(memcmp(three.total, one.total, one.count * sizeof(*one.total)), 0);
    tree_release(&three);
    tree_release(&one);
    profile_release(&p);
}
