#include "profile/unit.h"

#include <strings.h>

#include "base/die.h"
#include "base/num.h"

typedef unsigned __int128 u128;

const struct unit unit_samples = {UNIT_COUNT, 0, {"samples", 7}};
const struct unit unit_threads = {UNIT_COUNT, 0, {"threads", 7}};

bool unit_is_same(const struct unit *a, const struct unit *b)
{
    return a->kind == b->kind && a->exponent == b->exponent && slice_equal(a->noun, b->noun);
}

/* The first word of a unit is the one that unit_short_word() returns. */
static const struct {
    struct slice word;
    struct unit unit;
} known[] = {
    {{"ns", 2}, {UNIT_SECONDS, -9, {0}}},
    {{"us", 2}, {UNIT_SECONDS, -6, {0}}},
    {{"ms", 2}, {UNIT_SECONDS, -3, {0}}},
    {{"s", 1}, {UNIT_SECONDS, 0, {0}}},
    {{"bytes", 5}, {UNIT_BYTES, 0, {0}}},
    {{"picoseconds", 11}, {UNIT_SECONDS, -12, {0}}},
    {{"nanoseconds", 11}, {UNIT_SECONDS, -9, {0}}},
    {{"nanosecond", 10}, {UNIT_SECONDS, -9, {0}}},
    {{"microseconds", 12}, {UNIT_SECONDS, -6, {0}}},
    {{"\302\265s", 3}, {UNIT_SECONDS, -6, {0}}},
    {{"milliseconds", 12}, {UNIT_SECONDS, -3, {0}}},
    {{"seconds", 7}, {UNIT_SECONDS, 0, {0}}},
    {{"byte", 4}, {UNIT_BYTES, 0, {0}}},
    {{"B", 1}, {UNIT_BYTES, 0, {0}}},
};

struct unit unit_named(struct slice word)
{
    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
        if (slice_equal(known[i].word, word))
            return known[i].unit;
    if (!word.len || slice_equal(word, SLICE("count")) || slice_equal(word, SLICE("none")))
        return unit_samples;
    return (struct unit){.kind = UNIT_COUNT, .noun = word};
}

struct slice unit_short_word(const struct unit *unit)
{
    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
        if (known[i].unit.kind == unit->kind && known[i].unit.exponent == unit->exponent)
            return known[i].word;
    return unit_word(unit);
}

struct slice unit_word(const struct unit *unit)
{
    switch (unit->kind) {
    case UNIT_COUNT:
        return unit->noun;
    case UNIT_SECONDS:
        return SLICE("seconds");
    case UNIT_BYTES:
        return SLICE("bytes");
    }
    BUG("unit kind %d", (int)unit->kind);
}

/* Known plurals and the length of their endings; a longer word may end in one ("page-faults"). */
static const struct {
    const char *word;
    size_t end;
} plurals[] = {
    {"samples", 1},    {"events", 1},    {"calls", 1},       {"cycles", 1},
    {"switches", 2},   {"faults", 1},    {"misses", 2},      {"branches", 2},
    {"references", 1}, {"loads", 1},     {"stores", 1},      {"instructions", 1},
    {"migrations", 1}, {"objects", 1},   {"allocations", 1}, {"deallocations", 1},
    {"traces", 1},     {"waits", 1},     {"goroutines", 1},  {"exceptions", 1},
    {"threads", 1},    {"locks", 1},     {"operations", 1},  {"accesses", 2},
    {"blocks", 1},     {"requests", 1},  {"ticks", 1},       {"wakeups", 1},
    {"slices", 1},     {"holds", 1},     {"packets", 1},     {"bytes", 1},
    {"records", 1},    {"snapshots", 1},
};

static bool ends_in_word(struct slice text, struct slice word)
{
    size_t before = text.len - word.len;

    return slice_ends(text, word) && (!before || memchr(" -_", text.ptr[before - 1], 3));
}

struct slice unit_word_of_one(const struct unit *unit)
{
    struct slice word = unit_word(unit);

    if (unit->kind == UNIT_SECONDS || slice_starts(word, SLICE("tens of ")))
        return word;
    for (size_t i = 0; i < sizeof(plurals) / sizeof(plurals[0]); i++)
        if (ends_in_word(word, slice_str(plurals[i].word)))
            return slice_take(word, word.len - plurals[i].end);
    return word;
}

bool unit_needs_samples(const struct unit *unit, uint64_t samples, uint64_t total)
{
    return samples && !unit_counts_records(unit) && (unit->kind != UNIT_COUNT || samples != total);
}

void unit_write_things(struct buf *out, uint64_t count, struct slice noun)
{
    struct unit unit = {.kind = UNIT_COUNT, .noun = noun};

    num_write_grouped(out, count, 0);
    buf_add_char(out, ' ');
    buf_add_slice(out, count == 1 ? unit_word_of_one(&unit) : noun);
}

static bool is_same_word(struct slice a, struct slice b)
{
    return a.len == b.len && strncasecmp(a.ptr, b.ptr, a.len) == 0;
}

bool unit_implies(const struct unit *unit, struct slice event)
{
    return !event.len ||
           (unit->kind == UNIT_COUNT &&
            (is_same_word(event, unit->noun) || is_same_word(event, unit_word_of_one(unit))));
}

/* Returns a weight's decimal places: the profile's decimals, less the exponent of time units. */
static int places(const struct unit_scale *scale)
{
    int exponent = scale->unit.kind == UNIT_SECONDS ? scale->unit.exponent : 0;

    BUG_ON(exponent < -12 || exponent > 6 || scale->decimals > NUM_MAX_DECIMALS);
    return (int)scale->decimals - exponent;
}

/* Appends `digits` with commas between thousands. */
static void add_grouped(struct buf *out, const char *digits, size_t count)
{
    size_t first = (count + 2) % 3 + 1;

    buf_add(out, digits, first < count ? first : count);
    for (size_t i = first; i < count; i += 3) {
        buf_add_char(out, ',');
        buf_add(out, digits + i, 3);
    }
}

/* Appends value / 10^decimals exactly, without trailing zeros; `decimals` may be negative. */
static void add_exact(struct buf *out, uint64_t value, int decimals)
{
    enum { MOST = 64, MOST_ZEROS = 16 };
    char digits[MOST];
    size_t end = MOST - MOST_ZEROS, at = end, point;

    if (!value)
        decimals = 0;
    for (; decimals > 0 && value % 10 == 0; decimals--)
        value /= 10;
    BUG_ON(decimals < -MOST_ZEROS || decimals >= MOST - MOST_ZEROS);
    do
        digits[--at] = (char)('0' + value % 10);
    while (value /= 10);
    while (decimals > 0 && end - at <= (size_t)decimals)
        digits[--at] = '0';
    for (; decimals < 0; decimals++)
        digits[end++] = '0';
    point = end - (size_t)decimals;
    add_grouped(out, digits + at, point - at);
    if (decimals) {
        buf_add_char(out, '.');
        buf_add(out, digits + point, (size_t)decimals);
    }
}

static double displayed(const struct unit_scale *scale, uint64_t weight)
{
    double value = (double)weight * scale->factor;

    for (int n = places(scale); n > 0; n--)
        value /= 10;
    for (int n = places(scale); n < 0; n++)
        value *= 10;
    return value;
}

/* Appends a weight times the factor: counts and bytes as integers, time to the nanosecond. */
static void add_scaled(struct buf *out, const struct unit_scale *scale, uint64_t weight)
{
    char digits[400];
    double value = displayed(scale, weight);
    int decimals = scale->unit.kind == UNIT_SECONDS ? NUM_MAX_DECIMALS : 0;
    int count = snprintf(digits, sizeof(digits), "%.*f", decimals, value);
    int whole = decimals ? count - decimals - 1 : count;

    add_grouped(out, digits, (size_t)whole);
    while (count > whole && digits[count - 1] == '0')
        count--;
    if (count == whole + 1)
        count = whole;
    buf_add(out, digits + whole, (size_t)(count - whole));
}

void unit_write_number(struct buf *out, const struct unit_scale *scale, uint64_t weight)
{
    if (scale->factor == 1)
        add_exact(out, weight, places(scale));
    else
        add_scaled(out, scale, weight);
}

/* Appends the unit's word; the number before it begins at `from` and decides singular or plural. */
static void add_word(struct buf *out, const struct unit *unit, size_t from)
{
    bool one = slice_equal(slice_skip(buf_slice(out), from), SLICE("1"));
    struct slice word = unit->kind == UNIT_SECONDS ? SLICE("s")
                        : one                      ? unit_word_of_one(unit)
                                                   : unit_word(unit);

    if (word.len)
        buf_add_char(out, ' ');
    buf_add_slice(out, word);
}

void unit_write_exact(struct buf *out, const struct unit_scale *scale, uint64_t weight)
{
    size_t from = out->len;

    unit_write_number(out, scale, weight);
    add_word(out, &scale->unit, from);
}

/* ---- short forms --------------------------------------------------------------------------- */

/* An amount as a fraction, so that rounding is exact. */
struct amount {
    u128 part, whole;
};

static u128 power(unsigned n)
{
    u128 value = 1;

    while (n-- > 0)
        value *= 10;
    return value;
}

static struct amount amount_of(const struct unit_scale *scale, uint64_t weight)
{
    int n = places(scale);

    if (scale->factor != 1) {
        double value = displayed(scale, weight) * 1e6 + 0.5;

        return (struct amount){value < 1e24 ? (u128)value : (u128)1e24, 1000000};
    }
    if (n < 0)
        return (struct amount){weight * power((unsigned)-n), 1};
    return (struct amount){weight, power((unsigned)n)};
}

/* Returns part * 10^decimals / whole, rounded half up, at most UINT64_MAX. */
static uint64_t rounded(struct amount a, unsigned decimals)
{
    u128 n = (a.part * power(decimals) * 2 + a.whole) / (a.whole * 2);

    return n < UINT64_MAX ? (uint64_t)n : UINT64_MAX;
}

static void add_decimals(struct buf *out, uint64_t value, unsigned decimals)
{
    uint64_t unit = num_pow10(decimals);

    num_write_grouped(out, value / unit, 0);
    if (decimals)
        buf_printf(out, ".%0*llu", (int)decimals, (unsigned long long)(value % unit));
}

/* Appends an amount in three significant digits: 1.23, 12.3, 123, 1,234. */
static void add_three(struct buf *out, struct amount a)
{
    unsigned decimals = rounded(a, 2) < 1000 ? 2 : rounded(a, 1) < 1000 ? 1 : 0;

    add_decimals(out, rounded(a, decimals), decimals);
}

struct step {
    const char *name;
    u128 up, down; /* multiply by up, divide by down */
};

/* Appends a count; from a hundred thousand on, with a letter after the number. */
static void add_short_count(struct buf *out, struct amount a)
{
    static const struct step steps[] = {
        {"k", 1, 1000u},          {"M", 1, 1000000u},          {"G", 1, 1000000000u},
        {"T", 1, 1000000000000u}, {"P", 1, 1000000000000000u}, {"E", 1, 1000000000000000000u},
    };
    size_t last = sizeof(steps) / sizeof(steps[0]) - 1;
    unsigned decimals = a.part % a.whole && rounded(a, 0) < 1000 ? 1 : 0;
    size_t i = 0;

    if (rounded(a, 0) < 100000) {
        add_decimals(out, rounded(a, decimals), decimals);
        return;
    }
    while (i < last && rounded((struct amount){a.part, a.whole * steps[i].down}, 1) >= 10000)
        i++;
    add_decimals(out, rounded((struct amount){a.part, a.whole * steps[i].down}, 1), 1);
    buf_add_str(out, steps[i].name);
}

/* Appends an amount in the smallest step in which the rounded number is below `roll`. */
static void add_stepped(struct buf *out, struct amount a, const struct step *steps, size_t count,
                        unsigned roll)
{
    struct amount in;

    for (size_t i = 0; i < count; i++) {
        in = (struct amount){a.part * steps[i].up, a.whole * steps[i].down};
        if (i + 1 == count || rounded(in, 0) < roll) {
            add_three(out, in);
            buf_add_char(out, ' ');
            buf_add_str(out, steps[i].name);
            return;
        }
    }
}

static void add_short_seconds(struct buf *out, struct amount a)
{
    static const struct step steps[] = {
        {"ns", 1000000000u, 1}, {"µs", 1000000u, 1}, {"ms", 1000u, 1}, {"s", 1, 1}};

    if (a.part)
        add_stepped(out, a, steps, sizeof(steps) / sizeof(steps[0]), 1000);
    else
        buf_add_str(out, "0 s");
}

static void add_short_bytes(struct buf *out, struct amount a)
{
    static const struct step steps[] = {{"KiB", 1, (u128)1 << 10}, {"MiB", 1, (u128)1 << 20},
                                        {"GiB", 1, (u128)1 << 30}, {"TiB", 1, (u128)1 << 40},
                                        {"PiB", 1, (u128)1 << 50}, {"EiB", 1, (u128)1 << 60}};

    if (rounded(a, 0) >= 1024) {
        add_stepped(out, a, steps, sizeof(steps) / sizeof(steps[0]), 1024);
        return;
    }
    add_decimals(out, rounded(a, 0), 0);
    buf_add_str(out, rounded(a, 0) == 1 ? " byte" : " bytes");
}

void unit_write_short(struct buf *out, const struct unit_scale *scale, uint64_t weight)
{
    struct amount a = amount_of(scale, weight);
    size_t from = out->len;

    switch (scale->unit.kind) {
    case UNIT_COUNT:
        add_short_count(out, a);
        add_word(out, &scale->unit, from);
        return;
    case UNIT_SECONDS:
        add_short_seconds(out, a);
        return;
    case UNIT_BYTES:
        add_short_bytes(out, a);
        return;
    }
    BUG("unit kind %d", (int)scale->unit.kind);
}

void unit_write_plain(struct buf *out, const struct unit_scale *scale, uint64_t weight)
{
    if (scale->unit.kind == UNIT_COUNT)
        unit_write_exact(out, scale, weight);
    else
        unit_write_short(out, scale, weight);
}

void unit_write_part(struct buf *out, const struct unit_scale *scale, uint64_t weight,
                     uint64_t whole)
{
    enum { FIVE_DIGITS = 10000, MOST = 9 };
    struct amount all = amount_of(scale, whole);
    unsigned decimals = 0;

    if (scale->unit.kind != UNIT_SECONDS || !weight) {
        unit_write_number(out, scale, weight);
        return;
    }
    while (decimals < MOST && power(decimals) < all.whole && rounded(all, decimals) < FIVE_DIGITS)
        decimals++;
    add_decimals(out, rounded(amount_of(scale, weight), decimals), decimals);
}
