#include "prepare/counters.h"

#include "unit/support/test.h"

Test(prepare_counters, are_told_apart_by_their_names)
{
    static const struct {
        const char *name;
        enum counter counter;
    } rows[] = {
        {"cycles", COUNTER_CYCLES},
        {"estimated cycles", COUNTER_CYCLES},
        {"Ir", COUNTER_INSTRUCTIONS},
        {"app-insn.folded", COUNTER_INSTRUCTIONS},
        {"cycles:u", COUNTER_CYCLES},
        {"cpu-cycles", COUNTER_CYCLES},
        {"cpu_core/cycles/", COUNTER_CYCLES},
        {"CPU_CLK_UNHALTED.THREAD_P", COUNTER_CYCLES},
        {"unhalted-cycles", COUNTER_CYCLES},
        {"ls_not_halted_cyc", COUNTER_CYCLES},
        {"instructions", COUNTER_INSTRUCTIONS},
        {"instructions:uppp", COUNTER_INSTRUCTIONS},
        {"INST_RETIRED.ANY_P", COUNTER_INSTRUCTIONS},
        {"inst-retired", COUNTER_INSTRUCTIONS},
        {"ex_ret_instr", COUNTER_INSTRUCTIONS},
        {"stalled-cycles-frontend", COUNTER_STALLS},
        {"stalled-cycles-backend:u", COUNTER_STALLS},
        {"RESOURCE_STALLS.ANY", COUNTER_STALLS},
        {"cycle_activity.stalls_total", COUNTER_STALLS},
        {"stall_backend", COUNTER_STALLS},
        {"cache-misses", COUNTER_OTHER},
        {"cpu-clock", COUNTER_OTHER},
        {"", COUNTER_OTHER},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        cr_expect_eq(counters_role(slice_str(rows[i].name)), rows[i].counter, "%s", rows[i].name);
}

static struct profile *profile_of(struct profile *p, const char *const *events, size_t count)
{
    profile_init(p);
    for (size_t i = 0; i < count; i++) {
        uint32_t series = profile_series(p, slice_str(events[i]), unit_samples);
        uint32_t stack =
            stacks_push(&p->stacks, STACK_ROOT, symbols_add(&p->symbols, SLICE("f"), SYMBOL_USER));

        cr_assert(profile_add(p, series, stack, 1 + i));
    }
    return p;
}

Test(prepare_counters, instructions_and_cycles_become_a_pair)
{
    static const char *const events[] = {"stalled-cycles-backend", "instructions", "cache-misses",
                                         "cycles"};
    struct recipe r;
    struct profile p;
    uint32_t series;

    recipe_init(&r);
    series = counters_join(&r, profile_of(&p, events, 4));
    cr_assert_eq(series, 3);
    cr_expect_eq(p.series.items[3].base, 1);
    cr_expect(p.series.items[1].before);
    cr_expect_eq(pair_kind(&p, 3), PAIR_INSTRUCTIONS);
    profile_release(&p);

    *vec_add(&r.events) = SLICE("cycles");
    *vec_add(&r.events) = SLICE("stalled-cycles-backend");
    series = counters_join(&r, profile_of(&p, events, 4));
    cr_assert_eq(series, 3);
    cr_expect_eq(pair_kind(&p, 3), PAIR_STALLS);
    profile_release(&p);
    recipe_release(&r);
}

Test(prepare_counters, fixed_periods_make_counts_of_samples)
{
    static const char *const events[] = {"cycles", "instructions"};
    static const struct {
        const char *keys[2], *values[2];
        uint64_t cycles, instructions;
        bool relative;
    } rows[] = {
        {{"period of cycles", "period of instructions"}, {"100", "3"}, 100, 3, false},
        {{"period", "x"}, {"7", "x"}, 7, 7, false},
        {{"period", "event"}, {"7", "cycles"}, 1, 1, true},
        {{"period of cycles", "event"}, {"100", "cycles"}, 100, 1, true},
        {{"x", "y"}, {"1", "1"}, 1, 1, true},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct recipe r;
        struct profile p;
        uint64_t before[2];

        recipe_init(&r);
        profile_of(&p, events, 2);
        before[0] = p.series.items[0].total;
        before[1] = p.series.items[1].total;
        for (int f = 0; f < 2; f++)
            profile_add_fact(&p, slice_str(rows[i].keys[f]), slice_str(rows[i].values[f]));
        cr_assert_eq(counters_join(&r, &p), 0);
        cr_expect_eq(p.series.items[0].total, before[0] * rows[i].cycles, "row %zu", i);
        cr_expect_eq(p.series.items[1].total, before[1] * rows[i].instructions, "row %zu", i);
        cr_expect_eq(pair_is_relative(&p, 0), rows[i].relative, "row %zu", i);
        cr_expect(slice_equal(p.series.items[0].unit.noun,
                              rows[i].cycles > 1 ? SLICE("cycles") : SLICE("cycles samples")));
        profile_release(&p);
        recipe_release(&r);
    }
}

Test(prepare_counters, one_counter_is_none)
{
    static const char *const one[] = {"cycles"}, *const no_cycles[] = {"instructions", "stalls"};
    struct recipe r;
    struct profile p;
    struct diag diag;

    recipe_init(&r);
    diag_init(&diag, SLICE("flamepress"));
    cr_expect_eq(counters_join(&r, profile_of(&p, one, 1)), SERIES_NONE);
    cr_expect_not(counters_tell_missing(&p, &diag));
    cr_expect_eq(diag.counts[DIAG_ERROR], 1);
    profile_release(&p);
    cr_expect_eq(counters_join(&r, profile_of(&p, no_cycles, 2)), SERIES_NONE);
    profile_release(&p);
    diag_release(&diag);
    recipe_release(&r);
}

Test(prepare_counters, a_graph_of_both_beside_theirs)
{
    static const struct {
        const char *what, *events[4];
        uint32_t cycles, other; /* the series that make the graph; 0, 0 if there is no graph */
        enum pair_kind pair;
    } rows[] = {
        {"instructions before stalls",
         {"stalled-cycles-backend", "instructions", "cycles", "x"},
         2,
         1,
         PAIR_INSTRUCTIONS},
        {"stalls", {"x", "cycles", "stalled-cycles-backend"}, 1, 2, PAIR_STALLS},
        {"callgrind's", {"Ir", "Dr", "estimated cycles"}, 2, 0, PAIR_INSTRUCTIONS},
        {"one counter", {"cycles"}, 0, 0, PAIR_CHANGE},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct profile p;
        struct diag diag;
        size_t count = 0;
        uint32_t id;

        while (count < 4 && rows[i].events[count])
            count++;
        diag_init(&diag, SLICE("in"));
        cr_assert(counters_add_graphs(profile_of(&p, rows[i].events, count), &diag));
        id = profile_find_series(&p, SLICE("CPI"));
        cr_expect_eq(id != SERIES_NONE, rows[i].pair != PAIR_CHANGE, "%s", rows[i].what);
        if (id != SERIES_NONE && rows[i].pair != PAIR_CHANGE) {
            const struct series *s = &p.series.items[id], *base = &p.series.items[s->base];

            cr_expect_eq(pair_kind(&p, id), rows[i].pair, "%s", rows[i].what);
            cr_expect_eq(s->total, rows[i].cycles + 1, "%s", rows[i].what);
            cr_expect_eq(base->total, rows[i].other + 1, "%s", rows[i].what);
            cr_expect(base->before);
            cr_expect_not(p.series.items[rows[i].other].before, "its own graph stays");
        }
        profile_release(&p);
        diag_release(&diag);
    }
}

Test(prepare_counters, each_part_has_its_own)
{
    static const char *const names[] = {"cycles, a (1)", "cycles, b (2)", "instructions, b (2)"};
    struct profile p;
    struct diag diag;

    diag_init(&diag, SLICE("in"));
    profile_init(&p);
    for (size_t i = 0; i < 3; i++) {
        struct slice name = slice_str(names[i]);

        profile_add(
            &p, profile_series_of(&p, name, slice_take(name, slice_find(name, ',')), unit_samples),
            STACK_ROOT, 1);
    }
    cr_assert(counters_add_graphs(&p, &diag));
    cr_expect_eq(profile_find_series(&p, SLICE("CPI, a (1)")), SERIES_NONE);
    cr_expect_neq(profile_find_series(&p, SLICE("CPI, b (2)")), SERIES_NONE);
    profile_release(&p);
    diag_release(&diag);
}
