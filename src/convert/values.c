#include "convert/values.h"

#include "base/num.h"

/* Units of time, from small to large. */
static const struct {
    int exponent; /* of ten, in seconds */
    struct slice word;
} times[] = {
    {-9, {"nanoseconds", 11}},
    {-6, {"microseconds", 12}},
    {-3, {"milliseconds", 12}},
    {0, {"seconds", 7}},
};

enum { TIMES = sizeof(times) / sizeof(times[0]), POWERS = 19 };

void values_add_name(struct buf *out, const struct symbols *symbols, uint32_t symbol)
{
    buf_add_slice(out, symbol_name(symbols, symbol));
    buf_add_slice(out, symbol_suffix(symbol_class(symbols, symbol)));
}

void values_add_series(struct buf *out, const struct series *s)
{
    if (s->name.len)
        buf_add_slice(out, s->name);
    else
        buf_add_slice(out, s->unit.kind == UNIT_SECONDS ? SLICE("time") : unit_word(&s->unit));
}

/* ---- whole numbers ---- */

static uint64_t power(int n)
{
    return num_pow10(n < POWERS ? (unsigned)n : POWERS);
}

/* Makes weights multiples of 10^shift. Returns false if the total would not fit. */
static bool shift_by(struct values_whole *w, const struct series *s, int shift)
{
    uint64_t total;

    w->multiply = shift > 0 ? power(shift) : 1;
    w->divide = shift < 0 ? power(-shift) : 1;
    w->carry = w->divide / 2;
    return num_mul(s->total, w->multiply, &total) && total / w->divide <= INT64_MAX;
}

struct values_whole values_whole(const struct profile *p, const struct series *s)
{
    struct values_whole w = {.unit = unit_word(&s->unit)};
    int decimals = (int)p->decimals;

    if (s->unit.kind != UNIT_SECONDS) {
        shift_by(&w, s, -decimals);
        return w;
    }
    for (size_t i = 0; i < TIMES; i++) {
        w.unit = times[i].word;
        if (shift_by(&w, s, s->unit.exponent - decimals - times[i].exponent))
            break;
    }
    return w;
}

struct slice values_pprof_unit(const struct series *s, const struct values_whole *w)
{
    bool counts = unit_is_samples(&s->unit) || (s->column && s->unit.kind == UNIT_COUNT);

    return counts ? SLICE("count") : w->unit;
}

bool values_is_date(uint64_t ns)
{
    const uint64_t in_2001 = 1000000000000000000;

    return ns >= in_2001 && ns <= INT64_MAX;
}

uint64_t values_take_whole(struct values_whole *w, uint64_t weight)
{
    uint64_t whole = weight / w->divide, rest = weight % w->divide;

    w->rounded += rest != 0;
    w->carry += rest;
    whole += w->carry / w->divide;
    w->carry %= w->divide;
    if (!num_mul(whole, w->multiply, &whole) || whole > INT64_MAX) {
        w->cut++;
        whole = INT64_MAX;
    }
    return whole;
}

void values_tell_rounded(const struct values_whole *w, const struct series *s, size_t count,
                         struct diag *diag)
{
    struct buf name = {0};

    values_add_series(&name, s);
    if (w->rounded)
        diag_add(diag, DIAG_WARNING, DIAG_AT_FILE,
                 "%s: %llu of %zu weights are rounded to whole %.*s, because the format has no "
                 "decimals",
                 buf_string(&name), (unsigned long long)w->rounded, count, SLICE_ARG(w->unit));
    if (w->cut)
        diag_add(diag, DIAG_WARNING, DIAG_AT_FILE,
                 "%s: %llu of %zu weights do not fit in the format and are written as %lld",
                 buf_string(&name), (unsigned long long)w->cut, count, (long long)INT64_MAX);
    buf_release(&name);
}

/* ---- decimals ---- */

void values_tell_pair(const struct series *s, struct diag *diag)
{
    if (s->base != SERIES_NONE)
        diag_add(diag, DIAG_WARNING, DIAG_AT_FILE,
                 "the format has no differences: only the new weights are written");
}

void values_tell_unit(const struct series *s, struct diag *diag)
{
    if (s->unit.kind == UNIT_COUNT && !unit_is_samples(&s->unit))
        diag_add(diag, DIAG_WARNING, DIAG_AT_FILE,
                 "the format has no unit for %.*s, which become numbers without a unit",
                 SLICE_ARG(s->unit.noun));
}

void values_tell_none(const struct series *s, struct slice unit, struct diag *diag)
{
    if (!unit_is_samples(&s->unit))
        diag_add(diag, DIAG_WARNING, DIAG_AT_FILE, "the format has no units: the values are %.*s",
                 SLICE_ARG(unit));
}

struct values_decimal values_decimal(const struct profile *p, const struct series *s, int exponent)
{
    struct values_decimal d = {.unit = unit_word(&s->unit), .decimals = p->decimals};
    size_t i = 0;
    int more;

    if (s->unit.kind != UNIT_SECONDS)
        return d;
    while (i + 1 < TIMES && times[i].exponent != exponent &&
           (exponent != VALUES_ANY || times[i].exponent < s->unit.exponent))
        i++;
    d.unit = times[i].word;
    more = (int)p->decimals + times[i].exponent - s->unit.exponent;
    d.decimals = more > 0 ? (unsigned)more : 0;
    d.zeros = more < 0 ? (unsigned)-more : 0;
    return d;
}

void values_round_times(struct values_decimal *d, const struct profile *p, const struct series *s,
                        struct diag *diag)
{
    int finer = (int)p->decimals - s->unit.exponent - 9;
    uint64_t rounded = 0;

    if (s->unit.kind != UNIT_SECONDS || finer <= 0)
        return;
    d->divide = power(finer);
    d->decimals -= (unsigned)finer;
    for (size_t i = 0; i < s->count; i++)
        rounded += s->weight[i] % d->divide != 0;
    if (rounded)
        diag_add(diag, DIAG_WARNING, DIAG_AT_FILE,
                 "%llu of %u weights are rounded to whole nanoseconds, the shortest times that "
                 "flamepress reads from this format",
                 (unsigned long long)rounded, s->count);
}

void values_add_decimal(struct buf *out, const struct values_decimal *d, uint64_t weight)
{
    if (d->divide)
        weight = weight / d->divide + (weight % d->divide >= (d->divide + 1) / 2);
    num_write_decimal(out, weight, d->decimals);
    for (unsigned i = 0; weight && i < d->zeros; i++)
        buf_add_char(out, '0');
}

void values_tell_digits(const struct profile *p, const struct series *s, int exponent,
                        struct diag *diag)
{
    const struct values_decimal d = values_decimal(p, s, exponent);
    const uint64_t exact = UINT64_C(1) << 53;
    uint64_t whole;

    if (!num_mul(s->total / power((int)d.decimals), power((int)d.zeros), &whole) || whole > exact)
        diag_add(diag, DIAG_WARNING, DIAG_AT_FILE,
                 "the total is more than %llu %.*s: programs that read the format's numbers as "
                 "JavaScript does lose their last digits",
                 (unsigned long long)exact, SLICE_ARG(d.unit));
}
