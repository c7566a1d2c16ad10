#include "prepare/states.h"

#include "output/folded.h"
#include "prepare/prepare.h"
#include "unit/support/graph.h"
#include "unit/support/reading.h"
#include "unit/support/test.h"

/* The classes JIT and interpreted are states; others are not. */
enum { STATES = 1u << SYMBOL_JIT | 1u << SYMBOL_INTERPRETED };

static const struct {
    const char *name, *read, *joined;
} rows[] = {
    {"the state with most weight stays", "a;f_[j] 3\na;f_[0] 2\n", "a;f_[j] 5\n"},
    {"callees count", "f_[0];g 4\nf_[j] 3\nf_[0] 1\n", "f_[0] 4\nf_[0];g 4\n"},
    {"in all places", "a;f_[j] 3\nb;f_[0] 2\n", "a;f_[j] 3\nb;f_[j] 2\n"},
    {"stacks below are merged", "f_[j];g_[j];h 1\nf_[0];g_[0];h 2\n", "f_[0];g_[0];h 3\n"},
    {"no state counts as one", "f_[j] 3\nf 2\n", "f_[j] 5\n"},
    {"the first of equal ones stays", "f_[0] 2\nf_[j] 2\n", "f_[0] 4\n"},
    {"the kernel is no state", "f_[k] 3\nf_[j] 2\n", "f_[j] 2\nf_[k] 3\n"},
    {"classes that were not found out", "f_[1] 3\nf_[j] 2\n", "f_[1] 3\nf_[j] 2\n"},
};

static bool keep(void *context, struct slice bytes)
{
    buf_add_slice(context, bytes);
    return true;
}

Test(prepare_states, join_functions_of_one_name)
{
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct buf text = {0};
        struct graph g;

        graph_init(&g, slice_str(rows[i].read));
        g.profile.symbols.states = STATES;
        states_join(&g.profile);
        folded_write(&g.profile, 0, NULL, keep, &text);
        cr_expect_str_eq(buf_string(&text), rows[i].joined, "%s: %s", rows[i].name,
                         buf_string(&text));
        graph_release(&g);
        buf_release(&text);
    }
}

Test(prepare_states, are_apart_if_nothing_is_a_state)
{
    struct graph g;

    graph_init(&g, SLICE("f_[j] 3\nf_[0] 2\n"));
    states_join(&g.profile);
    cr_expect_eq(g.profile.series.items[0].count, 2);
    graph_release(&g);
}

/* A function of a JIT's map and one of a binary have one name. */
Test(prepare_states, are_joined_unless_they_are_asked_for)
{
    const char *perf = "a 1/1 1.0: 3 cycles: \n\t1 f (/tmp/perf-1.map)\n\n"
                       "a 1/1 2.0: 1 cycles: \n\t2 f (/bin/a)\n\n";

    for (int asked = 0; asked < 2; asked++) {
        struct input_options input = input_options_default();
        struct prepared made;
        struct reading r;
        struct recipe recipe;
        struct buf text = {0};

        input.jit = true;
        input.join_states = !asked;
        recipe_init(&recipe);
        prepared_init(&made);
        reading_text(&r, slice_str(perf), &input);
        cr_assert_eq(r.result, INPUT_READ);
        cr_assert(prepare(&r.profile, &recipe, &made, &r.diag));
        reading_fold(&r, 0, &text);
        cr_expect_str_eq(buf_string(&text), asked ? "a;f 1\na;f_[j] 3\n" : "a;f_[j] 4\n");
        prepared_release(&made);
        recipe_release(&recipe);
        reading_release(&r);
        buf_release(&text);
    }
}
