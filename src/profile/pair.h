/*
 * Pairs a series with its base, for differential graphs.
 *
 * The new series is the graph; its member `base` is the id of the base series.
 * Both are in one profile and share symbols and stacks, so a function has the
 * same id in both. Before a pair is drawn, the sum of its totals must fit in 63
 * bits (pair_fits()), so that every change fits, too.
 */
#ifndef PROFILE_PAIR_H
#define PROFILE_PAIR_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "profile/profile.h"

/* What the base of a series measures. */
enum pair_kind {
    PAIR_CHANGE,       /* the event of the series, at an earlier time */
    PAIR_INSTRUCTIONS, /* instructions; the series counts cycles */
    PAIR_STALLS,       /* stalled cycles; the series counts cycles */
};

/* Returns the word for what the base measures, as it is written to files: "change". */
struct slice pair_word(enum pair_kind kind);
/* Reads such a word. Returns false, and leaves `kind`, if the word is unknown. */
bool pair_parse_word(struct slice word, enum pair_kind *kind);

static inline enum pair_kind pair_kind(const struct profile *p, uint32_t series)
{
    return (enum pair_kind)p->series.items[series].pair;
}

/*
 * True if the ratio of two counters is known only relative to the ratio of the whole graph: one of
 * them counts samples, each of which stands for an unknown number of events.
 */
static inline bool pair_is_relative(const struct profile *p, uint32_t series)
{
    const struct series *s = &p->series.items[series];

    return s->of_samples || (s->base != SERIES_NONE && p->series.items[s->base].of_samples);
}

/*
 * Copies one series of `from` into `p` as the base of `series`, and adds the
 * ledger of `from`. Returns false if the weights of the base do not fit in 64
 * bits; the caller can then only release `p`.
 */
bool pair_add_base(struct profile *p, uint32_t series, const struct profile *from, uint32_t base);

/* Whether the sum of the totals of a series and its base fits in 63 bits; true without a base. */
bool pair_fits(const struct profile *p, uint32_t series);

/*
 * Divides the weights of a series and its base by ten and makes their unit ten times larger, so
 * that the pair fits. The totals are rounded, and the weights so that their sums are the totals.
 */
void pair_coarsen(struct profile *p, uint32_t series);

/*
 * Scales the weights of the base so that its total equals that of the series. The profile gets as
 * many decimals as make the scaled weights exact; if no number of decimals does, so many that
 * rounding changes no share. Then each weight is rounded down; the units that are missing go, one
 * each, to the weights with the largest remainders (ties: the stack added first), so that the sum
 * is exact. A stack with weight keeps at least one unit. Returns false if the base has no weight,
 * or more stacks than the total of the series has units.
 */
bool pair_normalize(struct profile *p, uint32_t series);
/*
 * Returns a weight of a change as text for people has it: rounded to hundredths if a side is
 * scaled, which gives counts decimals nobody reads.
 */
uint64_t pair_readable(const struct profile *p, uint32_t series, uint64_t weight);

/*
 * Appends the ratio of two counters, rounded half up: "1.22" instructions per cycle, or "45.30%"
 * of cycles stalled. `cycles` must not be 0.
 */
void pair_write_ratio(struct buf *out, enum pair_kind kind, uint64_t part, uint64_t cycles);

/* Appends the ratio as a multiple of that of the whole graph: "1.22 × average"; "-" without one. */
void pair_write_relative(struct buf *out, uint64_t part, uint64_t cycles, uint64_t all_part,
                         uint64_t all_cycles);

/* Exchanges the data of a series and its base: weights, unit, samples, timed samples; not names. */
void pair_swap(struct profile *p, uint32_t series);

#endif
