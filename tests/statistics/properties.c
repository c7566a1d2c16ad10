#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "statistics/random.h"
#include "statistics/suite.h"
#include "stats/change.h"
#include "stats/discovery.h"
#include "stats/reference.h"
#include "stats/renames.h"
#include "stats/series.h"
#include "stats/service.h"
#include "stats/student.h"

enum { RUNS = 14, ROWS = 24, BLOCKS = 4, TABLES = 1500 };

/* Makes a table of counts, often an unusual one. */
struct table {
    struct stats_run runs[RUNS];
    double counts[ROWS][RUNS];
    bool pools[ROWS];
    size_t count, rows;
};

static double pick(struct random *r, const double *values, size_t count)
{
    return values[(size_t)(random_uniform(r) * (double)count)];
}

static void draw_table(struct table *t, struct random *r, bool strange)
{
    static const double odd[] = {0,     1,  0.5,      3,         50,  1e6,     1e15,
                                 1e300, -4, INFINITY, -INFINITY, NAN, DBL_MIN, DBL_MAX};
    bool hosts = random_uniform(r) < 0.5;

    t->count = 2 + (size_t)(random_uniform(r) * (RUNS - 3));
    t->rows = 1 + (size_t)(random_uniform(r) * (ROWS - 1));
    for (size_t i = 0; i < t->count; i++) {
        enum stats_side side = (enum stats_side)(random_uniform(r) * 3);

        if (i < 2)
            side = (enum stats_side)i;
        t->runs[i].samples = floor(random_uniform(r) * 3000);
        t->runs[i].side = side;
        t->runs[i].block = side == STATS_HISTORY ? 2 + (uint32_t)(random_uniform(r) * 2)
                           : hosts               ? (uint32_t)(random_uniform(r) * 2)
                                                 : 0;
        if (strange && random_uniform(r) < 0.2)
            t->runs[i].samples = pick(r, odd, sizeof(odd) / sizeof(*odd));
    }
    for (size_t k = 0; k < t->rows; k++) {
        t->pools[k] = random_uniform(r) < 0.8;
        for (size_t i = 0; i < t->count; i++) {
            double most = t->runs[i].samples, share = random_uniform(r);

            t->counts[k][i] =
                floor(fmin(most > 0 ? most : 0, 1e6) * share * share / (double)(k + 1));
            if (strange && random_uniform(r) < 0.1)
                t->counts[k][i] = pick(r, odd, sizeof(odd) / sizeof(*odd));
        }
    }
}

/* The results of a table: of each row and of the whole. */
struct result {
    struct stats_change changes[ROWS];
    struct stats_noise noise;
    double smallest;
    bool outside[ROWS];
};

static void compute(struct result *out, const struct table *t, bool reference)
{
    struct stats_settings settings = stats_settings_default();
    struct stats_design design;
    struct stats_reference r = {0};
    struct stats_row rows[ROWS];
    double zeros[RUNS] = {0};

    memset(out, 0, sizeof(*out));
    stats_design_init(&design, t->runs, t->count, BLOCKS);
    for (size_t k = 0; k < t->rows; k++)
        rows[k] = (struct stats_row){.counts = t->counts[k], .pools = t->pools[k]};
    if (reference) {
        stats_reference_init(&r, &design, rows, t->rows, &settings);
        stats_design_release(&design);
        design = r.design;
        for (size_t k = 0; k < t->rows; k++) {
            out->outside[k] = r.outside[k];
            if (r.outside[k])
                rows[k].inside = zeros;
        }
    }
    stats_service_test(out->changes, &out->noise, &design, rows, t->rows, &settings);
    out->smallest = stats_change_smallest(&design, &out->noise, NULL, 0.02, 0.001, &settings);
    stats_design_release(&design);
    free(r.outside);
}

static bool same(const struct stats_change *a, const struct stats_change *b)
{
    return a->tested == b->tested && a->wild == b->wild && a->base == b->base && a->new == b->new &&
           a->change == b->change && a->error == b->error && a->freedom == b->freedom &&
           a->p == b->p && a->low == b->low && a->high == b->high;
}

static bool same_noise(const struct result *a, const struct result *b)
{
    return a->noise.known == b->noise.known && a->noise.rho == b->noise.rho &&
           a->noise.scale == b->noise.scale && a->noise.prior == b->noise.prior &&
           a->noise.caution == b->noise.caution && a->noise.rows == b->noise.rows &&
           a->smallest == b->smallest;
}

static void shuffle(struct random *r, size_t *order, size_t count)
{
    for (size_t i = 0; i < count; i++)
        order[i] = i;
    for (size_t i = count; i-- > 1;) {
        size_t k = (size_t)(random_uniform(r) * (double)(i + 1)), kept = order[i];

        order[i] = order[k];
        order[k] = kept;
    }
}

/* Runs and rows in another order. */
static bool order_holds(struct random *r, const struct table *t, bool reference)
{
    size_t runs[RUNS], rows[ROWS];
    struct table moved = *t;
    struct result a, b;
    bool good;

    shuffle(r, runs, t->count);
    shuffle(r, rows, t->rows);
    for (size_t i = 0; i < t->count; i++) {
        moved.runs[i] = t->runs[runs[i]];
        for (size_t k = 0; k < t->rows; k++)
            moved.counts[k][i] = t->counts[rows[k]][runs[i]];
    }
    for (size_t k = 0; k < t->rows; k++)
        moved.pools[k] = t->pools[rows[k]];
    compute(&a, t, reference);
    compute(&b, &moved, reference);
    good = same_noise(&a, &b);
    for (size_t k = 0; k < t->rows; k++)
        good &= same(&a.changes[rows[k]], &b.changes[k]);
    return good;
}

/* One more run without samples. */
static bool empty_holds(struct random *r, const struct table *t, bool reference)
{
    struct table more = *t;
    struct result a, b;
    bool good;

    more.runs[t->count] = t->runs[(size_t)(random_uniform(r) * (double)t->count)];
    more.runs[t->count].samples = 0;
    for (size_t k = 0; k < t->rows; k++)
        more.counts[k][t->count] = 0;
    more.count++;
    compute(&a, t, reference);
    compute(&b, &more, reference);
    good = same_noise(&a, &b);
    for (size_t k = 0; k < t->rows; k++)
        good &= same(&a.changes[k], &b.changes[k]);
    return good;
}

/* Base and new exchanged. The reference measures in shares of the base, so only p is compared. */
static bool swap_holds(const struct table *t, bool reference)
{
    struct table swapped = *t;
    struct result a, b;
    bool good = true;

    for (size_t i = 0; i < t->count; i++)
        if (t->runs[i].side != STATS_HISTORY)
            swapped.runs[i].side = t->runs[i].side == STATS_BASE ? STATS_NEW : STATS_BASE;
    compute(&a, t, reference);
    compute(&b, &swapped, reference);
    for (size_t k = 0; k < t->rows; k++) {
        const struct stats_change *x = &a.changes[k], *y = &b.changes[k];

        good &= x->p == y->p && x->tested == y->tested && a.outside[k] == b.outside[k];
        if (!reference)
            good &= x->change == -y->change && x->low == -y->high && x->high == -y->low &&
                    x->base == y->new;
    }
    return good;
}

static bool finite_holds(const struct table *t, bool reference)
{
    struct result a;
    bool good;

    compute(&a, t, reference);
    good = isfinite(a.noise.rho) && isfinite(a.noise.scale) && isfinite(a.noise.prior) &&
           isfinite(a.smallest) && a.smallest > 0 && a.smallest <= 1;
    for (size_t k = 0; k < t->rows; k++) {
        const struct stats_change *c = &a.changes[k];

        good &= isfinite(c->base) && isfinite(c->new) && isfinite(c->change) &&
                isfinite(c->error) && isfinite(c->freedom) && isfinite(c->low) &&
                isfinite(c->high) && c->p >= 0 && c->p <= 1 && c->low <= c->change &&
                c->change <= c->high;
    }
    return good;
}

static void check_tables(struct judge *j, bool reference)
{
    size_t order = 0, empty = 0, swap = 0, finite = 0;
    struct random r;
    struct table t;

    random_init(&r, 20 + reference);
    for (int n = 0; n < TABLES; n++) {
        draw_table(&t, &r, n % 2);
        order += !order_holds(&r, &t, reference);
        empty += !empty_holds(&r, &t, reference);
        swap += !swap_holds(&t, reference);
        finite += !finite_holds(&t, reference);
    }
    judge_that(j, !order, "order of runs and functions: %zu of %d tables differ", order, TABLES);
    judge_that(j, !empty, "a run without samples: %zu of %d tables differ", empty, TABLES);
    judge_that(j, !swap, "sides exchanged: %zu of %d tables differ", swap, TABLES);
    judge_that(j, !finite, "all results are finite: %zu of %d tables differ", finite, TABLES);
}

/* Returns any double, made from its bits. */
static double any_double(struct random *r)
{
    uint64_t bits = (uint64_t)(random_uniform(r) * 4294967296.0) << 32 |
                    (uint64_t)(random_uniform(r) * 4294967296.0);
    double value;

    memcpy(&value, &bits, sizeof(value));
    return value;
}

static void check_doubles(struct judge *j)
{
    struct stats_discovery found;
    struct stats_shifts shifts;
    struct stats_point points[30];
    double p[8], q[8];
    struct random r;
    size_t bad = 0;

    random_init(&r, 3);
    for (int n = 0; n < 20000; n++) {
        double a = any_double(&r), b = any_double(&r), c = any_double(&r), x;

        bad += !((x = stats_student_tails(a, b)) >= 0 && x <= 1);
        bad += !((x = stats_fisher_tail(a, b, c)) >= 0 && x <= 1);
        bad += n < 500 && !isfinite(stats_student_quantile(fabs(a), fabs(b)));
        for (int i = 0; i < 8; i++)
            p[i] = any_double(&r);
        stats_discovery_of(&found, p, 8, 0.05, q);
        for (int i = 0; i < 8; i++)
            bad += !(q[i] >= 0 && q[i] <= 1);
        if (n >= 500)
            continue;
        for (int i = 0; i < 30; i++)
            points[i] = (struct stats_point){n % 2 ? any_double(&r) : random_normal(&r),
                                             n % 3 ? fabs(any_double(&r)) : 1};
        stats_series_find(&shifts, points, 30, &(struct stats_series_settings){.level = 0.01});
        bad += !(shifts.p >= 0 && shifts.p <= 1);
        for (size_t i = 0; i < shifts.count; i++)
            bad += !isfinite(shifts.items[i].before) || !isfinite(shifts.items[i].after);
        stats_series_release(&shifts);
        bad += !((x = stats_renames_overlap(p, q, 8)) >= 0 && x <= 1);
    }
    judge_that(j, !bad, "any doubles: %zu results are not in their range", bad);
}

void suite_properties(struct judge *j)
{
    check_tables(j, false);
    check_tables(j, true);
    check_doubles(j);
}
