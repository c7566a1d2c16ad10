#include <math.h>

#include "statistics/random.h"
#include "statistics/suite.h"
#include "stats/series.h"

enum { MOST_POINTS = 104 };

/* How often a series has a shift, and how often a shift is found within a label of its place. */
struct counted {
    double series, any, right;
};

/* A shift of `size` standard deviations `ago` labels before the end; labels differ in variance. */
static void count_shifts(struct counted *c, struct random *r, size_t points, double size,
                         size_t ago, size_t series)
{
    struct stats_point p[MOST_POINTS];
    struct stats_shifts shifts;

    for (size_t n = 0; n < series; n++) {
        bool right = false;

        for (size_t i = 0; i < points; i++) {
            p[i].variance = 1e-4 * (0.5 + random_uniform(r));
            p[i].share = 0.1 + sqrt(p[i].variance) * random_normal(r) +
                         (i + ago >= points ? size * 0.01 : 0);
        }
        stats_series_find(&shifts, p, points, n);
        for (size_t i = 0; i < shifts.count; i++)
            right |=
                shifts.items[i].at + ago + 1 >= points && shifts.items[i].at + ago <= points + 1;
        c->series++;
        c->any += shifts.count > 0;
        c->right += right;
        stats_series_release(&shifts);
    }
}

static void check_recent(struct judge *j, struct random *r, size_t series)
{
    struct stats_point p[5];
    double hits = 0, difference;

    for (size_t n = 0; n < series; n++) {
        for (size_t i = 0; i < 5; i++)
            p[i] = (struct stats_point){0.1 + 0.01 * random_normal(r), 1e-4};
        hits += stats_series_recent(p, 5, 1e5, &difference) < 0.05;
    }
    judge_that(j,
               judge_lower(hits, (double)series, 0.001) <= 0.05 &&
                   judge_upper(hits, (double)series, 0.001) >= 0.04,
               "the last of five labels: %.2f %% of p-values are below 5 %%",
               100 * hits / (double)series);
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
                       judge_upper(shift.right, shift.series, 0.001) >= rows[i].found,
                   "series of %zu labels: false %.2f %%, a shift of 3 deviations is found in "
                   "%.1f %%, at its place in %.1f %%",
                   rows[i].points, 100 * null.any / null.series, 100 * shift.any / shift.series,
                   100 * shift.right / shift.series);
    }
    check_recent(j, &r, 10 * series);
}
