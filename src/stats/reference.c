#include "stats/reference.h"

#include <math.h>
#include <string.h>

#include "base/die.h"
#include "stats/change.h"
#include "stats/elementary.h"
#include "stats/service.h"
#include "stats/student.h"
#include "stats/sum.h"

enum { FEWEST = 5, ROUNDS = 8 };
static const double least_share = 0.01;
static const double least_left = 0.2;
static const double outside_p = 0.01;
static const double half_pi = 1.57079632679489661923;

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return x < y ? -1 : x > y;
}

static double median(double *values, size_t count)
{
    qsort(values, count, sizeof(*values), by_size);
    return (values[(count - 1) / 2] + values[count / 2]) / 2;
}

/*
 * What the unchanged functions have on each side, up to a common factor, and the variance of the
 * logarithm of its ratio.
 */
struct yardstick {
    double sides[2], variance;
};

/* Round 1. Returns false if there are too few functions. */
static bool median_ratio(struct yardstick *y, const struct stats_change *changes, size_t count)
{
    double *logs = xreallocarray(NULL, count, sizeof(*logs));
    double *errors = xreallocarray(NULL, count, sizeof(*errors));
    size_t n = 0;
    double middle;

    for (size_t k = 0; k < count; k++) {
        const struct stats_change *c = &changes[k];
        double mean = (c->base + c->new) / 2;

        if (!c->tested || c->base < least_share || c->new < least_share)
            continue;
        logs[n] = stats_log(c->new) - stats_log(c->base);
        errors[n++] = c->error / mean * (c->error / mean);
    }
    if (n >= FEWEST) {
        middle = median(logs, n) / 2;
        *y = (struct yardstick){{stats_exp(-middle), stats_exp(middle)},
                                half_pi * median(errors, n) / (double)n};
    }
    free(logs);
    free(errors);
    return n >= FEWEST;
}

static bool is_outside(const struct stats_change *c, const struct yardstick *y)
{
    double base = c->base / y->sides[STATS_BASE], new = c->new / y->sides[STATS_NEW];
    double scale = 1 / (y->sides[STATS_BASE] * y->sides[STATS_BASE]) +
                   1 / (y->sides[STATS_NEW] * y->sides[STATS_NEW]);
    double mean = (base + new) / 2;
    double variance = c->error * c->error * scale / 2 + mean * mean * y->variance;

    if (!c->tested || !(variance > 0))
        return false;
    if (c->wild)
        return true;
    return stats_student_tails((new - base) / sqrt(variance), c->freedom) < outside_p;
}

/*
 * Removes functions from the reference, or takes them back. Returns whether any moved. Sums the
 * shares of those that are left.
 */
static bool sort_out(struct stats_reference *r, const struct stats_change *changes, size_t count,
                     const struct yardstick *y, double left[2])
{
    struct stats_sum out[2] = {{0}, {0}};
    bool moved = false;

    r->count = 0;
    for (size_t k = 0; k < count; k++) {
        bool outside = is_outside(&changes[k], y);

        moved |= outside != r->outside[k];
        r->outside[k] = outside;
        if (!outside)
            continue;
        r->count++;
        stats_sum_add(&out[STATS_BASE], changes[k].base);
        stats_sum_add(&out[STATS_NEW], changes[k].new);
    }
    for (int side = 0; side < 2; side++)
        left[side] = 1 - stats_sum_value(&out[side]);
    return moved;
}

static bool find_outside(struct stats_reference *r, const struct stats_change *changes,
                         size_t count)
{
    struct yardstick y;
    double left[2];

    if (!median_ratio(&y, changes, count))
        return false;
    for (int n = 0; n < ROUNDS && (sort_out(r, changes, count, &y, left) || n == 0); n++) {
        if (left[STATS_BASE] < least_left || left[STATS_NEW] < least_left)
            return false;
        y = (struct yardstick){{left[STATS_BASE], left[STATS_NEW]}, 0};
    }
    return true;
}

/* The design in samples of the reference. */
static void make_design(struct stats_reference *r, const struct stats_design *d,
                        const struct stats_row *rows, size_t count)
{
    struct stats_run *runs = xreallocarray(NULL, d->count, sizeof(*runs));

    for (size_t i = 0; i < d->count; i++) {
        struct stats_sum out = {0};

        for (size_t k = 0; k < count; k++)
            if (r->outside[k])
                stats_sum_add(&out, rows[k].counts[i]);
        runs[i] = d->runs[i];
        runs[i].samples = fmax(0, runs[i].samples - stats_sum_value(&out));
    }
    stats_design_init(&r->design, runs, d->count, d->blocks);
    if (d->samples[STATS_BASE] > 0)
        r->design.unit = r->design.samples[STATS_BASE] / d->samples[STATS_BASE];
    r->design.relative = r->found;
    free(runs);
}

void stats_reference_init(struct stats_reference *r, const struct stats_design *d,
                          const struct stats_row *rows, size_t count,
                          const struct stats_settings *settings)
{
    struct stats_change *changes = xcalloc(count, sizeof(*changes));
    struct stats_noise noise;

    *r = (struct stats_reference){.outside = xcalloc(count, sizeof(*r->outside))};
    stats_service_test(changes, &noise, d, rows, count, settings);
    r->found = find_outside(r, changes, count);
    if (!r->found) {
        memset(r->outside, 0, count * sizeof(*r->outside));
        r->count = 0;
    }
    make_design(r, d, rows, count);
    free(changes);
}

void stats_reference_release(struct stats_reference *r)
{
    stats_design_release(&r->design);
    free(r->outside);
    *r = (struct stats_reference){0};
}
