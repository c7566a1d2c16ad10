#include "prepare/prepare.h"

#include "profile/reshape.h"
#include "unit/support/reading.h"
#include "unit/support/test.h"

#define FAULTS                                                                                     \
    "a 1/1 1.0: 3 page-faults: \n\t1 foo (m)\n\na 1/1 2.0: 1 page-faults: \n\t2 bar (m)\n\n"
#define CYCLES "a 1/1 1.0: 300 cycles: \n\t1 f (m)\n\na 1/1 2.0: 100 instructions: \n\t1 f (m)\n\n"

static void read(struct reading *r, const char *text, const struct recipe *recipe)
{
    struct input_options input = input_options_default();

    input.timed = recipe->timed;
    reading_text(r, slice_str(text), &input);
    cr_assert_eq(r->result, INPUT_READ);
}

static void focus(struct recipe *r, const char *pattern)
{
    struct buf why = {0};

    cr_assert(filter_add(&r->filter, FILTER_FOCUS, slice_str(pattern), false, &why));
    buf_release(&why);
}

/* Totals and removals of a change are the same for one file of two columns and for two files. */
Test(prepare, two_files_are_as_two_columns)
{
    static const struct prepare_case {
        bool normalize, negate, focus;
        enum kind_id kind;
    } cases[] = {
        {false, false, false, KIND_STACKS},     {false, false, true, KIND_PAGE_FAULTS},
        {true, false, false, KIND_PAGE_FAULTS}, {true, true, true, KIND_PAGE_FAULTS},
        {true, false, true, KIND_STACKS},       {false, true, true, KIND_PAGE_FAULTS},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct reading columns, before, after;
        struct prepared one, two;
        struct recipe r;
        const struct series *s, *t;

        recipe_init(&r);
        r.one_graph = true;
        r.kind = &kinds[cases[i].kind];
        r.normalize = cases[i].normalize;
        r.negate = cases[i].negate;
        if (cases[i].focus)
            focus(&r, "foo");
        read(&columns, "main;foo;x 1 3\nmain;bar 1 5\n", &r);
        read(&before, "main;foo;x 1\nmain;bar 1\n", &r);
        read(&after, "main;foo;x 3\nmain;bar 5\n", &r);
        prepared_init(&one);
        prepared_init(&two);
        cr_assert(prepare(&columns.profile, &r, &one, &columns.diag));
        cr_assert(prepare_two(&(struct prepare_input){&before.profile, SLICE("before")},
                              &(struct prepare_input){&after.profile, SLICE("after")}, &r, &two,
                              &after.diag));
        s = &columns.profile.series.items[one.graphs.items[0]];
        t = &after.profile.series.items[two.graphs.items[0]];
        for (int side = 0; side < 2; side++) {
            cr_expect_eq(s->total, t->total, "row %zu", i);
            cr_expect_eq(s->unscaled, t->unscaled, "row %zu", i);
            cr_expect_eq(reshape_whole(s), reshape_whole(t), "row %zu", i);
            cr_expect_eq(s->unit.kind, t->unit.kind, "row %zu", i);
            cr_assert_eq(s->removals.count, t->removals.count, "row %zu", i);
            for (size_t k = 0; k < s->removals.count; k++)
                cr_expect_eq(s->removals.items[k].weight, t->removals.items[k].weight);
            if (!side) {
                s = &columns.profile.series.items[s->base];
                t = &after.profile.series.items[t->base];
            }
        }
        prepared_release(&one);
        prepared_release(&two);
        reading_release(&columns);
        reading_release(&before);
        reading_release(&after);
        recipe_release(&r);
    }
}

Test(prepare, scales_units_before_shares_are_taken_out)
{
    struct reading in;
    struct prepared made;
    struct recipe r;
    const struct series *s;

    recipe_init(&r);
    focus(&r, "foo");
    read(&in, FAULTS, &r);
    prepared_init(&made);
    cr_assert(prepare(&in.profile, &r, &made, &in.diag));
    s = &in.profile.series.items[made.graphs.items[0]];
    cr_expect_eq(s->total, 3 * 4096);
    cr_expect_eq(s->removals.items[0].weight, 4096);
    prepared_release(&made);
    reading_release(&in);
    recipe_release(&r);
}

Test(prepare, adds_a_graph_of_two_counters_unless_it_is_told_what_to_draw)
{
    static const struct {
        const char *what, *kind, *around;
        bool one_graph;
        size_t graphs;
    } cases[] = {
        {"a report", NULL, NULL, false, 3},
        {"one graph", NULL, NULL, true, 1},
        {"a kind", "cpu", NULL, false, 1},
        {"of both alone", "cpi", NULL, false, 1},
        {"callers and callees", NULL, "f", false, 2},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct reading in;
        struct prepared made;
        struct recipe r;

        recipe_init(&r);
        r.kind = cases[i].kind ? kind_find(slice_str(cases[i].kind)) : NULL;
        r.around = slice_str(cases[i].around);
        r.one_graph = cases[i].one_graph;
        read(&in, CYCLES, &r);
        prepared_init(&made);
        cr_assert(prepare(&in.profile, &r, &made, &in.diag), "%s", cases[i].what);
        cr_expect_eq(made.graphs.count, cases[i].graphs, "%s", cases[i].what);
        prepared_release(&made);
        reading_release(&in);
        recipe_release(&r);
    }
}

Test(prepare, says_what_the_input_lacks)
{
    static const struct {
        const char *text, *event, *kind;
        bool needs_pair;
        const char *error;
    } cases[] = {
        {CYCLES, "none", NULL, false,
         "no event 'none' in the input, which has: cycles, instructions"},
        {FAULTS, NULL, "hotcold", false, "hotcold needs on-CPU time and off-CPU time"},
        {FAULTS, NULL, "cpi", false, "a graph of two counters needs cycles"},
        {FAULTS, NULL, NULL, true, "one file shows a change only if"},
        {"a;b 1 2\n", "base", NULL, true, "base alone shows no change"},
        {FAULTS, "page-faults", "off-cpu", false, "off-cpu needs time that threads were blocked"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct reading in;
        struct prepared made;
        struct recipe r;

        recipe_init(&r);
        r.one_graph = true;
        r.needs_pair = cases[i].needs_pair;
        r.kind = cases[i].kind ? kind_find(slice_str(cases[i].kind)) : NULL;
        if (cases[i].event)
            *vec_add(&r.events) = slice_str(cases[i].event);
        read(&in, cases[i].text, &r);
        prepared_init(&made);
        cr_expect_not(prepare(&in.profile, &r, &made, &in.diag), "row %zu", i);
        reading_expect_message(&in, cases[i].error);
        prepared_release(&made);
        reading_release(&in);
        recipe_release(&r);
    }
}
