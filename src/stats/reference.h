/*
 * The reference: the part of a service that did not change, by which the rest is measured.
 *
 * Shares add to 1, so a function that grows makes all others fall. Measured by the functions that
 * did not change, only that function has changed. The reference is found in rounds:
 *  1. The median of the ratios new / base of the functions with 1 % of the samples on both sides
 *     (5 of them at least) is a first estimate of how much more the unchanged functions are worth.
 *  2. A function is outside if its share differs from base times that ratio, with p < 0.01, or if
 *     it is wild (noise.h): what differs from run to run by itself measures nothing else.
 *  3. The ratio is computed again from the sums of all samples that are not outside, which has far
 *     less noise than a median, and 2 is repeated until nothing moves.
 * This is the elimination of changed genes before normalisation (Kadota, Nishiyama, Shimizu,
 * Algorithms Mol. Biol. 7, 2012), begun from a median of ratios (Anders, Huber, Genome Biol. 11,
 * 2010). If the functions are too few, or if less than a fifth of a side would be left, nothing is
 * outside and shares are compared as they are.
 *
 * Self values only, because they add up. The design that results has the samples of the reference
 * as the samples of each run; a row of a function that is outside has no sample `inside`
 * (moments.h).
 */
#ifndef STATS_REFERENCE_H
#define STATS_REFERENCE_H

#include <stdbool.h>
#include <stddef.h>

#include "stats/design.h"
#include "stats/moments.h"
#include "stats/noise.h"

struct stats_reference {
    struct stats_design design; /* in samples of the reference; its unit is the share of the base */
    bool *outside;              /* for each row */
    size_t count;               /* rows outside */
    bool found;                 /* false: shares are compared as they are */
};

/* Finds the reference in rows of self values of `d`. */
void stats_reference_init(struct stats_reference *r, const struct stats_design *d,
                          const struct stats_row *rows, size_t count,
                          const struct stats_settings *settings);
void stats_reference_release(struct stats_reference *r);

#endif
