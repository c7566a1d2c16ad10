/*
 * Units of weights, and weights as text.
 *
 * A weight is an integer number of 10^-decimals units (struct profile). All
 * pictures, tables and reports use these functions to write weights. They round
 * half up in exact arithmetic; only a display factor needs floating point.
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
    int exponent;      /* for seconds: -9 if a weight of 1 is a nanosecond */
    struct slice noun; /* for counts: the plural shown after the number */
};

/*
 * Returns the unit that a profiler calls `word`: "nanoseconds", "us", "bytes".
 * Any word that is no known unit of time or memory becomes the noun of a count,
 * even "kB"; "count", "none" and an empty word mean samples. The noun refers to
 * `word`, which must outlive it.
 */
struct unit unit_named(struct slice word);

/* Returns a word from which unit_named() makes the unit: "ns", "bytes", a noun. */
struct slice unit_short_word(const struct unit *unit);

/* Whether two units are equal, so that their weights can be added. */
bool unit_is_same(const struct unit *a, const struct unit *b);

/* How the weights of a graph are shown. */
struct unit_scale {
    struct unit unit;
    unsigned decimals; /* of the profile */
    double factor;     /* weights are multiplied by it for display (--factor); 1 for none */
};

/* "samples" */
extern const struct unit unit_samples;

/* "threads", each of which a dump of stacks shows once */
extern const struct unit unit_threads;

/* Whether a weight is a number of samples. */
static inline bool unit_is_samples(const struct unit *u)
{
    return u->kind == UNIT_COUNT && slice_equal(u->noun, unit_samples.noun);
}

/* Whether a weight is a number of samples, or of threads in dumps: records that all weigh 1. */
static inline bool unit_counts_records(const struct unit *u)
{
    return unit_is_samples(u) || (u->kind == UNIT_COUNT && slice_equal(u->noun, unit_threads.noun));
}

/* Appends the exact value: "272,959 samples", "4.3618085 s", "1,024 bytes". */
void unit_write_exact(struct buf *out, const struct unit_scale *scale, uint64_t weight);
/* For sentences: counts exactly, time and bytes in three digits: "272,959 samples", "4.36 s". */
void unit_write_plain(struct buf *out, const struct unit_scale *scale, uint64_t weight);
/* Appends a short form: "273.0k samples", "4.36 s", "1.00 KiB". */
void unit_write_short(struct buf *out, const struct unit_scale *scale, uint64_t weight);
/* Appends the number without its unit, for tables: "272,959". */
void unit_write_number(struct buf *out, const struct unit_scale *scale, uint64_t weight);
/*
 * Appends the number without its unit, for a column of parts of `whole`. Time is rounded to the
 * number of decimals that shows `whole` in five digits, or exactly if it has fewer: "3.255" and
 * "0.094" of 12.376.
 */
void unit_write_part(struct buf *out, const struct unit_scale *scale, uint64_t weight,
                     uint64_t whole);
/* Returns the unit's plural: "samples", "seconds", "bytes". */
struct slice unit_word(const struct unit *unit);
/* Returns the unit's singular, "sample" or "byte"; its plural if the singular is unknown. */
struct slice unit_word_of_one(const struct unit *unit);
/* Whether a number of samples says more than the total of a graph: it is known, and differs. */
bool unit_needs_samples(const struct unit *unit, uint64_t samples, uint64_t total);
/* Appends "1,844 waits" or "1 wait" of the plural `noun`. */
void unit_write_things(struct buf *out, uint64_t count, struct slice noun);
/* Whether `event` says no more than the unit of a count: "goroutine" of "3 goroutines". */
bool unit_implies(const struct unit *unit, struct slice event);

#endif
