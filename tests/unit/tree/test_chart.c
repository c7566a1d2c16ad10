/* Compares charts with cells: one per unit of weight, with its stack. */
#include "tree/chart.h"

#include "layout/layout.h"
#include "unit/support/test.h"

enum { CELLS = 400, DEEPEST = 5 };

struct timeline {
    struct profile profile;
    uint32_t series;
    uint32_t cells[CELLS]; /* the stack of each unit of weight, in the order of time */
    uint32_t count;
};

static uint32_t next(uint32_t *seed)
{
    *seed = *seed * 1664525 + 1013904223;
    return *seed >> 16;
}

/* Makes timed samples of small weights, some of them 0, with few functions. */
static void make_timeline(struct timeline *t, uint32_t seed)
{
    *t = (struct timeline){0};
    profile_init(&t->profile);
    t->profile.keep_timed = true;
    t->series = profile_series(&t->profile, SLICE("cpu"), unit_samples);
    for (uint64_t ns = 1; t->count + 4 < CELLS; ns++) {
        uint32_t stack = STACK_ROOT, weight = next(&seed) % 4, depth = next(&seed) % DEEPEST;

        for (uint32_t i = 0; i < depth; i++) {
            char name[] = {(char)('a' + next(&seed) % 2), '\0'};

            stack = stacks_push(&t->profile.stacks, stack,
                                symbols_add(&t->profile.symbols, slice_str(name), SYMBOL_USER));
        }
        profile_add_time(&t->profile, t->series, ns);
        cr_assert(profile_add(&t->profile, t->series, stack, weight));
        while (weight--)
            t->cells[t->count++] = stack;
    }
}

/* Returns the ancestor of a cell's stack at that depth; STACK_ROOT if the stack is less deep. */
static uint32_t stack_at(const struct timeline *t, uint32_t cell, uint32_t depth)
{
    const struct stacks *stacks = &t->profile.stacks;
    uint32_t path[DEEPEST + 1], count = 0;

    for (uint32_t id = t->cells[cell]; id != STACK_ROOT; id = stacks->parent[id])
        path[count++] = id;
    return depth <= count ? path[count - depth] : STACK_ROOT;
}

/* Expects a box at each run of cells with one stack, with the same start and width. */
static void expect_row(const struct timeline *t, const struct layout *l, uint32_t depth)
{
    size_t box = 0;

    while (box < l->boxes.count && l->boxes.items[box].depth < depth)
        box++;
    for (uint32_t from = 0, to; from < t->count; from = to) {
        uint32_t stack = stack_at(t, from, depth);

        for (to = from + 1; to < t->count && stack_at(t, to, depth) == stack;)
            to++;
        if (stack == STACK_ROOT)
            continue;
        cr_assert_lt(box, l->boxes.count);
        cr_expect_eq(l->boxes.items[box].depth, depth);
        cr_expect_eq(l->boxes.items[box].start, from);
        cr_expect_eq(l->boxes.items[box].weight, to - from);
        cr_expect_eq(l->tree->symbol[l->boxes.items[box].node], t->profile.stacks.symbol[stack]);
        box++;
    }
    cr_expect(box == l->boxes.count || l->boxes.items[box].depth > depth);
}

Test(tree_chart, frames_stand_where_they_were_sampled)
{
    for (uint32_t seed = 1; seed <= 50; seed++) {
        struct layout_options options = {.max_depth = 100};
        struct timeline t;
        struct layout l;
        struct tree chart;

        make_timeline(&t, seed);
        cr_assert(chart_is_possible(&t.profile, t.series));
        cr_assert(chart_init(&chart, &t.profile, t.series));
        cr_expect_eq(tree_weight(&chart), t.count);
        layout_init(&l, &chart, &options);
        for (uint32_t depth = 1; depth < DEEPEST; depth++)
            expect_row(&t, &l, depth);
        layout_release(&l);
        tree_release(&chart);
        profile_release(&t.profile);
    }
}

Test(tree_chart, needs_an_order)
{
    struct profile p;
    uint32_t series, stack;

    profile_init(&p);
    p.keep_timed = true;
    series = profile_series(&p, SLICE("cpu"), unit_samples);
    stack = stacks_push(&p.stacks, STACK_ROOT, symbols_add(&p.symbols, SLICE("a"), SYMBOL_USER));
    cr_expect_not(chart_is_possible(&p, series), "nothing was measured");
    profile_add_time(&p, series, 5);
    cr_assert(profile_add(&p, series, stack, 1));
    cr_expect(chart_is_possible(&p, series));
    cr_assert(profile_add(&p, series, stack, 1));
    cr_expect_not(chart_is_possible(&p, series), "the second sample has no time");
    p.in_order = true;
    cr_expect(chart_is_possible(&p, series), "the file is in the order of time");
    profile_release(&p);
}
