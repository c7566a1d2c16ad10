
#include "profile/service.h"

#include "unit/support/test.h"

static const struct unit nanoseconds = {UNIT_SECONDS, -9, {0}};

/* Makes a profile of weights of main;f<n>, with one sample for each weight. */
static void make(struct profile *p, struct unit unit, const uint64_t *weights, size_t count)
{
    uint32_t series, root;

    profile_init(p);
    p->format = "perf-script";
    p->in_order = true;
    series = profile_series(p, SLICE("cpu-clock"), unit);
    root = stacks_push(&p->stacks, STACK_ROOT, symbols_add(&p->symbols, SLICE("main"), 0));
    for (size_t i = 0; i < count; i++) {
        const char name[] = {'f', (char)('0' + i), 0};
        uint32_t symbol = symbols_add(&p->symbols, slice_str(name), SYMBOL_USER);

        cr_assert(profile_add(p, series, stacks_push(&p->stacks, root, symbol), weights[i]));
    }
    profile_add_fact(p, SLICE(RUN_HOST), SLICE("web1"));
    p->ledger.lost = count;
}

Test(profile_service, runs_share_stacks_and_keep_their_facts)
{
    static const uint64_t first[] = {5, 5}, second[] = {1, 1, 4};
    char host[] = "web2", commit[] = "4fe1"; /* are gone before the facts are */
    struct profile p;
    struct service s;
    uint32_t sum;

    service_init(&s, SLICE("orders"));
    make(&p, nanoseconds, first, 2);
    cr_assert(service_takes(&s, &p, 0));
    cr_assert(service_add_run(&s, SLICE("orders.1"), &p, 0));
    profile_release(&p);
    make(&p, nanoseconds, second, 3);
    cr_assert(service_takes(&s, &p, 0));
    cr_assert(service_add_run(&s, SLICE("orders.2"), &p, 0));
    profile_release(&p);

    cr_expect(slice_equal(s.name, SLICE("orders")) && slice_equal(s.event, SLICE("cpu-clock")));
    cr_expect_not(s.exact);
    cr_assert_eq(s.runs.count, 2);
    cr_expect_eq(s.profile.stacks.count, 5, "root, main, f0, f1, f2");
    cr_expect_eq(s.runs.items[0].samples, 2);
    cr_expect_eq(s.runs.items[0].effective, 2);
    cr_expect_eq(s.runs.items[1].samples, 3);
    cr_expect_eq(s.runs.items[1].effective, 36.0 / 18);
    cr_expect_eq(s.runs.items[1].lost, 3);
    cr_expect(slice_equal(service_fact(&s.runs.items[1], SLICE(RUN_HOST)), SLICE("web1")));
    service_set_fact(&s, 1, SLICE(RUN_HOST), slice_str(host));
    service_set_fact(&s, 1, SLICE(RUN_COMMIT), slice_str(commit));
    host[0] = commit[0] = '?';
    cr_expect(slice_equal(service_fact(&s.runs.items[1], SLICE(RUN_HOST)), SLICE("web2")));
    cr_expect(slice_equal(service_fact(&s.runs.items[1], SLICE(RUN_COMMIT)), SLICE("4fe1")));
    cr_expect(slice_equal(service_fact(&s.runs.items[0], SLICE(RUN_HOST)), SLICE("web1")));
    cr_expect_eq(service_fact(&s.runs.items[0], SLICE(RUN_COMMIT)).len, 0);

    sum = service_sum(&s, SLICE("all"), 0, 2);
    cr_assert_neq(sum, SERIES_NONE);
    cr_expect_eq(s.profile.series.items[sum].total, 16);
    cr_expect_eq(s.profile.series.items[sum].count, 3);
    cr_expect_eq(profile_samples(&s.profile, sum), 5);
    cr_expect_eq(profile_effective_samples(&s.profile, sum), 256.0 / 68);
    service_release(&s);
}

Test(profile_service, other_events_and_units_are_other_services)
{
    static const uint64_t weights[] = {1};
    struct profile p;
    struct service s;

    service_init(&s, SLICE("orders"));
    make(&p, nanoseconds, weights, 1);
    cr_assert(service_add_run(&s, SLICE("1"), &p, 0));
    profile_release(&p);
    make(&p, unit_samples, weights, 1);
    cr_expect_not(service_takes(&s, &p, 0), "another unit");
    profile_release(&p);
    make(&p, nanoseconds, weights, 1);
    p.format = "callgrind";
    cr_expect_not(service_takes(&s, &p, 0), "exact counts");
    profile_rename_series(&p, 0, SLICE("cycles"));
    p.format = "perf-script";
    cr_expect_not(service_takes(&s, &p, 0), "another event");
    profile_release(&p);
    service_release(&s);
}

Test(profile_service, effective_samples_follow_a_change_of_scale)
{
    static const uint64_t weights[] = {1, 1, 4};
    struct profile p;

    make(&p, nanoseconds, weights, 3);
    cr_assert(profile_rescale(&p, 3));
    cr_expect_eq(profile_effective_samples(&p, 0), 2);
    profile_release(&p);
    make(&p, unit_samples, weights, 3);
    cr_expect_eq(profile_samples(&p, 0), 6);
    cr_expect_eq(profile_effective_samples(&p, 0), 6, "a weight is a number of samples");
    profile_release(&p);
}

Test(profile_service, samples_whose_weights_were_added_together)
{
    static const uint64_t weights[] = {6, 4};
    struct profile p;

    make(&p, nanoseconds, weights, 2);
    profile_count(&p, 0, 3);
    cr_expect_eq(profile_samples(&p, 0), 5);
    cr_expect_eq(profile_effective_samples(&p, 0), 100.0 / (36 + 4), "four samples of 1 each");
    profile_release(&p);
}

Test(profile_service, samples_of_both_values_of_a_stack)
{
    struct profile p;
    struct service s;
    uint32_t counts, time, stack;

    profile_init(&p);
    p.format = "pprof";
    counts = profile_series(&p, SLICE("samples"), unit_samples);
    time = profile_series(&p, SLICE("cpu"), nanoseconds);
    stack = stacks_push(&p.stacks, STACK_ROOT, symbols_add(&p.symbols, SLICE("f"), 0));
    cr_assert(profile_add(&p, counts, stack, 7));
    cr_assert(profile_add(&p, time, stack, 70000000));
    service_init(&s, SLICE("go"));
    cr_assert(service_add_run(&s, SLICE("go.1"), &p, time));
    cr_expect_eq(s.runs.items[0].samples, 7);
    cr_expect_eq(s.runs.items[0].effective, 7);
    service_release(&s);
    profile_release(&p);
}

Test(profile_service, a_sum_beyond_64_bits_is_refused)
{
    static const uint64_t weights[] = {UINT64_MAX};
    struct profile p;
    struct service s;

    service_init(&s, SLICE("orders"));
    for (int i = 0; i < 2; i++) {
        const char name[] = {(char)('0' + i), 0};

        make(&p, nanoseconds, weights, 1);
        cr_assert(service_add_run(&s, slice_str(name), &p, 0));
        profile_release(&p);
    }
    cr_expect_eq(service_sum(&s, SLICE("all"), 0, 2), SERIES_NONE);
    service_release(&s);
}
