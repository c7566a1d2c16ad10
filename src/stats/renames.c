#include "stats/renames.h"

#include <math.h>

#include "base/die.h"
#include "stats/sum.h"

static const double two_pi = 6.28318530717958647692;

static double sum_of(const double *values, size_t count)
{
    struct stats_sum sum = {0};

    for (size_t i = 0; i < count; i++)
        stats_sum_add(&sum, fmax(0, values[i]));
    return stats_sum_value(&sum);
}

double stats_renames_overlap(const double *a, const double *b, size_t classes)
{
    double whole_a = sum_of(a, classes), whole_b = sum_of(b, classes);
    struct stats_sum common = {0}, chance = {0};

    if (!(whole_a > 0) || !(whole_b > 0))
        return 0;
    for (size_t i = 0; i < classes; i++) {
        double x = fmax(0, a[i]), y = fmax(0, b[i]), p = (x + y) / (whole_a + whole_b);

        stats_sum_add(&common, fmin(x / whole_a, y / whole_b));
        stats_sum_add(&chance, sqrt((1 / whole_a + 1 / whole_b) * fmax(0, p * (1 - p)) / two_pi));
    }
    return fmin(1, stats_sum_value(&common) + stats_sum_value(&chance));
}

static bool qualifies(const struct stats_rename *r)
{
    return r->same_place && r->overlap >= STATS_RENAMES_OVERLAP &&
           (r->alone || r->alike >= STATS_RENAMES_ALIKE);
}

static int by_score(const void *a, const void *b)
{
    const struct stats_rename *x = a, *y = b;
    double left = x->overlap + x->alike, right = y->overlap + y->alike;

    if (left != right)
        return left > right ? -1 : 1;
    if (x->gone != y->gone)
        return x->gone < y->gone ? -1 : 1;
    return x->new < y->new ? -1 : x->new > y->new;
}

size_t stats_renames_choose(struct stats_rename *list, size_t count, size_t gone, size_t new)
{
    bool *taken = xcalloc(gone + new, sizeof(*taken));
    size_t chosen = 0;

    qsort(list, count, sizeof(*list), by_score);
    for (size_t i = 0; i < count; i++) {
        struct stats_rename *r = &list[i];

        BUG_ON(r->gone >= gone || r->new >= new);
        r->chosen = qualifies(r) && !taken[r->gone] && !taken[gone + r->new];
        if (!r->chosen)
            continue;
        taken[r->gone] = taken[gone + r->new] = true;
        chosen++;
    }
    free(taken);
    return chosen;
}
