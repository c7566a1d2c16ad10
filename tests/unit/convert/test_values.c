#include "convert/values.h"

#include "base/buf.h"
#include "unit/support/test.h"

/* A profile with one series of a unit, whose only stack has a weight. */
static void make(struct profile *p, struct unit unit, unsigned decimals, uint64_t weight)
{
    profile_init(p);
    profile_series(p, SLICE("event"), unit);
    cr_assert(profile_rescale(p, decimals));
    cr_assert(profile_add(p, 0, STACK_ROOT, weight));
}

static const struct whole {
    enum unit_kind kind;
    int exponent;
    unsigned decimals;
    uint64_t weight, wanted;
    const char *unit;
    uint64_t rounded;
} wholes[] = {
    {UNIT_COUNT, 0, 0, 12, 12, "samples", 0},
    {UNIT_COUNT, 0, 1, 15, 2, "samples", 1},
    {UNIT_COUNT, 0, 1, 14, 1, "samples", 1},
    {UNIT_COUNT, 0, 2, 300, 3, "samples", 0},
    {UNIT_BYTES, 0, 0, 4096, 4096, "bytes", 0},
    {UNIT_SECONDS, -9, 0, 7, 7, "nanoseconds", 0},
    {UNIT_SECONDS, -3, 0, 7, 7000000, "nanoseconds", 0},
    {UNIT_SECONDS, 0, 9, 1500000001, 1500000001, "nanoseconds", 0},
    {UNIT_SECONDS, -12, 0, 2500, 3, "nanoseconds", 1},
    /* ten thousand years do not fit in nanoseconds */
    {UNIT_SECONDS, 0, 0, 315576000000, 315576000000000000, "microseconds", 0},
    {UNIT_SECONDS, 0, 0, INT64_MAX, INT64_MAX, "seconds", 0},
};

Test(convert_values, whole_numbers_keep_time_exact_where_it_fits)
{
    for (size_t i = 0; i < sizeof(wholes) / sizeof(wholes[0]); i++) {
        const struct whole *row = &wholes[i];
        struct unit unit = {row->kind, row->exponent, SLICE("samples")};
        struct values_whole whole;
        struct profile p;
        uint64_t got;

        make(&p, unit, row->decimals, row->weight);
        whole = values_whole(&p, &p.series.items[0]);
        got = values_take_whole(&whole, row->weight);
        cr_expect(got == row->wanted && whole.rounded == row->rounded &&
                      slice_equal(whole.unit, slice_str(row->unit)),
                  "row %zu: %llu %.*s, %llu rounded", i, (unsigned long long)got,
                  SLICE_ARG(whole.unit), (unsigned long long)whole.rounded);
        profile_release(&p);
    }
}

Test(convert_values, rounding_keeps_the_total)
{
    struct unit unit = {UNIT_COUNT, 0, SLICE("samples")};
    struct values_whole whole;
    struct profile p;
    uint64_t sum = 0;

    make(&p, unit, 1, 25);
    whole = values_whole(&p, &p.series.items[0]);
    for (int i = 0; i < 101; i++)
        sum += values_take_whole(&whole, 25);
    cr_expect_eq(sum, 253, "%llu of 252.5", (unsigned long long)sum);
    cr_expect_eq(whole.rounded, 101);
    profile_release(&p);
}

static const struct decimal_row {
    int exponent;
    unsigned decimals;
    int wanted_exponent;
    uint64_t weight;
    const char *wanted, *unit;
} decimals[] = {
    {-9, 0, VALUES_ANY, 1234, "1234", "nanoseconds"},
    {-7, 0, VALUES_ANY, 1234, "123.4", "microseconds"},
    {-12, 0, VALUES_ANY, 1234, "1.234", "nanoseconds"},
    {-3, 2, VALUES_ANY, 1234, "12.34", "milliseconds"},
    {0, 0, VALUES_ANY, 5, "5", "seconds"},
    {1, 0, VALUES_ANY, 5, "50", "seconds"},
    {-9, 0, -6, 1234, "1.234", "microseconds"},
    {0, 0, -6, 3, "3000000", "microseconds"},
    {0, 0, -6, 0, "0", "microseconds"},
    {0, 1, -3, 25, "2500", "milliseconds"},
    {-12, 9, -3, 1000000000000000001, "1.000000000000000001", "milliseconds"},
};

Test(convert_values, decimals_are_exact)
{
    for (size_t i = 0; i < sizeof(decimals) / sizeof(decimals[0]); i++) {
        const struct decimal_row *row = &decimals[i];
        struct unit unit = {UNIT_SECONDS, row->exponent, {0}};
        struct values_decimal decimal;
        struct buf text = {0};
        struct profile p;

        make(&p, unit, row->decimals, row->weight);
        decimal = values_decimal(&p, &p.series.items[0], row->wanted_exponent);
        values_add_decimal(&text, &decimal, row->weight);
        cr_expect_str_eq(buf_string(&text), row->wanted, "row %zu", i);
        cr_expect(slice_equal(decimal.unit, slice_str(row->unit)), "row %zu", i);
        buf_release(&text);
        profile_release(&p);
    }
}

/* JavaScript's numbers are exact up to 2^53. */
Test(convert_values, digits_that_readers_lose_are_told)
{
    static const struct {
        uint64_t microseconds;
        int exponent;
        uint64_t warnings;
    } cases[] = {
        {UINT64_C(9007199254740992), -6, 0},
        {UINT64_C(9007199254740993), -6, 1},
        {UINT64_C(9007199254740993), -3, 0},
        {UINT64_C(9007199254741), -9, 1},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct diag diag;
        struct profile p;

        diag_init(&diag, SLICE("in"));
        make(&p, (struct unit){UNIT_SECONDS, -6, SLICE("")}, 0, cases[i].microseconds);
        values_tell_digits(&p, &p.series.items[0], cases[i].exponent, &diag);
        cr_expect_eq(diag.counts[DIAG_WARNING], cases[i].warnings, "case %zu", i);
        profile_release(&p);
        diag_release(&diag);
    }
}
