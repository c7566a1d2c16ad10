/*
 * Pairs of series, before and after: what differential graphs are made of.
 *
 * The series after is the graph; its `base` is the one before. The two share
 * symbols and stacks, so that what is the same function is the same id. To be
 * drawn their totals have to fit in 63 bits together, so that every change
 * does, too.
 */
#ifndef PROFILE_PAIR_H
#define PROFILE_PAIR_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "profile/profile.h"

/* What the base of a series is to it. */
enum pair_kind {
    PAIR_CHANGE,       /* the same, before */
    PAIR_INSTRUCTIONS, /* the series counts cycles, the base what they brought */
    PAIR_STALLS,       /* the series counts cycles, the base those that were stalled */
};

static inline enum pair_kind pair_kind(const struct profile *p, uint32_t series)
{
    return (enum pair_kind)p->series.items[series].pair;
}

/*
 * Makes the weights of one series of `from`, which is left as it was, the base
 * of a series of `p`. The ledger gets what reading `from` could not use.
 * Returns false where the weights before do not fit; `p` may then only be released.
 */
bool pair_add_base(struct profile *p, uint32_t series, const struct profile *from, uint32_t base);

/* Whether before and after fit in 63 bits together. True of what is no pair. */
bool pair_fits(const struct profile *p, uint32_t series);

/*
 * Makes the weights of both sides ten times smaller and their unit ten times larger, after which
 * they fit. Both totals are rounded, and the weights so that they add up to them.
 */
void pair_coarsen(struct profile *p, uint32_t series);

/*
 * Scales the weights before so that they have the total of those after. Each
 * is rounded down and what is then missing goes, one by one, to those with the
 * largest remainders (equal ones: the stack met first), so that the parts add
 * up. Returns false where all weights before are 0.
 */
bool pair_normalize(struct profile *p, uint32_t series);

/*
 * Appends what the ratio of two counters is: "1.22" instructions a cycle, "45.30%" of the cycles
 * stalled, half up; `cycles` is not 0.
 */
void pair_write_ratio(struct buf *out, enum pair_kind kind, uint64_t part, uint64_t cycles);

/* Before becomes after, and the other way round. */
void pair_swap(struct profile *p, uint32_t series);

#endif
