/*
 * Since when: places where a series of shares, one for each label, changed its level.
 *
 * Values are f(p) = sqrt(p) - sqrt(1 - p), close to the arcsine of the root: on this scale the
 * noise of small and large shares is nearly normal and alike. The statistic of a segment of labels,
 * between two levels or at the end of the series, is the t of its level against that of the labels
 * around it (circular binary segmentation: Olshen, Venkatraman, Lucito and Wigler, Biostatistics 5,
 * 2004), so a change that was undone is as visible as one that stays. Its p-value is that of normal
 * values, times the number of segments that were tried (Bonferroni); it needs no random numbers.
 * The segment with the largest t splits the series while p is `level` at most, and so on
 * within the parts, with the variance of all parts in common. A shift that its neighbours make
 * unnecessary is then removed. A level has two labels at least, the last one has one.
 *
 * A shift has an interval of labels: those at which a split explains as much, but for what chance
 * takes in one of twenty series (the likelihood ratio of a change point: Siegmund, Ann. Stat. 16,
 * 1988).
 *
 * The time is that of STATS_SERIES_MOST^2 segments for each shift, STATS_SERIES_SHIFTS at most.
 * Points without a positive variance have no data and are passed over.
 */
#ifndef STATS_SERIES_H
#define STATS_SERIES_H

#include <stdbool.h>
#include <stddef.h>

enum {
    STATS_SERIES_LEAST = 12,  /* points with which shifts are looked for */
    STATS_SERIES_MOST = 500,  /* newest points, which are searched */
    STATS_SERIES_SHIFTS = 32, /* that are looked for */
    STATS_SERIES_NONE = 0x7fffffff,
};

struct stats_point {
    double share;
    double variance; /* of the share, for each unit of share (1 - share) */
};

struct stats_shift {
    size_t at;               /* index of the first point of the new level */
    size_t earliest, latest; /* the interval of `at` */
    double p;                /* given the shifts beside it */
    double before, after;    /* levels on both sides, up to the next shifts */
    bool undoes;             /* takes back three quarters of the shift before it */
};

struct stats_shifts {
    struct stats_shift *items; /* in the order of `at` */
    size_t count;
    double p; /* that the series has one level: what discovery.h takes */
};

struct stats_series_settings {
    double level;   /* the largest p-value of a shift */
    double freedom; /* with which the variances are known; 0: the points show them up to a factor */
    size_t known; /* it is known that the level changed from this point on; or STATS_SERIES_NONE */
};

/*
 * Finds the shifts; release them with stats_series_release(). If none is found from `known` on,
 * the best place from there on is tried alone.
 */
void stats_series_find(struct stats_shifts *out, const struct stats_point *points, size_t count,
                       const struct stats_series_settings *settings);
/*
 * Returns how often the variance of the points is that of the differences of neighbours, on which
 * few shifts tell; sets its degrees of freedom. 0 without two points.
 */
double stats_series_noise(const struct stats_point *points, size_t count, double *freedom);
void stats_series_release(struct stats_shifts *shifts);

#endif
