/*
 * Numbers out of text and into text, and sums that do not wrap.
 *
 * Nothing here skips blanks, accepts a sign, or asks the locale. A parser
 * takes the whole slice or fails and leaves its output alone.
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
    bool rounded;      /* the text had more decimals than that */
};

/* [0-9]+ within 64 bits. */
bool num_parse_u64(struct slice text, uint64_t *value);
/* [0-9a-fA-F]+ within 64 bits, without "0x". */
bool num_parse_hex(struct slice text, uint64_t *value);
/* [0-9]+(\.[0-9]*)?, the way folded stacks write weights. */
bool num_parse_decimal(struct slice text, struct decimal *number);
/* A decimal number with optional sign and exponent, for options and settings. */
bool num_parse_double(struct slice text, double *value);

/*
 * Up to eight digits at `p`, behind which eight bytes can be read: how many there are, and the
 * number they make. Without a branch for each, as it is for texts of short numbers by the million.
 */
static inline unsigned num_take_digits(const char *p, uint64_t *value)
{
    const uint64_t ones = 0x0101010101010101u;
    uint64_t digits = hash_load((const unsigned char *)p, 8) ^ ones * '0';
    uint64_t others = (digits | (digits + ones * 0x76)) & ones * 0x80;
    unsigned n = others ? (unsigned)__builtin_ctzll(others) / 8 : 8;

    /* Zeros in front; then pairs of digits become numbers, pairs of these, and again. */
    digits = n ? digits << (64 - 8 * n) : 0;
    digits = (digits * 10 + (digits >> 8)) & 0x00ff00ff00ff00ffu;
    digits = (digits * 100 + (digits >> 16)) & 0x0000ffff0000ffffu;
    *value = (digits * 10000 + (digits >> 32)) & 0xffffffffu;
    return n;
}

/* The same for hexadecimal digits. */
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

/* 10^n for n <= 19. */
uint64_t num_pow10(unsigned n);

static inline bool num_add(uint64_t a, uint64_t b, uint64_t *sum)
{
    return !__builtin_add_overflow(a, b, sum);
}

static inline bool num_mul(uint64_t a, uint64_t b, uint64_t *product)
{
    return !__builtin_mul_overflow(a, b, product);
}

/* value / 10^decimals, without superfluous zeros: 334.618, 12. */
void num_write_decimal(struct buf *out, uint64_t value, unsigned decimals);
/* The same with commas between thousands: 1,234,567.5. */
void num_write_grouped(struct buf *out, uint64_t value, unsigned decimals);
/*
 * part / whole in per cent with `decimals` places, rounded half up in exact
 * arithmetic; "0" where whole is 0.
 */
void num_write_percent(struct buf *out, uint64_t part, uint64_t whole, unsigned decimals);

#endif
