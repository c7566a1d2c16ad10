/*
 * Parses and formats numbers, and adds and multiplies with overflow checks.
 *
 * The parsers skip no blanks, do not depend on the locale and, except for
 * num_parse_number() and num_parse_double(), accept no sign. A parser returns true if the whole
 * slice is a number; else it returns false and leaves its output unchanged.
 */
#ifndef BASE_NUM_H
#define BASE_NUM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/hash.h"
#include "base/slice.h"

/* The most decimals a weight keeps; further ones are rounded half up. */
enum { NUM_MAX_DECIMALS = 9 };

/* An exact decimal: value / 10^decimals. */
struct decimal {
    uint64_t value;
    unsigned decimals; /* 0 .. NUM_MAX_DECIMALS */
    bool rounded;      /* the text had more than NUM_MAX_DECIMALS decimals */
};

/* [0-9]+ within 64 bits. */
bool num_parse_u64(struct slice text, uint64_t *value);
/* [0-9a-fA-F]+ within 64 bits, without "0x". */
bool num_parse_hex(struct slice text, uint64_t *value);
/*
 * [0-9]+(\.[0-9]*)?([eE][+-]?[0-9]+)?, the syntax of weights in folded stacks: awk, for example,
 * writes 2.25e+09 for large sums.
 */
bool num_parse_decimal(struct slice text, struct decimal *number);
/*
 * -?[0-9]+(\.[0-9]*)?([eE][+-]?[0-9]+)?, exact to NUM_MAX_DECIMALS or to as many decimals as fit
 * in 64 bits. `negative` is false for 0.
 */
bool num_parse_number(struct slice text, struct decimal *number, bool *negative);
/*
 * [0-9]+\.[0-9]+ with at most nine digits before and `decimals` (up to nine) after the point, as a
 * whole number of 10^-decimals. A quick way for times, of which a text may have millions.
 */
bool num_parse_fixed(struct slice text, unsigned decimals, uint64_t *value);
/* A decimal number with optional sign and exponent, for options and settings. */
bool num_parse_double(struct slice text, double *value);

/*
 * Returns the number that eight digits make, each from 0 to 9 in a byte of its own; the first one
 * is in the lowest byte.
 */
static inline uint64_t num_combine_digits(uint64_t digits)
{
    digits = (digits * 10 + (digits >> 8)) & 0x00ff00ff00ff00ffu;
    digits = (digits * 100 + (digits >> 16)) & 0x0000ffff0000ffffu;
    return (digits * 10000 + (digits >> 32)) & 0xffffffffu;
}

/*
 * Parses up to eight decimal digits at `p` and returns how many there are, 0 to 8. All eight bytes
 * at `p` must be readable. Has no loop over digits, because some inputs hold millions of numbers.
 */
static inline unsigned num_take_digits(const char *p, uint64_t *value)
{
    const uint64_t ones = 0x0101010101010101u;
    uint64_t digits = hash_load((const unsigned char *)p, 8) ^ ones * '0';
    uint64_t others = (digits | (digits + ones * 0x76)) & ones * 0x80;
    unsigned n = others ? (unsigned)__builtin_ctzll(others) / 8 : 8;

    /* Left-pads with zeros. */
    *value = num_combine_digits(n ? digits << (64 - 8 * n) : 0);
    return n;
}

/* Parses up to eight hexadecimal digits at `p`, as num_take_digits() does decimal ones. */
static inline unsigned num_take_hex(const char *p, uint64_t *value)
{
    const uint64_t ones = 0x0101010101010101u, tops = ones * 0x80;
    uint64_t text = hash_load((const unsigned char *)p, 8);
    uint64_t low = text & ~tops, lower = low | ones * 0x20;
    uint64_t digits = (low + ones * (0x80 - '0')) & ~(low + ones * (0x7f - '9'));
    uint64_t letters = (lower + ones * (0x80 - 'a')) & ~(lower + ones * (0x7f - 'f')) & tops;
    uint64_t others = ~((digits | letters) & ~text) & tops;
    unsigned n = others ? (unsigned)__builtin_ctzll(others) / 8 : 8;
    uint64_t v = (text & ones * 0x0f) + (letters >> 7) * 9;

    v = n ? v << (64 - 8 * n) : 0;
    v = (v << 4 | v >> 8) & 0x00ff00ff00ff00ffu;
    v = (v << 8 | v >> 16) & 0x0000ffff0000ffffu;
    *value = (v << 16 | v >> 32) & 0xffffffffu;
    return n;
}

/* Returns 10^n; `n` is at most 19. */
uint64_t num_pow10(unsigned n);

/* Compute a sum or a product; return false if it exceeds 64 bits. */
static inline bool num_add(uint64_t a, uint64_t b, uint64_t *sum)
{
    return !__builtin_add_overflow(a, b, sum);
}

static inline bool num_mul(uint64_t a, uint64_t b, uint64_t *product)
{
    return !__builtin_mul_overflow(a, b, product);
}

/* The most decimals that are written: weights in a larger unit than their own have more. */
enum { NUM_MAX_WRITTEN = 19 };

/* Appends value / 10^decimals without trailing zeros: 334.618, 12. */
void num_write_decimal(struct buf *out, uint64_t value, unsigned decimals);
/* Appends value / 10^decimals with commas between thousands: 1,234,567.5. */
void num_write_grouped(struct buf *out, uint64_t value, unsigned decimals);
/* Decimals of percentages. */
enum {
    PERCENT_CAPTION = 1, /* in captions, legends and sentences */
    PERCENT_TABLE = 2,   /* in tables and tooltips, for people */
    PERCENT_EXACT = 4,   /* in tables for programs */
};

/*
 * Appends 100 * part / whole with `decimals` decimals, rounded half up in exact
 * arithmetic; "0" if `whole` is 0.
 */
void num_write_percent(struct buf *out, uint64_t part, uint64_t whole, unsigned decimals);

#endif
