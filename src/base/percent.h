/*
 * Writes shares that were computed in floating point as percentages.
 *
 * They are rounded as num_write_percent() rounds the quotient that they were computed from: a half
 * that a share misses only by the rounding of floating point is rounded away from 0.
 */
#ifndef BASE_PERCENT_H
#define BASE_PERCENT_H

#include "base/buf.h"
#include "base/num.h"

/* Appends 100 * share; a negative share has a '-' in front. */
void percent_write(struct buf *out, long double share, unsigned decimals);
/*
 * Appends 100 * share for programs: with PERCENT_EXACT decimals, and more where what is written
 * would otherwise round to another number of a table or caption than the share does.
 */
void percent_write_exact(struct buf *out, long double share);
/* Appends a change of a share in percentage points, with its sign: "+1.25". */
void percent_write_points(struct buf *out, long double change, unsigned decimals);

#endif
