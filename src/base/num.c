#include "base/num.h"

#include <errno.h>
#include <math.h>

#include "base/ascii.h"

static const uint64_t powers[] = {
    1u,
    10u,
    100u,
    1000u,
    10000u,
    100000u,
    1000000u,
    10000000u,
    100000000u,
    1000000000u,
    10000000000u,
    100000000000u,
    1000000000000u,
    10000000000000u,
    100000000000000u,
    1000000000000000u,
    10000000000000000u,
    100000000000000000u,
    1000000000000000000u,
    10000000000000000000u,
};

uint64_t num_pow10(unsigned n)
{
    BUG_ON(n >= sizeof(powers) / sizeof(*powers));
    return powers[n];
}

/* Sets `*value` to `*value` * 10 + `digit`; returns false if that exceeds 64 bits. */
static bool push_digit(uint64_t *value, unsigned digit)
{
    uint64_t next;

    if (!num_mul(*value, 10, &next) || !num_add(next, digit, &next))
        return false;
    *value = next;
    return true;
}

bool num_parse_u64(struct slice text, uint64_t *value)
{
    enum { SAFE_DIGITS = 19 };
    uint64_t n = 0;
    size_t i = 0;

    if (!text.len)
        return false;
    for (; i < text.len && i < SAFE_DIGITS; i++) {
        unsigned digit = (unsigned)(unsigned char)text.ptr[i] - '0';

        if (digit > 9)
            return false;
        n = n * 10 + digit;
    }
    for (; i < text.len; i++) {
        unsigned digit = (unsigned)(unsigned char)text.ptr[i] - '0';

        if (digit > 9 || !push_digit(&n, digit))
            return false;
    }
    *value = n;
    return true;
}

/* By character: the value of the hexadecimal digit plus 1; 0 for other characters. */
static const unsigned char hex_digits[256] = {
    ['0'] = 1,  ['1'] = 2,  ['2'] = 3,  ['3'] = 4,  ['4'] = 5,  ['5'] = 6,  ['6'] = 7,  ['7'] = 8,
    ['8'] = 9,  ['9'] = 10, ['a'] = 11, ['b'] = 12, ['c'] = 13, ['d'] = 14, ['e'] = 15, ['f'] = 16,
    ['A'] = 11, ['B'] = 12, ['C'] = 13, ['D'] = 14, ['E'] = 15, ['F'] = 16,
};

bool num_parse_hex(struct slice text, uint64_t *value)
{
    uint64_t n = 0;

    if (!text.len)
        return false;
    for (size_t i = 0; i < text.len; i++) {
        unsigned digit = hex_digits[(unsigned char)text.ptr[i]];

        if (!digit || n >> 60)
            return false;
        n = n << 4 | (digit - 1);
    }
    *value = n;
    return true;
}

/* num_parse_decimal() of at most NUM_MAX_DECIMALS digits on either side of the point. */
static bool parse_short_decimal(struct slice whole, struct slice fraction, struct decimal *number)
{
    struct decimal n = {0};
    unsigned digit, bad = whole.len == 0;

    while (fraction.len && fraction.ptr[fraction.len - 1] == '0')
        fraction.len--;
    for (size_t i = 0; i < whole.len; i++) {
        digit = (unsigned char)whole.ptr[i] - (unsigned)'0';
        bad |= digit > 9;
        n.value = n.value * 10 + digit;
    }
    for (size_t i = 0; i < fraction.len; i++) {
        digit = (unsigned char)fraction.ptr[i] - (unsigned)'0';
        bad |= digit > 9;
        n.value = n.value * 10 + digit;
    }
    n.decimals = (unsigned)fraction.len;
    if (!bad)
        *number = n;
    return !bad;
}

/* num_parse_decimal() without an exponent. */
static bool parse_plain_decimal(struct slice text, struct decimal *number)
{
    struct decimal n = {0};
    struct slice fraction;
    size_t dot = 0, last = 0;

    while (dot < text.len && text.ptr[dot] != '.')
        dot++;
    fraction = slice_skip(text, dot + 1);
    if (dot <= NUM_MAX_DECIMALS && fraction.len <= NUM_MAX_DECIMALS)
        return parse_short_decimal(slice_take(text, dot), fraction, number);
    if (!num_parse_u64(slice_take(text, dot), &n.value))
        return false;
    for (size_t i = 0; i < fraction.len; i++) {
        if (fraction.ptr[i] < '0' || fraction.ptr[i] > '9')
            return false;
        if (fraction.ptr[i] != '0')
            last = i + 1;
    }
    for (size_t i = 0; i < last && i < NUM_MAX_DECIMALS; i++, n.decimals++)
        if (!push_digit(&n.value, (unsigned)(fraction.ptr[i] - '0')))
            return false;
    if (last > NUM_MAX_DECIMALS) {
        n.rounded = true;
        if (fraction.ptr[NUM_MAX_DECIMALS] >= '5' && !num_add(n.value, 1, &n.value))
            return false;
    }
    *number = n;
    return true;
}

/* ---- numbers with an exponent ---------------------------------------------------------------- */

/* A number in parts: 0.d1 d2 ... dn times 10^point, without zeros at either end. */
struct parts {
    bool negative;
    struct slice whole, fraction; /* digits before and after the point */
    int64_t point;
};

static bool is_digits(struct slice s)
{
    for (size_t i = 0; i < s.len; i++)
        if (s.ptr[i] < '0' || s.ptr[i] > '9')
            return false;
    return s.len > 0;
}

/* "-12"; what is too large to matter is as good as any other of the kind. */
static bool parse_exponent(struct slice text, int64_t *exponent)
{
    enum { ENOUGH = 1000000000 };
    bool negative = slice_starts(text, SLICE("-"));
    uint64_t value;

    if (negative || slice_starts(text, SLICE("+")))
        text = slice_skip(text, 1);
    if (!is_digits(text))
        return false;
    if (!num_parse_u64(text, &value) || value > ENOUGH)
        value = ENOUGH;
    *exponent = negative ? -(int64_t)value : (int64_t)value;
    return true;
}

static bool take_apart(struct slice text, struct parts *p)
{
    size_t e = slice_find(text, 'e');
    int64_t exponent = 0;
    size_t point;

    if (e == text.len)
        e = slice_find(text, 'E');
    if (e < text.len && !parse_exponent(slice_skip(text, e + 1), &exponent))
        return false;
    text = slice_take(text, e);
    p->negative = slice_starts(text, SLICE("-"));
    text = slice_skip(text, p->negative);
    point = slice_find(text, '.');
    p->whole = slice_take(text, point);
    p->fraction = slice_skip(text, point + 1);
    if (!is_digits(p->whole) || (p->fraction.len && !is_digits(p->fraction)))
        return false;
    p->point = (int64_t)p->whole.len + exponent;
    return true;
}

static unsigned digit_at(const struct parts *p, size_t i)
{
    if (i < p->whole.len)
        return (unsigned)(p->whole.ptr[i] - '0');
    return (unsigned)(p->fraction.ptr[i - p->whole.len] - '0');
}

/* Returns the number of digits without trailing zeros, 0 if all are zeros. */
static size_t count_digits(const struct parts *p)
{
    size_t n = p->whole.len + p->fraction.len;

    while (n > 0 && digit_at(p, n - 1) == 0)
        n--;
    return n;
}

/* The number times 10^decimals, rounded half up; false if it does not fit. */
static bool scale(const struct parts *p, size_t digits, unsigned decimals, uint64_t *value)
{
    int64_t end = p->point + (int64_t)decimals; /* digits that count */
    uint64_t v = 0;
    bool up = end >= 0 && (size_t)end < digits && digit_at(p, (size_t)end) >= 5;

    for (int64_t i = 0; i < end && (i < (int64_t)digits || v); i++) {
        unsigned digit = (size_t)i < digits ? digit_at(p, (size_t)i) : 0;

        if (!num_mul(v, 10, &v) || !num_add(v, digit, &v))
            return false;
    }
    return num_add(v, up, value);
}

bool num_parse_number(struct slice text, struct decimal *number, bool *negative)
{
    struct parts p;
    struct decimal d = {0};
    int64_t behind;
    size_t digits;

    if (!take_apart(text, &p))
        return false;
    digits = count_digits(&p);
    behind = (int64_t)digits - p.point; /* decimals that the text has */
    if (digits && behind > 0)
        d.decimals = behind < NUM_MAX_DECIMALS ? (unsigned)behind : NUM_MAX_DECIMALS;
    while (!scale(&p, digits, d.decimals, &d.value))
        if (d.decimals-- == 0)
            return false;
    d.rounded = digits && behind > (int64_t)d.decimals;
    *negative = p.negative && d.value;
    *number = d;
    return true;
}

bool num_parse_decimal(struct slice text, struct decimal *number)
{
    bool negative;

    if (parse_plain_decimal(text, number))
        return true;
    return text.len && ascii_is_digit(text.ptr[0]) &&
           (slice_find(text, 'e') < text.len || slice_find(text, 'E') < text.len) &&
           num_parse_number(text, number, &negative);
}

/* ---- numbers of fixed form ------------------------------------------------------------------- */

/*
 * Parses the last `count` bytes before `end` as decimal digits; `count` is 1 to 8, and eight bytes
 * before `end` are readable. Returns false if one of them is no digit.
 */
static bool take_last_digits(const char *end, size_t count, uint64_t *value)
{
    enum { WORD = 8, BITS = 8 };
    const uint64_t ones = 0x0101010101010101u, tops = ones * 0x80;
    uint64_t wanted = ~(uint64_t)0 << BITS * (WORD - count);
    uint64_t digits = (hash_load((const unsigned char *)end - WORD, WORD) ^ ones * '0') & wanted;

    *value = num_combine_digits(digits);
    return !((digits | (digits + ones * 0x76)) & tops);
}

/* num_parse_fixed() of eight bytes or more with up to seven digits before the point. */
static bool parse_long_fixed(struct slice text, unsigned decimals, uint64_t *value)
{
    enum { WORD = 8 };
    uint64_t whole, fraction;
    unsigned dot = num_take_digits(text.ptr, &whole);
    size_t count = text.len - dot - 1;

    BUG_ON(decimals >= sizeof(powers) / sizeof(*powers));
    if (!dot || dot == WORD || text.ptr[dot] != '.' || !count || count > decimals || count > WORD ||
        !take_last_digits(text.ptr + text.len, count, &fraction))
        return false;
    *value = whole * powers[decimals] + fraction * powers[decimals - count];
    return true;
}

bool num_parse_fixed(struct slice text, unsigned decimals, uint64_t *value)
{
    enum { MOST_BEFORE = 9, WORD = 8 };
    uint64_t n = 0;
    size_t dot, i = 0;

    if (text.len >= WORD && parse_long_fixed(text, decimals, value))
        return true;
    for (; i < text.len && ascii_is_digit(text.ptr[i]); i++)
        n = n * 10 + (unsigned)(text.ptr[i] - '0');
    dot = i++;
    if (!dot || dot > MOST_BEFORE || i >= text.len || text.ptr[dot] != '.' ||
        text.len - i > decimals)
        return false;
    for (; i < text.len && ascii_is_digit(text.ptr[i]); i++)
        n = n * 10 + (unsigned)(text.ptr[i] - '0');
    if (i < text.len)
        return false;
    *value = n * num_pow10(decimals - (unsigned)(text.len - dot - 1));
    return true;
}

bool num_parse_double(struct slice text, double *value)
{
    char copy[64];
    char *end;
    double n;

    if (!text.len || text.len >= sizeof(copy))
        return false;
    for (size_t i = 0; i < text.len; i++)
        if (!memchr("0123456789+-.eE", text.ptr[i], 15))
            return false;
    memcpy(copy, text.ptr, text.len);
    copy[text.len] = '\0';
    errno = 0;
    n = strtod(copy, &end);
    if (end != copy + text.len || errno == ERANGE || !isfinite(n))
        return false;
    *value = n;
    return true;
}

static void write_fraction(struct buf *out, uint64_t fraction, unsigned decimals)
{
    char digits[NUM_MAX_WRITTEN];

    while (decimals && fraction % 10 == 0) {
        fraction /= 10;
        decimals--;
    }
    if (!decimals)
        return;
    BUG_ON(decimals > NUM_MAX_WRITTEN);
    for (unsigned i = decimals; i-- > 0; fraction /= 10)
        digits[i] = (char)('0' + fraction % 10);
    buf_add_char(out, '.');
    buf_add(out, digits, decimals);
}

void num_write_decimal(struct buf *out, uint64_t value, unsigned decimals)
{
    uint64_t unit = num_pow10(decimals);

    buf_add_u64(out, value / unit);
    write_fraction(out, value % unit, decimals);
}

void num_write_grouped(struct buf *out, uint64_t value, unsigned decimals)
{
    uint64_t unit = num_pow10(decimals);
    uint64_t whole = value / unit;
    char text[32];
    size_t at = sizeof(text);
    unsigned digits = 0;

    do {
        if (digits && digits % 3 == 0)
            text[--at] = ',';
        text[--at] = (char)('0' + whole % 10);
        digits++;
    } while (whole /= 10);
    buf_add(out, text + at, sizeof(text) - at);
    write_fraction(out, value % unit, decimals);
}

void num_write_percent(struct buf *out, uint64_t part, uint64_t whole, unsigned decimals)
{
    uint64_t unit = num_pow10(decimals);
    unsigned __int128 scaled;
    uint64_t n, rest;

    if (!whole) {
        buf_add_char(out, '0');
        return;
    }
    scaled = (unsigned __int128)part * 100u * unit * 2u + whole;
    n = (uint64_t)(scaled / ((unsigned __int128)whole * 2u));
    buf_add_u64(out, n / unit);
    if (!decimals)
        return;
    rest = n % unit;
    buf_add_char(out, '.');
    for (uint64_t least = unit / 10; least > 1 && rest < least; least /= 10)
        buf_add_char(out, '0');
    buf_add_u64(out, rest);
}
