#include "layout/heat.h"

#include "unit/support/test.h"

enum { MOMENTS = 300 };
static const uint64_t NS = 1000000000;

static void make_profile(struct profile *p, uint32_t seed, uint64_t seconds)
{
    uint32_t series, stack;

    profile_init(p);
    p->keep_timed = true;
    series = profile_series(p, SLICE("cpu"), unit_samples);
    stack = stacks_push(&p->stacks, STACK_ROOT, symbols_add(&p->symbols, SLICE("a"), SYMBOL_USER));
    for (uint32_t i = 0; i < MOMENTS; i++) {
        seed = seed * 1664525 + 1013904223;
        profile_add_time(p, series, 77 + (uint64_t)seed * 12345 % (seconds * NS));
        cr_assert(profile_add(p, series, stack, seed >> 28));
    }
    timed_samples_sort(&p->series.items[series].timed);
}

Test(layout_heat, each_cell_is_the_sum_of_its_samples)
{
    for (uint32_t seed = 1; seed <= 30; seed++) {
        uint32_t most_columns = 1 + seed % 9;
        const struct timed_samples *m;
        struct profile p;
        struct heat h;
        uint64_t start, most = 0;

        make_profile(&p, seed, 1 + seed % 13);
        m = &p.series.items[0].timed;
        start = m->items.items[0].ns;
        cr_assert(heat_init(&h, &p, 0, most_columns));
        cr_expect_leq(h.columns, most_columns);
        for (uint32_t column = 0; column < h.columns; column++) {
            for (uint32_t row = 0; row < HEAT_ROWS; row++) {
                uint64_t sum = 0;

                vec_each (const struct timed_sample, sample, &m->items) {
                    uint64_t ms = (sample->ns - start) / 1000000;

                    if (ms / 1000 / h.stride == column && ms % 1000 / 20 == row)
                        sum += sample->weight;
                }
                cr_expect_eq(h.weight[column * HEAT_ROWS + row], sum);
                most = sum > most ? sum : most;
            }
        }
        cr_expect_eq(h.most, most);
        heat_release(&h);
        profile_release(&p);
    }
}

Test(layout_heat, seconds_count_from_the_first_sample_of_all)
{
    struct profile p;
    struct heat h;

    make_profile(&p, 5, 4);
    p.start_ns = p.series.items[0].timed.items.items[0].ns - 3 * NS;
    cr_assert(heat_init(&h, &p, 0, 100));
    cr_expect_eq(h.first, 3);
    heat_release(&h);
    profile_release(&p);
}

Test(layout_heat, needs_times_and_weight)
{
    struct profile p;
    struct heat h;

    profile_init(&p);
    p.keep_timed = true;
    profile_series(&p, SLICE("cpu"), unit_samples);
    cr_expect_not(heat_init(&h, &p, 0, 100));
    cr_assert(profile_add(&p, 0, STACK_ROOT, 5));
    cr_expect_not(heat_init(&h, &p, 0, 100), "no time");
    profile_release(&p);
}
