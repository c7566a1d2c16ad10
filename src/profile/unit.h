/*
 * What a weight measures, and how people write it.
 *
 * Weights are integers in the profile's unit times 10^decimals
 * (struct profile). This is the one place that turns them into text, the same
 * in pictures, tables and reports. Rounding is half up, in exact arithmetic,
 * except where a display factor asks for floating point.
 */
#ifndef PROFILE_UNIT_H
#define PROFILE_UNIT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/slice.h"

enum unit_kind {
    UNIT_COUNT,   /* things with a name: samples, cycles, page-faults */
    UNIT_SECONDS, /* time; a weight of 1 is 10^exponent seconds */
    UNIT_BYTES,
};

struct unit {
    enum unit_kind kind;
    int exponent;      /* for seconds: -9 where a weight of 1 is a nanosecond */
    struct slice noun; /* for counts: the plural shown behind the number */
};

/*
 * The unit a word names, as profilers write it: "nanoseconds", "us", "bytes",
 * "kB" is not one. What is no unit of time or memory is the noun of a count;
 * "count" and nothing are samples.
 */
struct unit unit_named(struct slice word);

/* Whether weights in both units may be added up. */
bool unit_is_same(const struct unit *a, const struct unit *b);

/* How weights of one graph are shown. */
struct unit_scale {
    struct unit unit;
    unsigned decimals; /* the profile's power of ten */
    double factor;     /* multiplied in for display (--factor), 1 for none */
};

/* "samples" */
extern const struct unit unit_samples;

/* Whole and exact: "272,959 samples", "4,361,808,500 ns" as "4.3618085 s", "1,024 bytes". */
void unit_write_exact(struct buf *out, const struct unit_scale *scale, uint64_t weight);
/* For running text, things exactly, the rest in three digits: "272,959 samples", "4.36 s". */
void unit_write_plain(struct buf *out, const struct unit_scale *scale, uint64_t weight);
/* For reading at a glance: "273.0k samples", "4.36 s", "1.00 KiB". */
void unit_write_short(struct buf *out, const struct unit_scale *scale, uint64_t weight);
/* The number alone, with thousands, as tables want it when the unit is in the heading. */
void unit_write_number(struct buf *out, const struct unit_scale *scale, uint64_t weight);
/*
 * The same for parts of `whole` below each other: time is rounded to as many decimals as show the
 * whole in five digits, "3.255" and "0.094" of 12.376.
 */
void unit_write_part(struct buf *out, const struct unit_scale *scale, uint64_t weight,
                     uint64_t whole);
/* The unit alone: "samples", "seconds", "bytes". */
struct slice unit_word(const struct unit *unit);
/* The word for one of it, "sample", "byte"; the same as for many where it is not known. */
struct slice unit_word_of_one(const struct unit *unit);

#endif
