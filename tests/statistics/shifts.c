#include <math.h>

#include "statistics/random.h"
#include "statistics/suite.h"
#include "stats/series.h"

enum { MOST_POINTS = 104 };

/*
 * How often a series has a shift, how often a shift is found within a label of its place, and how
 * often the interval of a shift has its place.
 */
struct counted {
    double series, any, right, covered;
};

/* A shift of `size` standard deviations `ago` labels before the end; labels differ in variance. */
static void count_shifts(struct counted *c, struct random *r, size_t points, double size,
                         size_t ago, size_t series)
{
    struct stats_point p[MOST_POINTS];
    struct stats_shifts shifts;
    const struct stats_series_settings settings = {.level = 0.01, .known = STATS_SERIES_NONE};

    for (size_t n = 0; n < series; n++) {
        bool right = false, covered = false;

        for (size_t i = 0; i < points; i++) {
            p[i].variance = (0.5 + random_uniform(r)) / 900;
            p[i].share = 0.1 + sqrt(0.09 * p[i].variance) * random_normal(r) +
                         (i + ago >= points ? size * 0.01 : 0);
        }
        stats_series_find(&shifts, p, points, &settings);
        for (size_t i = 0; i < shifts.count; i++) {
            const struct stats_shift *s = &shifts.items[i];

            right |= s->at + ago + 1 >= points && s->at + ago <= points + 1;
            covered |= s->earliest + ago <= points && s->latest + ago >= points;
        }
        c->series++;
        c->any += shifts.count > 0;
        c->right += right;
        c->covered += covered;
        stats_series_release(&shifts);
    }
}

void suite_series(struct judge *j)
{
    static const struct {
        size_t points;
        double found; /* at least: a shift of 3 standard deviations four labels ago */
    } rows[] = {{12, 0.5}, {26, 0.85}, {52, 0.9}, {104, 0.9}};
    size_t series = j->full ? 3000 : 300;
    struct random r;

    random_init(&r, 5);
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct counted null = {0}, shift = {0};

        count_shifts(&null, &r, rows[i].points, 0, 4, series);
        count_shifts(&shift, &r, rows[i].points, 3, 4, series / 3);
        judge_that(j,
                   judge_lower(null.any, null.series, 0.001) <= 0.01 &&
                       judge_upper(shift.right, shift.series, 0.001) >= rows[i].found &&
                       judge_upper(shift.covered, shift.any, 0.001) >= 0.95,
                   "series of %zu labels: false %.2f %%, a shift of 3 deviations is found in "
                   "%.1f %%, at its place in %.1f %%, in its interval in %.1f %% of these",
                   rows[i].points, 100 * null.any / null.series, 100 * shift.any / shift.series,
                   100 * shift.right / shift.series, 100 * shift.covered / shift.any);
    }
}
