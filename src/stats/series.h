/*
 * Since when: places where a series of shares, one for each label, changed its level.
 *
 * The statistic of a split is the F of two levels against one, each point weighted by 1 / variance:
 *     gain / ((rest - gain) / (T - 2))
 * with 3 points at least before the split and 2 after it. Its p-value comes from permutations of
 * the points, so it holds for any distribution, with a correction for the choice of the place
 * built in. Permutations stop as soon as 20 of them have a larger statistic (Besag and Clifford,
 * Biometrika 78, 1991), 999 are the most. If none of them has a larger statistic, the p-value is
 * that of normal points, or of normal points on a scale on which shares are not skewed if that is
 * larger, 0.001 at most. The generator is seeded by the caller, from a digest of the data, so
 * results are the same in every run and on every machine.
 * If a split is found (p <= 0.01), both sides are searched (binary segmentation, Scott and Knott,
 * Biometrics 30, 1974). Below STATS_SERIES_LEAST points there is no search: stats_series_recent()
 * compares the newest point with the median of the four before it.
 *
 * Points whose variance is not positive and finite have no data and are passed over.
 */
#ifndef STATS_SERIES_H
#define STATS_SERIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { STATS_SERIES_LEAST = 12, STATS_SERIES_RECENT = 4 };

/* The largest p-value of a shift. */
#define STATS_SERIES_P 0.01

struct stats_point {
    double share, variance;
};

struct stats_shift {
    size_t at;            /* index of the first point of the new level */
    double p;             /* of the split, within the part of the series that it splits */
    double before, after; /* levels on both sides, up to the next shifts */
};

struct stats_shifts {
    struct stats_shift *items; /* in the order of `at` */
    size_t count;
    double p; /* of the best split of the whole series: what discovery.h takes; 1 if too short */
};

/* Finds the shifts; release them with stats_series_release(). */
void stats_series_find(struct stats_shifts *out, const struct stats_point *points, size_t count,
                       uint64_t seed);
void stats_series_release(struct stats_shifts *shifts);

/*
 * Compares the last point with the median of the four before it, by Student's t with `freedom`
 * degrees of freedom. Returns the p-value, 1 if there are too few points; sets the difference.
 */
double stats_series_recent(const struct stats_point *points, size_t count, double freedom,
                           double *difference);

#endif
