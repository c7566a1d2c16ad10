
#include <stdlib.h>

#include "profile/pair.h"
#include "profile/reshape.h"
#include "unit/support/test.h"

/* Fills a profile with one series of stacks "a", "a;b", ... and their weights. Returns its id. */
static uint32_t fill(struct profile *p, const char *name, const char *const *frames,
                     const uint64_t *weights, size_t count)
{
    uint32_t series = profile_series(p, slice_str(name), unit_samples), stack = STACK_ROOT;

    for (size_t i = 0; i < count; i++) {
        stack = stacks_push(&p->stacks, stack,
                            symbols_add(&p->symbols, slice_str(frames[i]), SYMBOL_USER));
        cr_assert(profile_add(p, series, stack, weights[i]));
    }
    return series;
}

static uint64_t weight_of(const struct profile *p, uint32_t series, uint32_t entry)
{
    return p->series.items[series].weight[entry];
}

Test(profile_pair, the_base_shares_symbols_and_stacks)
{
    static const char *const before[] = {"main", "gone"}, *const after[] = {"main", "new"};
    static const uint64_t weights[] = {3, 4};
    struct profile p, from;
    uint32_t series, base;

    profile_init(&p);
    profile_init(&from);
    series = fill(&p, "cycles", after, weights, 2);
    base = fill(&from, "cycles", before, weights, 2);
    from.ledger.unreadable = 2;
    cr_assert(pair_add_base(&p, series, &from, base));
    cr_expect_eq(p.series.items[series].base, 1);
    cr_expect(p.series.items[1].before);
    cr_expect(slice_equal(p.series.items[1].name, SLICE("base")));
    cr_expect_eq(symbols_count(&p.symbols), 3);
    cr_expect_eq(p.series.items[1].stack[0], p.series.items[series].stack[0]);
    cr_expect_eq(p.series.items[1].total, 7);
    cr_expect_eq(p.ledger.unreadable, 2);
    profile_release(&from);
    profile_release(&p);
}

Test(profile_pair, decimals_of_both_are_kept)
{
    struct profile p, from;
    uint32_t series, base, stack;

    profile_init(&p);
    profile_init(&from);
    series = profile_series(&p, SLICE(""), unit_samples);
    stack = stacks_push(&p.stacks, STACK_ROOT, symbols_add(&p.symbols, SLICE("a"), SYMBOL_USER));
    cr_assert(profile_add(&p, series, stack, 7));
    base = profile_series(&from, SLICE(""), unit_samples);
    stack =
        stacks_push(&from.stacks, STACK_ROOT, symbols_add(&from.symbols, SLICE("a"), SYMBOL_USER));
    cr_assert(profile_add_decimal(&from, base, stack, (struct decimal){25, 1, false}));
    cr_assert(pair_add_base(&p, series, &from, base));
    cr_expect_eq(p.decimals, 1);
    cr_expect_eq(p.series.items[series].total, 70);
    cr_expect_eq(p.series.items[p.series.items[series].base].total, 25);
    profile_release(&from);
    profile_release(&p);
}

Test(profile_pair, changes_must_fit_in_63_bits)
{
    static const char *const frames[] = {"a"};
    static const uint64_t half[] = {INT64_MAX / 2}, more[] = {INT64_MAX / 2 + 2};
    struct profile p, from;
    uint32_t series, base;

    profile_init(&p);
    profile_init(&from);
    series = fill(&p, "", frames, half, 1);
    base = fill(&from, "", frames, more, 1);
    cr_assert(pair_add_base(&p, series, &from, base));
    cr_expect_not(pair_fits(&p, series));
    profile_release(&from);
    profile_release(&p);
}

Test(profile_pair, what_does_not_fit_is_counted_in_tens)
{
    static const char *const frames[] = {"a", "b", "c"};
    static const uint64_t before[] = {4, UINT64_MAX - 11, 7}, after[] = {UINT64_MAX};
    const uint64_t tenth = UINT64_MAX / 10 + 1; /* 1844674407370955161.5 */
    struct profile p;
    uint32_t base, series;
    struct series *s;

    profile_init(&p);
    series = profile_series_pair(&p, SLICE("base"), SLICE("new"), unit_samples);
    base = p.series.items[series].base;
    fill(&p, "base", frames, before, 3);
    fill(&p, "new", frames, after, 1);
    cr_assert_not(pair_fits(&p, series));
    pair_coarsen(&p, series);
    cr_expect(pair_fits(&p, series));
    s = &p.series.items[series];
    cr_expect_eq(s->total, tenth);
    cr_expect_eq(s->weight[0], tenth);
    cr_expect(slice_equal(s->unit.noun, SLICE("tens of samples")));
    s = &p.series.items[base];
    cr_expect_eq(s->total, tenth);
    cr_expect_eq(s->weight[0] + s->weight[1] + s->weight[2], tenth);
    cr_expect_eq(s->weight[2], 1);
    cr_expect(slice_equal(s->unit.noun, SLICE("tens of samples")));
    profile_release(&p);
}

/* Fills a pair with the weights of the functions '!', '"', ... Returns the id of the new series. */
static uint32_t fill_pair(struct profile *p, const uint64_t *before, const uint64_t *after,
                          unsigned count)
{
    uint32_t series = profile_series_pair(p, SLICE("base"), SLICE("new"), unit_samples);

    for (unsigned i = 0; i < count; i++) {
        char name = (char)('!' + i);
        uint32_t stack = stacks_push(&p->stacks, STACK_ROOT,
                                     symbols_add(&p->symbols, slice_make(&name, 1), SYMBOL_USER));

        if (before[i])
            cr_assert(profile_add(p, p->series.items[series].base, stack, before[i]));
        if (after[i])
            cr_assert(profile_add(p, series, stack, after[i]));
    }
    return series;
}

Test(profile_pair, a_scaled_base_is_exact)
{
    static const struct {
        uint64_t before[3], after[3];
        unsigned decimals;
        uint64_t want[3]; /* in units of the decimals */
    } rows[] = {
        {{1, 3, 6}, {20, 0, 0}, 0, {2, 6, 12}},       /* twice as much */
        {{9995, 4, 1}, {998, 2, 0}, 1, {9995, 4, 1}}, /* a tenth */
        {{30, 10, 0}, {1, 9, 0}, 1, {75, 25, 0}},     /* a quarter of 10 */
        {{5, 3, 0}, {1, 0, 0}, 3, {625, 375, 0}},     /* eighths */
        {{1, 1, 1}, {1, 0, 0}, 9, {333333334, 333333333, 333333333}},
        {{1, 6, 0}, {10, 0, 0}, 9, {1428571429, 8571428571, 0}},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        uint64_t total = 0;
        struct profile p;
        uint32_t series, base;

        profile_init(&p);
        series = fill_pair(&p, rows[i].before, rows[i].after, 3);
        base = p.series.items[series].base;
        cr_assert(pair_normalize(&p, series));
        cr_expect_eq(p.decimals, rows[i].decimals, "row %zu: %u decimals", i, p.decimals);
        for (uint32_t n = 0; n < 3; n++) {
            if (rows[i].before[n])
                cr_expect_eq(weight_of(&p, base, n), rows[i].want[n], "row %zu, %u", i, n);
            total += rows[i].before[n];
        }
        cr_expect_eq(p.series.items[base].total, p.series.items[series].total);
        cr_expect_eq(p.series.items[base].unscaled, total * num_pow10(rows[i].decimals));
        profile_release(&p);
    }
}

Test(profile_pair, a_scaled_base_keeps_each_of_its_stacks)
{
    static const uint64_t before[] = {1, 1000000000000000000u, 3, 1}, after[] = {0, 7, 0, 0};
    struct profile p;
    uint32_t series, base;

    profile_init(&p);
    series = fill_pair(&p, before, after, 4);
    base = p.series.items[series].base;
    cr_assert(pair_normalize(&p, series));
    cr_expect_eq(p.decimals, 0, "the base is heavy enough to leave no room for decimals");
    cr_expect_eq(weight_of(&p, base, 0), 1);
    cr_expect_eq(weight_of(&p, base, 1), 4);
    cr_expect_eq(weight_of(&p, base, 2), 1);
    cr_expect_eq(weight_of(&p, base, 3), 1);
    profile_release(&p);
}

Test(profile_pair, a_total_below_one_unit_for_each_stack_is_refused)
{
    static const uint64_t before[] = {1, 1000000000000000000u, 3, 1}, after[] = {0, 3, 0, 0};
    struct profile p;
    uint32_t series;

    profile_init(&p);
    series = fill_pair(&p, before, after, 4);
    cr_expect_not(pair_normalize(&p, series));
    profile_release(&p);
}

Test(profile_pair, two_pairs_are_scaled_in_one_profile)
{
    static const uint64_t before[] = {1, 7, 0}, after[] = {4, 0, 0}, more[] = {1, 1, 1};
    struct profile p, other;
    uint32_t first, second;

    profile_init(&p);
    profile_init(&other);
    first = fill_pair(&p, before, after, 3);
    cr_assert(pair_normalize(&p, first)); /* halves */
    second = profile_series(&p, SLICE("more"), unit_samples);
    cr_assert(profile_add(&p, second, 1, 10));
    cr_assert(pair_add_base(&p, second, &other, profile_series(&other, SLICE(""), unit_samples)));
    for (uint32_t i = 0; i < 3; i++)
        cr_assert(profile_add(&p, p.series.items[second].base, i + 1, more[i] * 10));
    cr_assert(pair_normalize(&p, second)); /* thirds of 1 */
    cr_expect_eq(p.decimals, NUM_MAX_DECIMALS);
    cr_expect_eq(p.series.items[p.series.items[first].base].unscaled, 8000000000u);
    cr_expect_eq(weight_of(&p, p.series.items[first].base, 0), 500000000u);
    profile_release(&other);
    profile_release(&p);
}

Test(profile_pair, a_scaled_base_has_the_samples_that_were_taken)
{
    static const char *const frames[] = {"a", "b"};
    static const uint64_t before[] = {30, 10}, after[] = {1, 9};
    struct profile p, from;
    uint32_t series, base;
    unsigned char marks[] = {0, 0, 1};

    profile_init(&p);
    profile_init(&from);
    p.format = "folded";
    series = fill(&p, "", frames, after, 2);
    cr_assert(pair_add_base(&p, series, &from, fill(&from, "", frames, before, 2)));
    base = p.series.items[series].base;
    cr_assert(pair_normalize(&p, series));
    cr_expect_eq(p.series.items[base].total, 100, "in tenths");
    cr_expect_eq(profile_samples(&p, base), 40);
    cr_expect_eq(profile_sample_weight(&p, series), 10);
    cr_expect_eq(profile_sample_weight(&p, base), 2.5);
    cr_expect_eq(reshape_drop(&p.series.items[base], marks, 1), 25);
    cr_expect_eq(p.series.items[base].unscaled, 300, "of the stacks that are left");
    cr_expect_eq(profile_sample_weight(&p, base), 2.5);
    profile_release(&from);
    profile_release(&p);
}

Test(profile_pair, scaled_parts_always_add_up)
{
    enum { STACKS = 40, ROUNDS = 300 };
    uint64_t seed = 7;

    for (int round = 0; round < ROUNDS; round++) {
        struct profile p;
        uint32_t series, base;
        uint64_t sum = 0, old[STACKS], new[STACKS];
        unsigned kept = 0;

        for (int i = 0; i < STACKS; i++) {
            unsigned bits = (unsigned)(seed >> 58) % 56;

            seed = seed * 6364136223846793005u + 1442695040888963407u;
            old[i] = seed >> (63 - bits);
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            new[i] = seed >> (63 - bits);
        }
        profile_init(&p);
        series = fill_pair(&p, old, new, STACKS);
        base = p.series.items[series].base;
        if (pair_normalize(&p, series)) {
            const struct series *s = &p.series.items[base];

            for (int i = 0; i < STACKS; i++) {
                uint64_t exact = (uint64_t)((unsigned __int128)old[i] * num_pow10(p.decimals) *
                                            s->total / s->unscaled);
                uint64_t now = old[i] ? s->weight[kept++] : 0;

                cr_expect((now > 0) == (old[i] > 0), "round %d, %d", round, i);
                cr_expect(now == exact || now == exact + 1 || now + 1 == exact, "round %d, %d",
                          round, i);
                sum += now;
            }
            cr_expect_eq(sum, p.series.items[series].total, "round %d", round);
        }
        profile_release(&p);
    }
}

Test(profile_pair, a_base_without_weight_cannot_be_scaled)
{
    struct profile p;
    uint32_t series;

    profile_init(&p);
    series = profile_series_pair(&p, SLICE("base"), SLICE("new"), unit_samples);
    cr_expect_not(pair_normalize(&p, series));
    profile_release(&p);
}

Test(profile_pair, swapped_twice_is_as_it_was)
{
    static const char *const frames[] = {"a", "b"};
    static const uint64_t before[] = {1, 2}, after[] = {5, 7};
    struct profile p;
    uint32_t series, base;

    profile_init(&p);
    series = profile_series_pair(&p, SLICE("base"), SLICE("new"), unit_samples);
    base = p.series.items[series].base;
    fill(&p, "base", frames, before, 2);
    fill(&p, "new", frames, after, 2);
    p.series.items[series].pair = PAIR_STALLS;
    pair_swap(&p, series);
    cr_expect_eq(pair_kind(&p, series), PAIR_STALLS);
    cr_expect_eq(p.series.items[series].total, 3);
    cr_expect_eq(p.series.items[base].total, 12);
    cr_expect_eq(p.series.items[series].base, base);
    cr_expect(p.series.items[base].before);
    cr_expect_not(p.series.items[series].before);
    cr_expect(slice_equal(p.series.items[series].name, SLICE("new")));
    pair_swap(&p, series);
    cr_expect_eq(p.series.items[series].total, 12);
    profile_release(&p);
}

Test(profile_pair, relative_ratios)
{
    static const struct {
        uint64_t part, cycles, all_part, all_cycles;
        const char *want;
    } rows[] = {
        {9, 6, 10, 10, "1.50 \xc3\x97 average"},
        {1, 4, 10, 10, "0.25 \xc3\x97 average"},
        {1, 3, 2, 4, "0.67 \xc3\x97 average"},
        {5, 5, 0, 10, "-"},
        {UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX, "1.00 \xc3\x97 average"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct buf out = {0};

        pair_write_relative(&out, rows[i].part, rows[i].cycles, rows[i].all_part,
                            rows[i].all_cycles);
        cr_expect_str_eq(buf_string(&out), rows[i].want, "%zu: %s", i, buf_string(&out));
        buf_release(&out);
    }
}

Test(profile_pair, words_are_read_as_they_are_written)
{
    enum pair_kind kind = PAIR_CHANGE;

    for (unsigned i = PAIR_CHANGE; i <= PAIR_STALLS; i++) {
        cr_expect(pair_parse_word(pair_word((enum pair_kind)i), &kind));
        cr_expect_eq(kind, i);
    }
    cr_expect_not(pair_parse_word(SLICE("changes"), &kind));
    cr_expect_eq(kind, PAIR_STALLS);
}
