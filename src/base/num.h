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
