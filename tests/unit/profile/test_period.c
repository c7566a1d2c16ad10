#include "profile/period.h"

#include "profile/reshape.h"
#include "unit/support/test.h"

static uint32_t add(struct profile *p, uint32_t series, const char *name, uint64_t ns,
                    uint64_t weight)
{
    uint32_t stack =
        stacks_push(&p->stacks, STACK_ROOT, symbols_add(&p->symbols, slice_str(name), SYMBOL_USER));

    if (ns)
        profile_add_time(p, series, ns);
    cr_assert(profile_add(p, series, stack, weight));
    return stack;
}

static uint64_t weight_of(const struct profile *p, uint32_t series, uint32_t stack)
{
    const struct series *s = &p->series.items[series];

    for (uint32_t i = 0; i < s->count; i++)
        if (s->stack[i] == stack)
            return s->weight[i];
    return 0;
}

Test(profile_period, moments_outside_are_removed_and_counted)
{
    struct profile p;
    struct period all;
    uint32_t timed, other, a, b;

    profile_init(&p);
    p.keep_timed = true;
    timed = profile_series(&p, SLICE("cpu"), unit_samples);
    other = profile_series(&p, SLICE("heap"), unit_samples);
    a = add(&p, timed, "a", 100, 5);
    b = add(&p, timed, "b", 300, 7);
    add(&p, timed, "a", 200, 11);
    add(&p, other, "a", 0, 13);

    all = period_of(&p);
    cr_expect_eq(all.from, 100);
    cr_expect_eq(all.to, 300);
    period_select(&p, (struct period){200, 300}, "--from");
    cr_expect_eq(weight_of(&p, timed, a), 11);
    cr_expect_eq(weight_of(&p, timed, b), 7);
    cr_expect_eq(p.series.items[timed].total, 18);
    cr_expect_eq(p.series.items[timed].samples, 2);
    cr_expect_eq(p.series.items[timed].first_ns, 200);
    cr_expect_eq(p.series.items[timed].timed.items.count, 2);
    cr_expect_eq(reshape_whole(&p.series.items[timed]), 23);
    cr_expect_eq(p.series.items[other].total, 0, "moments without a time are removed");
    cr_expect_eq(reshape_whole(&p.series.items[other]), 13);
    profile_release(&p);
}

/*
 * Waits of a: 100 to 400 and 500 to 600; of b: 250 to 350. From 200 to 300, a waits 100 and b 50;
 * the sample at 300 stays, those at 199 and 301 go.
 */
Test(profile_period, spans_are_cut_at_both_ends)
{
    const struct unit ns = {.kind = UNIT_SECONDS, .exponent = -9};

    for (unsigned decimals = 0; decimals < 3; decimals++) {
        uint64_t times = num_pow10(decimals);
        struct profile p;
        uint32_t wait, cpu, a, b;

        profile_init(&p);
        p.keep_timed = true;
        wait = profile_series(&p, SLICE("off-cpu"), ns);
        cpu = profile_series(&p, SLICE("cpu"), unit_samples);
        a = add(&p, cpu, "a", 199, 1);
        b = add(&p, cpu, "b", 300, 1);
        add(&p, cpu, "b", 301, 1);
        cr_assert(profile_add_span(&p, wait, a, 100, 300));
        cr_assert(profile_add_span(&p, wait, a, 500, 100));
        cr_assert(profile_rescale(&p, decimals));
        cr_assert(profile_add_span(&p, wait, b, 250, 100));
        cr_expect_eq(period_of(&p).from, 100);
        cr_expect_eq(period_of(&p).to, 600, "the last span ends at %llu",
                     (unsigned long long)period_of(&p).to);
        period_select(&p, (struct period){200, 300}, "--from --to");
        cr_expect_eq(weight_of(&p, wait, a), 100 * times);
        cr_expect_eq(weight_of(&p, wait, b), 50 * times);
        cr_expect_eq(p.series.items[wait].samples, 2);
        cr_expect_eq(p.series.items[wait].first_ns, 200);
        cr_expect_eq(reshape_whole(&p.series.items[wait]), 500 * times);
        cr_expect(p.series.items[wait].timed.items.items[1].span);
        cr_expect_eq(p.series.items[cpu].total, times);
        cr_expect_eq(weight_of(&p, cpu, b), times);
        profile_release(&p);
    }
}

Test(profile_period, of_no_times)
{
    struct profile p;
    struct period all;

    profile_init(&p);
    p.keep_timed = true;
    add(&p, profile_series(&p, SLICE("cpu"), unit_samples), "a", 0, 1);
    all = period_of(&p);
    cr_expect_gt(all.from, all.to);
    profile_release(&p);
}
