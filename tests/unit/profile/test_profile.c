#include "profile/profile.h"

#include "unit/support/test.h"

static struct profile p;

static void set_up(void)
{
    profile_init(&p);
}

static void tear_down(void)
{
    profile_release(&p);
}

TestSuite(profile_profile, .init = set_up, .fini = tear_down);

static uint32_t stack_of(uint32_t symbol)
{
    return stacks_push(&p.stacks, STACK_ROOT, symbol);
}

Test(profile_profile, a_series_has_an_entry_per_stack)
{
    uint32_t id = profile_series(&p, SLICE("cycles"), unit_samples);
    uint32_t a = stack_of(1), b = stack_of(2);
    const struct series *s;

    cr_assert(profile_add(&p, id, b, 5));
    cr_assert(profile_add(&p, id, a, 1));
    cr_assert(profile_add(&p, id, b, 2));
    cr_assert(profile_add(&p, id, a, 1));
    s = &p.series.items[id];
    cr_assert_eq(s->count, 2);
    cr_expect_eq(s->stack[0], b);
    cr_expect_eq(s->weight[0], 7);
    cr_expect_eq(s->stack[1], a);
    cr_expect_eq(s->weight[1], 2);
    cr_expect_eq(s->total, 9);
    cr_expect_eq(s->samples, 4);
}

Test(profile_profile, entries_are_found_in_any_order)
{
    enum { STACKS = 5000 };
    uint32_t id = profile_series(&p, SLICE(""), unit_samples);

    for (uint32_t i = 0; i < STACKS; i++)
        stack_of(i);
    for (uint32_t round = 0; round < 3; round++)
        for (uint32_t i = 0; i < STACKS; i++)
            cr_assert(profile_add(&p, id, 1 + (i * 1237 + round) % STACKS, 1));
    cr_expect_eq(p.series.items[id].count, STACKS);
    for (uint32_t i = 0; i < STACKS; i++)
        cr_assert_eq(p.series.items[id].weight[i], 3);
}

Test(profile_profile, series_are_known_by_name)
{
    char noun[] = "page-faults";
    struct unit unit = {UNIT_COUNT, 0, slice_str(noun)};
    uint32_t id = profile_series(&p, SLICE("page-faults"), unit);

    memset(noun, 'x', sizeof(noun) - 1);
    cr_expect_eq(profile_series(&p, SLICE("page-faults"), unit_samples), id);
    cr_expect(slice_equal(p.series.items[id].unit.noun, SLICE("page-faults")), "noun is copied");
    cr_expect_eq(profile_find_series(&p, SLICE("cycles")), SERIES_NONE);
    cr_expect_neq(profile_series(&p, SLICE("cycles"), unit_samples), id);
}

Test(profile_profile, a_finer_weight_rescales_all)
{
    uint32_t one = profile_series(&p, SLICE("one"), unit_samples);
    uint32_t two = profile_series(&p, SLICE("two"), unit_samples);
    uint32_t a = stack_of(1);

    cr_assert(profile_add(&p, one, a, 3));
    cr_assert(profile_add_decimal(&p, two, a, (struct decimal){125, 2, false}));
    cr_assert(profile_add_decimal(&p, one, a, (struct decimal){5, 1, false}));
    cr_expect_eq(p.decimals, 2);
    cr_expect_eq(p.series.items[one].weight[0], 350);
    cr_expect_eq(p.series.items[one].total, 350);
    cr_expect_eq(p.series.items[two].total, 125);
}

Test(profile_profile, what_does_not_fit_changes_nothing)
{
    uint32_t id = profile_series(&p, SLICE(""), unit_samples);
    uint32_t a = stack_of(1);

    cr_assert(profile_add(&p, id, a, UINT64_MAX - 1));
    cr_expect_not(profile_add(&p, id, a, 2));
    cr_expect_not(profile_add_decimal(&p, id, a, (struct decimal){1, 1, false}));
    cr_expect_eq(p.decimals, 0);
    cr_expect_eq(p.series.items[id].total, UINT64_MAX - 1);
    cr_expect_eq(p.series.items[id].samples, 1);
    cr_expect(profile_add(&p, id, a, 1));
}

/* What was removed can be more than what is left. */
Test(profile_profile, removed_weight_that_does_not_fit_changes_nothing)
{
    uint32_t id = profile_series(&p, SLICE(""), unit_samples);
    uint32_t a = stack_of(1);

    cr_assert(profile_add(&p, id, a, 3));
    *vec_add(&p.series.items[id].removals) = (struct removal){"--hide", UINT64_MAX / 5, false};
    cr_expect_not(profile_rescale(&p, 1));
    cr_expect_eq(p.decimals, 0);
    cr_expect_eq(p.series.items[id].total, 3);
}

Test(profile_profile, facts_keep_their_first_value)
{
    profile_add_fact(&p, SLICE("host"), SLICE("first"));
    profile_add_fact(&p, SLICE("host"), SLICE("second"));
    cr_expect_eq(p.facts.count, 1);
    cr_expect(slice_equal(profile_fact(&p, SLICE("host")), SLICE("first")));
    cr_expect_eq(profile_fact(&p, SLICE("cpu")).len, 0);
}

Test(profile_profile, knows_the_span_of_time)
{
    uint32_t id = profile_series(&p, SLICE(""), unit_samples);
    const struct series *s = &p.series.items[id];

    cr_expect_gt(s->first_ns, s->last_ns);
    profile_add_time(&p, id, 50);
    profile_add_time(&p, id, 20);
    profile_add_time(&p, id, 30);
    cr_expect_eq(s->first_ns, 20);
    cr_expect_eq(s->last_ns, 50);
}

static unsigned by_length(const struct series *s)
{
    return (unsigned)s->name.len;
}

Test(profile_profile, series_are_found_by_the_name_they_have_now)
{
    cr_expect_eq(profile_find_series(&p, SLICE("cycles")), SERIES_NONE);
    cr_expect_eq(profile_series(&p, SLICE("cycles"), unit_samples), 0);
    cr_expect_eq(profile_series_of(&p, SLICE("a"), SLICE("cycles"), unit_samples), 1);
    cr_expect_eq(profile_series(&p, SLICE("cycles"), unit_samples), 0);
    profile_rename_series(&p, 0, SLICE("cycles, mysqld (7)"));
    cr_expect_eq(profile_find_series(&p, SLICE("cycles")), SERIES_NONE);
    cr_expect_eq(profile_find_series(&p, SLICE("cycles, mysqld (7)")), 0);
    cr_expect(slice_equal(p.series.items[0].event, SLICE("cycles")));
    profile_order_series(&p, by_length);
    cr_expect_eq(profile_find_series(&p, SLICE("a")), 0);
    cr_expect_eq(profile_find_series(&p, SLICE("cycles, mysqld (7)")), 1);
}

Test(profile_profile, records_have_the_name_of_what_they_are)
{
    uint32_t cpu, off, calls, threads;

    p.format = "test";
    p.in_order = true;
    cpu = profile_series(&p, SLICE("cpu"), unit_named(SLICE("ns")));
    off = profile_series(&p, SLICE("off"), unit_named(SLICE("ns")));
    calls = profile_series(&p, SLICE("calls"), unit_named(SLICE("ns")));
    threads = profile_series(&p, SLICE("threads"), unit_threads);
    for (uint32_t id = 0; id < 4; id++)
        cr_assert(profile_add(&p, id, STACK_ROOT, 7));
    profile_call_records(&p, off, SLICE("waits"));
    profile_uncount(&p, calls);
    profile_call_records(&p, SERIES_NONE, SLICE("nothing"));
    cr_expect(slice_equal(profile_records(&p, cpu), SLICE("samples")));
    cr_expect(slice_equal(profile_records(&p, off), SLICE("waits")));
    cr_expect_eq(profile_samples(&p, off), 1);
    cr_expect_eq(profile_samples(&p, calls), 0, "parts of calls are no samples");
    cr_expect(slice_equal(profile_records(&p, threads), SLICE("threads")));
    cr_expect_eq(profile_samples(&p, threads), 7);
    profile_join_records(&p, &p.series.items[cpu], &p.series.items[off]);
    cr_expect(slice_equal(profile_records(&p, cpu), SLICE("samples and waits")));
    profile_join_records(&p, &p.series.items[cpu], &p.series.items[off]);
    cr_expect(slice_equal(profile_records(&p, cpu), SLICE("samples and waits")));
    profile_join_records(&p, &p.series.items[off], &p.series.items[cpu]);
    cr_expect(slice_equal(profile_records(&p, off), SLICE("samples and waits")));
    profile_join_records(&p, &p.series.items[cpu], &p.series.items[threads]);
    cr_expect(slice_equal(profile_records(&p, cpu), SLICE("records")));
}

Test(profile_profile, dumps_of_threads)
{
    struct buf out = {0};
    uint32_t threads, others;

    threads = profile_series(&p, SLICE("RUNNABLE"), unit_threads);
    others = profile_series(&p, SLICE("cpu"), unit_named(SLICE("ns")));
    profile_add_dumps(&p, threads, &out);
    cr_expect_eq(out.len, 0);
    profile_add_fact(&p, SLICE("dumps"), SLICE("12"));
    profile_add_dumps(&p, others, &out);
    cr_expect_eq(out.len, 0);
    profile_add_dumps(&p, threads, &out);
    cr_expect(slice_equal(buf_slice(&out), SLICE(" in 12 dumps")));
    buf_clear(&out);
    p.inputs = 2;
    profile_add_dumps(&p, threads, &out);
    cr_expect_eq(out.len, 0);
    buf_release(&out);
}
