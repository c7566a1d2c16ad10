#include "tree/reverse.h"

#include "support/tree_check.h"
#include "unit/support/graph.h"
#include "unit/support/test.h"

/* Returns the totals of a trie into which the reversed stacks are pushed one by one. */
static uint64_t *naive(const struct profile *p, const struct series *s, struct stacks *trie)
{
    uint64_t *total = NULL;

    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < s->count; i++) {
            uint32_t node = STACK_ROOT;

            if (pass)
                total[node] += s->weight[i];
            for (uint32_t id = s->stack[i]; s->weight[i] && id; id = p->stacks.parent[id]) {
                node = stacks_push(trie, node, p->stacks.symbol[id]);
                if (pass)
                    total[node] += s->weight[i];
            }
        }
        if (!pass)
            total = xcalloc(trie->count, sizeof(*total));
    }
    return total;
}

/* Expects the nodes of the tree to be those of the trie, with the same weights. */
static void compare(const struct tree *t, const uint64_t *weights, const struct series *s)
{
    struct stacks trie;
    uint64_t *total;
    uint32_t *place = xcalloc(t->count, sizeof(*place)), count = 1;

    stacks_init(&trie);
    total = naive(t->profile, s, &trie);
    cr_expect_eq(weights[TREE_ROOT], total[STACK_ROOT]);
    for (uint32_t id = 1; id < t->count; id++) {
        if (!weights[id])
            continue;
        count++;
        place[id] = stacks_push(&trie, place[t->parent[id]], t->symbol[id]);
        cr_assert_eq(weights[id], total[place[id]]);
    }
    cr_expect_eq(count, trie.count);
    free(total);
    free(place);
    stacks_release(&trie);
}

Test(tree_reverse, is_the_trie_of_the_turned_stacks)
{
    for (uint64_t seed = 1; seed <= 40; seed++) {
        struct buf folded, why = {0};
        struct graph g;
        struct tree t;

        graph_random(&folded, seed * 13, 1 + (unsigned)seed * 5, 9, 1 + (unsigned)seed % 7);
        graph_init(&g, buf_slice(&folded));
        cr_assert(profile_add(&g.profile, 0, STACK_ROOT, seed % 2));
        tree_init(&t, &g.profile, 0, &(struct tree_options){.reverse = true});
        cr_expect(tree_check(&t, &why), "%s", buf_string(&why));
        compare(&t, t.total, &g.profile.series.items[0]);
        cr_expect(t.reversed);
        buf_release(&why);
        tree_release(&t);
        graph_release(&g);
        buf_release(&folded);
    }
}

Test(tree_reverse, both_sides_of_a_change)
{
    struct graph g;
    struct tree t;

    graph_init(&g, SLICE("a;b;c 3 1\nb;c 0 4\na;b 2 0\nb;b;b 7 7\n"));
    tree_init(&t, &g.profile, 1, &(struct tree_options){.reverse = true});
    compare(&t, t.total, &g.profile.series.items[1]);
    compare(&t, t.base, &g.profile.series.items[0]);
    tree_release(&t);
    graph_release(&g);
}

Test(tree_reverse, a_stack_of_a_million_frames)
{
    struct profile p;
    struct tree t;
    uint32_t stack = STACK_ROOT;

    profile_init(&p);
    profile_series(&p, SLICE(""), unit_samples);
    for (uint32_t i = 0; i < 1000000; i++)
        stack = stacks_push(&p.stacks, stack,
                            symbols_add(&p.symbols, i % 2 ? SLICE("a") : SLICE("b"), SYMBOL_USER));
    cr_assert(profile_add(&p, 0, stack, 1));
    cr_assert(profile_add(&p, 0, p.stacks.parent[stack], 2));
    tree_init(&t, &p, 0, &(struct tree_options){.reverse = true});
    cr_expect_eq(t.count, 2 * 1000000);
    cr_expect_eq(tree_weight(&t), 3);
    tree_release(&t);
    profile_release(&p);
}
