#include "compare/trial.h"

#include <math.h>
#include <stdlib.h>

#include "base/die.h"
#include "compare/inlines.h"
#include "compare/machine.h"
#include "compare/renames.h"
#include "stats/reference.h"
#include "stats/service.h"

/* Rows are kept down to this part of the least share that is tested: a share of a reference, which
   has a fifth of the samples at least, is up to five times as large. */
static const double kept_part = 0.2;

static size_t change_count(const struct trial *t)
{
    return 2 * t->functions.row_count;
}

const double *trial_counts(const struct trial *t, size_t change)
{
    const struct functions *f = &t->functions;

    return change < f->row_count ? &f->self[change * f->run_count]
                                 : &f->total[(change - f->row_count) * f->run_count];
}

static struct stats_row *make_rows(const struct trial *t)
{
    struct stats_row *rows = xcalloc(change_count(t) + 1, sizeof(*rows));

    for (size_t k = 0; k < change_count(t); k++)
        rows[k] =
            (struct stats_row){.counts = trial_counts(t, k), .pools = k < t->functions.row_count};
    return rows;
}

static void make_design(struct trial *t)
{
    struct stats_run *runs = xreallocarray(NULL, t->run_count, sizeof(*runs));

    for (size_t i = 0; i < t->run_count; i++)
        runs[i] = t->runs[i].run;
    stats_design_init(&t->design, runs, t->run_count, t->blocks);
    free(runs);
}

/* Replaces the design by that of the reference, and says which samples of each row it has. */
static void use_reference(struct trial *t, struct stats_row *rows, const double *zeros,
                          const struct compare_settings *settings)
{
    const struct functions *f = &t->functions;
    struct stats_reference r;
    bool *outside;

    stats_reference_init(&r, &t->design, rows, f->row_count, &settings->stats);
    if (!r.found) {
        t->measure = COMPARE_SHARE;
        stats_reference_release(&r);
        return;
    }
    stats_design_release(&t->design);
    t->design = r.design;
    r.design = (struct stats_design){0};
    outside = xcalloc(f->items.count, sizeof(*outside));
    for (size_t row = 0; row < f->row_count; row++)
        outside[f->rows[row]] = r.outside[row];
    t->inside = xcalloc(f->row_count + 1, f->run_count * sizeof(*t->inside));
    functions_total_inside(f, outside, t->inside);
    for (size_t row = 0; row < f->row_count; row++) {
        if (r.outside[row])
            rows[row].inside = zeros;
        rows[f->row_count + row].inside = &t->inside[row * f->run_count];
    }
    free(outside);
    stats_reference_release(&r);
}

/* Samples of a rate are counts of another thing than what they are divided by. */
static void use_rate(const struct trial *t, struct stats_row *rows, const double *zeros)
{
    for (size_t k = 0; k < change_count(t); k++)
        rows[k].inside = zeros;
}

/* The change of a function whose counts are exact: of the average run, relative to the base. */
static void count_change(const struct trial *t, size_t change)
{
    struct stats_change *out = &t->changes[change];
    const double *counts = trial_counts(t, change);
    double sums[2] = {0}, all[2] = {0}, runs[2] = {0}, whole;

    for (size_t i = 0; i < t->run_count; i++) {
        enum stats_side side = t->runs[i].run.side;

        if (side == STATS_HISTORY)
            continue;
        sums[side] += counts[i];
        all[side] += t->runs[i].samples;
        runs[side]++;
    }
    whole = all[STATS_BASE] / fmax(1, runs[STATS_BASE]);
    *out = (struct stats_change){.tested = whole > 0 && runs[STATS_NEW] > 0};
    if (!out->tested)
        return;
    out->base = sums[STATS_BASE] / runs[STATS_BASE] / whole;
    out->new = sums[STATS_NEW] / runs[STATS_NEW] / whole;
    out->change = out->low = out->high = out->new - out->base;
}

/*
 * A total contains functions that are outside of the reference, whose noise its own counts may not
 * show in few runs. So a total must have changed by its share, too.
 */
static void raise_totals(struct trial *t, const struct stats_change *shares)
{
    for (size_t k = t->functions.row_count; k < change_count(t); k++)
        t->changes[k].p = fmax(t->changes[k].p, shares[k].p);
}

static void skip_machine(struct trial *t)
{
    const struct functions *f = &t->functions;

    for (size_t k = 0; k < change_count(t); k++)
        if (f->items.items[f->rows[k % f->row_count]].machine)
            t->changes[k].tested = false;
}

static void test(struct trial *t, const struct compare_settings *settings)
{
    struct stats_row *rows = make_rows(t);
    struct stats_change *shares = xcalloc(change_count(t) + 1, sizeof(*shares));
    double *zeros = xcalloc(t->run_count + 1, sizeof(*zeros));

    if (t->measure == COMPARE_REFERENCE) {
        stats_service_test(shares, &t->noise, &t->design, rows, change_count(t), &settings->stats);
        use_reference(t, rows, zeros, settings);
    } else if (t->measure == COMPARE_RATE) {
        use_rate(t, rows, zeros);
    }
    stats_service_test(t->changes, &t->noise, &t->design, rows, change_count(t), &settings->stats);
    if (t->measure == COMPARE_REFERENCE)
        raise_totals(t, shares);
    skip_machine(t);
    free(zeros);
    free(shares);
    free(rows);
}

void trial_init(struct trial *t, struct compare_run *runs, size_t count, size_t blocks, bool exact,
                const struct compare_settings *settings)
{
    double least_share = settings->stats.min_share * kept_part;

    *t = (struct trial){.runs = runs,
                        .run_count = count,
                        .blocks = blocks,
                        .exact = exact,
                        .measure = exact ? COMPARE_SHARE : settings->measure};
    rights_find(&t->rights, runs, count, t->measure == COMPARE_RATE, least_share,
                &settings->renames);
    functions_init(&t->functions, runs, count, t->rights.kernel, least_share, &settings->renames);
    renames_join(&t->functions, &settings->stats);
    inlines_join(&t->functions, &settings->stats);
    machine_mark(&t->functions);
    make_design(t);
    t->changes = xcalloc(change_count(t) + 1, sizeof(*t->changes));
    t->q = xcalloc(change_count(t) + 1, sizeof(*t->q));
    if (!exact)
        test(t, settings);
    for (size_t k = 0; exact && k < change_count(t); k++)
        count_change(t, k);
}

void trial_release(struct trial *t)
{
    functions_release(&t->functions);
    stats_design_release(&t->design);
    free(t->runs);
    free(t->changes);
    free(t->q);
    free(t->inside);
}

bool trial_finds(const struct trial *t, size_t change, const struct compare_settings *settings)
{
    const struct stats_change *c = &t->changes[change];

    return c->tested && fabs(c->change) >= settings->stats.min_change &&
           (t->exact || c->p <= t->discovery.threshold);
}

double trial_share(const struct trial *t, double samples, enum stats_side side)
{
    const struct stats_design *d = &t->design;
    double whole = d->samples[side];

    if (t->exact && d->sides[STATS_BASE])
        whole = d->samples[STATS_BASE] / (double)d->sides[STATS_BASE] * (double)d->sides[side];
    return whole > 0 ? samples / whole * d->unit : 0;
}
