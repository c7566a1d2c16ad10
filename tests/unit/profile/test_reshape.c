#include "profile/reshape.h"

#include "unit/support/graph.h"
#include "unit/support/test.h"

Test(profile_reshape, weights_move_merge_and_go)
{
    struct graph g;
    struct series *s;
    uint32_t to[] = {0, 2, 2, STACK_NONE};

    graph_init(&g, SLICE("a 1\na;b 2\nc 4\n"));
    s = &g.profile.series.items[0];
    profile_reshape(&g.profile, NULL, to);
    cr_expect_eq(s->count, 1);
    cr_expect_eq(s->stack[0], 2);
    cr_expect_eq(s->weight[0], 3);
    cr_expect_eq(s->total, 3);
    cr_expect_eq(s->samples, 0, "unknown after weight was removed");
    cr_assert(profile_add(&g.profile, 0, 1, 5), "samples can still be added");
    cr_assert(profile_add(&g.profile, 0, 2, 5));
    cr_expect_eq(s->count, 2);
    cr_expect_eq(s->weight[0], 8);
    graph_release(&g);
}

Test(profile_reshape, samples_are_known_where_nothing_went)
{
    struct graph g;
    uint32_t to[] = {0, 1, 1};

    graph_init(&g, SLICE("a 1\na;b 2\n"));
    profile_reshape(&g.profile, NULL, to);
    cr_expect_eq(g.profile.series.items[0].samples, 2);
    cr_expect_eq(g.profile.series.items[0].weight[0], 3);
    graph_release(&g);
}

Test(profile_reshape, removals_of_an_option_are_one)
{
    struct profile p;
    struct series *s;

    profile_init(&p);
    profile_series(&p, SLICE("x"), unit_samples);
    s = &p.series.items[0];
    reshape_add_removal(s, "--focus", 0, false);
    cr_expect_eq(s->removals.count, 0);
    reshape_add_removal(s, "--focus", 3, false);
    reshape_add_removal(s, "--focus", 4, false);
    reshape_add_removal(s, "--focus", 5, true);
    cr_assert_eq(s->removals.count, 2);
    cr_expect_eq(s->removals.items[0].weight, 7);
    cr_expect_eq(reshape_whole(s), 7, "the weight of shortened stacks is not removed");
    cr_assert(profile_rescale(&p, 2));
    cr_expect_eq(reshape_whole(s), 700);
    profile_release(&p);
}

Test(profile_reshape, a_root_below_all_stacks)
{
    struct graph g;
    struct tree t;

    graph_init(&g, SLICE("a;b 2\nc 4\n"));
    cr_assert(profile_add(&g.profile, 0, STACK_ROOT, 8));
    reshape_add_root(&g.profile, SLICE("host"));
    tree_init(&t, &g.profile, 0, &(struct tree_options){0});
    cr_expect_eq(tree_weight(&t), 14);
    cr_expect_eq(t.total[1], 14);
    cr_expect(slice_equal(symbol_name(&g.profile.symbols, t.symbol[1]), SLICE("host")));
    for (uint32_t id = 2; id < t.count; id++)
        cr_expect_neq(t.parent[id], TREE_ROOT);
    cr_expect_eq(g.profile.series.items[0].samples, 3, "no sample is removed");
    tree_release(&t);
    graph_release(&g);
}

/* "a_[o];b_[k] 3 " for all stacks with weight; owners have the suffix "_[o]". */
static void tell_stacks(const struct profile *p, struct buf *out)
{
    const struct series *s = &p->series.items[0];

    for (uint32_t i = 0; i < s->count; i++) {
        uint32_t frames[8], depth = stacks_depth(&p->stacks, s->stack[i]);

        stacks_frames(&p->stacks, s->stack[i], frames, depth);
        for (uint32_t k = 0; k < depth; k++) {
            enum symbol_class class = symbol_class(&p->symbols, frames[k]);

            buf_printf(out, "%s%.*s%.*s", k ? ";" : "",
                       SLICE_ARG(symbol_name(&p->symbols, frames[k])),
                       SLICE_ARG(class == SYMBOL_OWNER ? SLICE("_[o]") : symbol_suffix(class)));
        }
        buf_printf(out, " %llu ", (unsigned long long)s->weight[i]);
    }
}

Test(profile_reshape, owners_match)
{
    static const struct {
        const char *whole, *part, *want;
    } rows[] = {
        {"x_[o];a 1\n", "x;a 3\nx;x 4\nb;x 5\n", "x_[o];a 3 x_[o];x 4 b;x 5 "},
        {"p_[o];t_[o];a 1\n", "p;t;a 3\nt;p 4\n", "p_[o];t_[o];a 3 t;p 4 "},
        {"x;a 1\n", "x_[o];x 3\nx_[o];a 4\n", "x;x 3 x;a 4 "},
        {"x_[o];a 1\n", "x_[o];x 3\nx 4\n", "x_[o];x 3 x 4 "},
        {"x_[o];a 1\n", "x_[k];a 3\n", "x_[k];a 3 "},
        {"", "x_[o];a 3\n", "x_[o];a 3 "},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct graph whole, part;
        struct buf out = {0};

        graph_init(&whole, slice_str(rows[i].whole));
        graph_init(&part, slice_str(rows[i].part));
        reshape_match_owners(&whole.profile, &part.profile);
        tell_stacks(&part.profile, &out);
        cr_expect_str_eq(buf_string(&out), rows[i].want, "%zu: '%s'", i, buf_string(&out));
        buf_release(&out);
        graph_release(&part);
        graph_release(&whole);
    }
}

Test(profile_reshape, marks_match)
{
    static const struct {
        const char *name, *marked, *bare, *want;
        unsigned states; /* of `marked` */
    } rows[] = {
        {"a bare function", "a;b_[k] 1\na;c_[i] 2\n", "a;b 3\n", "a;b 1 a;c 2 ", 0},
        {"no function of both", "a;b_[k] 1\n", "a;c 3\n", "a;b_[k] 1 ", 0},
        {"marks on both sides", "a;b_[k] 1\n", "a;b 3\na_[j] 1\n", "a;b_[k] 1 ", 0},
        {"stacks that become equal", "b 1\nb_[k] 2\n", "b 3\n", "b 3 ", 0},
        {"other classes", "a;b_[k];c_[w] 1\n", "b 3\nc 1\n", "a;b;c_[w] 1 ", 0},
        {"states, which are no marks", "a_[j];b_[k] 1\n", "a 3\n", "a_[j];b_[k] 1 ",
         1u << SYMBOL_JIT},
    };

    for (size_t i = 0; i < 2 * sizeof(rows) / sizeof(rows[0]); i++) {
        struct graph marked, bare;
        struct buf out = {0};

        graph_init(&marked, slice_str(rows[i / 2].marked));
        graph_init(&bare, slice_str(rows[i / 2].bare));
        marked.profile.symbols.states = rows[i / 2].states;
        if (i % 2)
            reshape_match_marks(&marked.profile, &bare.profile);
        else
            reshape_match_marks(&bare.profile, &marked.profile);
        tell_stacks(&marked.profile, &out);
        cr_expect_str_eq(buf_string(&out), rows[i / 2].want, "%s: '%s'", rows[i / 2].name,
                         buf_string(&out));
        buf_release(&out);
        graph_release(&bare);
        graph_release(&marked);
    }
}

Test(profile_reshape, the_weight_of_a_sample_outlives_a_filter)
{
    struct graph g;
    struct series *s;
    uint32_t to[] = {0, 1, STACK_NONE}, none[] = {0, 1, STACK_NONE};

    graph_init(&g, SLICE("a 30\nb 60\n"));
    s = &g.profile.series.items[0];
    s->unit = (struct unit){.kind = UNIT_SECONDS, .exponent = -9};
    s->samples = 9;
    s->squares = 900;
    g.profile.in_order = true;
    g.profile.format = "perf-script";
    cr_expect_eq(profile_sample_weight(&g.profile, 0), 10);
    profile_reshape(&g.profile, NULL, to);
    cr_expect_eq(profile_samples(&g.profile, 0), 0, "an estimate is no number of samples");
    cr_expect_eq(profile_sample_weight(&g.profile, 0), 10);
    profile_reshape(&g.profile, NULL, none);
    cr_expect_eq(profile_sample_weight(&g.profile, 0), 10, "nothing was removed");
    g.profile.series.items[0].uncounted = true;
    cr_expect_eq(profile_sample_weight(&g.profile, 0), 0, "records are sums of samples");
    graph_release(&g);
}

Test(profile_reshape, stacks_that_become_equal_are_merged)
{
    struct graph g;
    const struct stacks *stacks;
    const struct series *s;
    uint32_t to[3], count = 0;

    graph_init(&g, SLICE("a;x 1\na;b 2\nb;x 4\n"));
    for (uint32_t id = 0; id < symbols_count(&g.profile.symbols); id++)
        to[count++] = symbols_find(&g.profile.symbols,
                                   slice_equal(symbol_name(&g.profile.symbols, id), SLICE("b"))
                                       ? SLICE("a")
                                       : symbol_name(&g.profile.symbols, id),
                                   SYMBOL_USER);
    cr_assert_eq(count, 3);
    reshape_symbols(&g.profile, to);
    stacks = &g.profile.stacks;
    s = &g.profile.series.items[0];
    cr_expect_eq(stacks->count, 4, "the root, a, a;x and a;a");
    cr_expect_eq(s->count, 2);
    cr_expect_eq(s->total, 7);
    cr_expect_eq(s->samples, 3, "no weight is lost");
    for (uint32_t i = 0; i < s->count; i++)
        cr_expect_eq(s->weight[i], stacks->symbol[s->stack[i]] == to[0] ? 2 : 5);
    graph_release(&g);
}
