/*
 * Names, units and weights as the formats of other tools have them.
 */
#ifndef CONVERT_VALUES_H
#define CONVERT_VALUES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/diag.h"
#include "profile/profile.h"

/* Appends the name of a symbol as folded stacks have it: "schedule_[k]". */
void values_add_name(struct buf *out, const struct symbols *symbols, uint32_t symbol);

/* Appends the name of a series; a series without one is called by its unit. */
void values_add_series(struct buf *out, const struct series *s);

/*
 * Weights as whole numbers. Time is in the smallest unit, from nanoseconds on, in which the total
 * of the series fits into 63 bits.
 */
struct values_whole {
    struct slice unit; /* "nanoseconds", "bytes", or the noun of a count */
    uint64_t multiply, divide;
    uint64_t rounded; /* weights that were not whole numbers */
    uint64_t cut;     /* weights above INT64_MAX, which are written as that */
    uint64_t carry;   /* what rounding left over, plus a half; less than `divide` */
};

struct values_whole values_whole(const struct profile *p, const struct series *s);
/*
 * Returns the unit as pprof and OpenTelemetry call it: numbers of samples, and numbers of things in
 * profiles of pprof, are a "count".
 */
struct slice values_pprof_unit(const struct series *s, const struct values_whole *w);
/*
 * Returns the weight as a whole number. If it is none, that is counted, and it is rounded so that
 * the sum of all weights so far is rounded half up: their total stays right.
 */
uint64_t values_take_whole(struct values_whole *w, uint64_t weight);
/* Warns if some of `count` weights were rounded or cut. */
void values_tell_rounded(const struct values_whole *w, const struct series *s, size_t count,
                         struct diag *diag);

/*
 * Returns whether a time counts from 1970. Smaller times count from the start of a machine: no
 * profiler of today ran before 2001.
 */
bool values_is_date(uint64_t ns);

/* Warns, for a format that has no pairs, that the base of one is not written. */
void values_tell_pair(const struct series *s, struct diag *diag);

/* Warns, for a format that has units of time and bytes only, that it loses another unit. */
void values_tell_unit(const struct series *s, struct diag *diag);
/* Warns, for a format without units, that the numbers are in `unit`, unless they count samples. */
void values_tell_none(const struct series *s, struct slice unit, struct diag *diag);

/* Weights as decimals, which are exact. */
struct values_decimal {
    struct slice unit; /* "nanoseconds" to "seconds", "bytes", or the noun of a count */
    unsigned decimals; /* after the point */
    unsigned zeros;    /* after the digits, if there are no decimals */
    uint64_t divide;   /* 0, or rounded quotients are written (values_round_times()) */
};

/*
 * Returns how weights are written. Times are in a unit of 10^exponent seconds, where `exponent` is
 * 0, -3, -6 or -9, or VALUES_ANY for the unit that suits the series.
 */
enum { VALUES_ANY = 1 };
struct values_decimal values_decimal(const struct profile *p, const struct series *s, int exponent);
/*
 * Rounds times to whole nanoseconds, for a format of which our reader takes no shorter ones, and
 * warns if that changes some weight.
 */
void values_round_times(struct values_decimal *d, const struct profile *p, const struct series *s,
                        struct diag *diag);
void values_add_decimal(struct buf *out, const struct values_decimal *d, uint64_t weight);

/* Warns if the total, so written, has more digits than the numbers of JavaScript keep. */
void values_tell_digits(const struct profile *p, const struct series *s, int exponent,
                        struct diag *diag);

#endif
