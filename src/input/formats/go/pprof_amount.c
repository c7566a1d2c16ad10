#include "input/formats/go/pprof_amount.h"

#include "base/num.h"

/* Units, with how many of the smallest one they are. */
static const struct {
    struct slice name;
    uint64_t factor;
    enum unit_kind kind;
} units[] = {
    {{"ns", 2}, 1, UNIT_SECONDS},
    {{"us", 2}, 1000, UNIT_SECONDS},
    {{"\302\265s", 3}, 1000, UNIT_SECONDS},
    {{"ms", 2}, 1000000, UNIT_SECONDS},
    {{"s", 1}, 1000000000, UNIT_SECONDS},
    {{"min", 3}, 60000000000, UNIT_SECONDS},
    {{"mins", 4}, 60000000000, UNIT_SECONDS},
    {{"hrs", 3}, 3600000000000, UNIT_SECONDS},
    {{"B", 1}, 1, UNIT_BYTES},
    {{"kB", 2}, 1ull << 10, UNIT_BYTES},
    {{"MB", 2}, 1ull << 20, UNIT_BYTES},
    {{"GB", 2}, 1ull << 30, UNIT_BYTES},
    {{"TB", 2}, 1ull << 40, UNIT_BYTES},
    {{"PB", 2}, 1ull << 50, UNIT_BYTES},
};

/* d * factor, to the nearest whole number; false where that does not fit. */
static bool multiply(struct decimal d, uint64_t factor, uint64_t *out)
{
    uint64_t divisor = num_pow10(d.decimals);
    unsigned __int128 product = (unsigned __int128)d.value * factor + divisor / 2;

    product /= divisor;
    *out = (uint64_t)product;
    return product <= INT64_MAX;
}

bool pprof_amount_parse(struct slice text, struct pprof_amount *out)
{
    struct decimal number;
    uint64_t factor = 1;
    struct slice unit;
    size_t n = 0;

    out->negative = slice_starts(text, SLICE("-"));
    text = slice_skip(text, out->negative);
    while (n < text.len && memchr("0123456789.", text.ptr[n], 11))
        n++;
    if (!num_parse_decimal(slice_take(text, n), &number))
        return false;
    unit = slice_skip(text, n);
    if (slice_find(unit, ':') < unit.len)
        return false;
    out->unit = unit_named(unit);
    for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
        if (!slice_equal(units[i].name, unit))
            continue;
        factor = units[i].factor;
        out->unit = (struct unit){.kind = units[i].kind,
                                  .exponent = units[i].kind == UNIT_SECONDS ? -9 : 0};
    }
    out->rounding = factor / 200 + (factor > 1);
    return multiply(number, factor, &out->value);
}
