#include "compare/since.h"

#include <stdlib.h>

#include "base/hash.h"
#include "stats/series.h"

/* The samples of a function in one label. */
struct level {
    double count, samples, squares;
};

/* Returns the change that a finding is about, or SIZE_MAX. */
static size_t find_change(const struct functions *f, const struct finding *finding)
{
    for (size_t row = 0; row < f->row_count; row++) {
        const struct function *function = &f->items.items[f->rows[row]];

        if (slice_equal(function->key, finding->key) &&
            slice_equal(function->name, finding->function) &&
            slice_equal(function->module, finding->module))
            return finding->scope == COMPARE_SELF ? row : row + f->row_count;
    }
    return SIZE_MAX;
}

/* Fills a point for each label; one without runs has no variance. */
static void fill_points(struct stats_point *points, const struct since_history *h, size_t change)
{
    const struct trial *t = h->trial;
    const double *counts = trial_counts(t, change);
    struct level *levels = xcalloc(h->count, sizeof(*levels));

    for (size_t run = 0; run < t->run_count; run++) {
        struct level *l = &levels[h->labels[run]];

        l->count += counts[run];
        l->samples += t->runs[run].samples;
        l->squares += t->runs[run].samples * t->runs[run].samples;
    }
    for (size_t i = 0; i < h->count; i++) {
        const struct level *l = &levels[i];
        /* Half a sample stands for a function without one, so that its variance is not 0. */
        double p = l->samples > 0 ? (l->count + 0.5) / (l->samples + 1) : 0;

        points[i] = (struct stats_point){0};
        if (l->samples > 0)
            points[i] = (struct stats_point){
                l->count / l->samples,
                p * (1 - p) *
                    (1 / l->samples + t->noise.rho * l->squares / l->samples / l->samples)};
    }
    free(levels);
}

static uint64_t digest_of(const struct stats_point *points, size_t count)
{
    return hash_bytes(points, count * sizeof(*points));
}

void since_add(struct compared_service *s, const struct since_history *h, struct arena *memory)
{
    struct stats_point *points;

    if (h->count < STATS_SERIES_LEAST)
        return;
    points = xcalloc(h->count, sizeof(*points));
    vec_each (struct finding, f, &s->findings) {
        size_t change = find_change(&h->trial->functions, f);
        struct stats_shifts shifts;

        if (change == SIZE_MAX)
            continue;
        fill_points(points, h, change);
        stats_series_find(&shifts, points, h->count, digest_of(points, h->count));
        if (shifts.count)
            f->since = arena_copy(memory, h->names[shifts.items[shifts.count - 1].at]);
        stats_series_release(&shifts);
    }
    free(points);
}
