#include "stats/moments.h"

#include <math.h>

#include "base/die.h"
#include "stats/sum.h"

/* The counts of one block: samples of the function on each side. */
struct counts {
    struct stats_sum all[2], inside[2];
};

static double valid_count(double x)
{
    return x > 0 && isfinite(x) ? x : 0;
}

static struct counts *add_counts(const struct stats_design *d, const struct stats_row *row)
{
    struct counts *blocks = xcalloc(d->blocks, sizeof(*blocks));

    for (size_t i = 0; i < d->count; i++) {
        struct counts *c = &blocks[d->runs[i].block];
        int side = d->runs[i].side == STATS_NEW;
        double x = valid_count(row->counts[i]);

        if (!(d->runs[i].samples > 0))
            continue;
        stats_sum_add(&c->all[side], x);
        stats_sum_add(&c->inside[side], row->inside ? fmin(x, valid_count(row->inside[i])) : x);
    }
    return blocks;
}

/* Shares and the change, over the blocks that have both sides. */
static void add_sides(struct stats_moments *m, const struct stats_design *d,
                      const struct counts *blocks)
{
    struct stats_sum share[2] = {0}, change = {0}, count = {0}, inside = {0};

    for (size_t b = 0; b < d->blocks; b++) {
        const struct stats_cell *pair = &d->cells[2 * b];
        double y[2];

        if (!(pair->part > 0))
            continue;
        for (int side = 0; side < 2; side++) {
            double x = stats_sum_value(&blocks[b].all[side]);

            y[side] = x / pair[side].samples;
            stats_sum_add(&share[side], pair[side].part * y[side]);
            stats_sum_add(&count, x);
            stats_sum_add(&inside, stats_sum_value(&blocks[b].inside[side]));
        }
        stats_sum_add(&change, pair->part * (y[STATS_NEW] - y[STATS_BASE]));
    }
    m->count = stats_sum_value(&count);
    m->share = m->count / (d->samples[STATS_BASE] + d->samples[STATS_NEW]);
    m->sides[STATS_BASE] = stats_sum_value(&share[STATS_BASE]);
    m->sides[STATS_NEW] = stats_sum_value(&share[STATS_NEW]);
    m->change = stats_sum_value(&change);
    m->inside = m->count > 0 ? 2 * stats_sum_value(&inside) / m->count - 1 : 1;
}

/* The share that the fit has on one side of a block. */
static double fitted(const struct stats_moments *m, const struct stats_cell *pair,
                     const struct counts *block, int side)
{
    double both = pair[0].samples + pair[1].samples;
    double share = (stats_sum_value(&block->all[0]) + stats_sum_value(&block->all[1])) / both;

    if (!(pair->part > 0))
        return share;
    return side == STATS_NEW ? share + pair[STATS_BASE].samples / both * m->change
                             : share - pair[STATS_NEW].samples / both * m->change;
}

static void add_expected(struct stats_moments *m, const struct stats_design *d,
                         const struct counts *blocks)
{
    struct stats_sum plain = {0}, surplus = {0}, now[2] = {{0}, {0}}, spread[3] = {{0}, {0}, {0}},
                     strata = {0};
    double whole = d->plain[STATS_BASE] + d->plain[STATS_NEW];

    for (size_t c = 0; c < 2 * d->blocks; c++) {
        const struct stats_cell *cell = &d->cells[c], *pair = &d->cells[c & ~(size_t)1];
        double both = pair[0].samples + pair[1].samples, p, v;

        if (!(cell->samples > 0))
            continue;
        p = fitted(m, pair, &blocks[c / 2], (int)(c & 1));
        /* A cell without the function has no variance of its own: half a sample stands for it. */
        v = fmax(stats_moments_unit(p, m->inside), 0.5 / cell->samples);
        if (cell->freedom > 1e-9) {
            stats_sum_add(&plain, v * cell->freedom);
            stats_sum_add(&surplus, v * cell->surplus);
            stats_sum_add(&now[0], cell->compared ? v * cell->freedom : 0);
            stats_sum_add(&now[1], cell->compared ? v * cell->surplus : 0);
            stats_sum_add(&spread[0], v * v * cell->freedom);
            stats_sum_add(&spread[1], 2 * v * v * cell->surplus);
            stats_sum_add(&spread[2], v * v * cell->surplus / cell->freedom * cell->surplus);
        }
        if (cell->part > 0) {
            p = (stats_sum_value(&blocks[c / 2].all[0]) + stats_sum_value(&blocks[c / 2].all[1])) /
                both;
            stats_sum_add(&strata, cell->part * cell->part * stats_moments_unit(p, m->inside) /
                                       cell->samples / whole);
        }
    }
    m->plain = stats_sum_value(&plain);
    m->surplus = stats_sum_value(&surplus);
    m->now.plain = stats_sum_value(&now[0]);
    m->now.surplus = stats_sum_value(&now[1]);
    for (int n = 0; n < 3; n++)
        m->spread[n] = stats_sum_value(&spread[n]);
    m->strata = stats_sum_value(&strata);
}

/* Adds the counts and samples of all runs, and finds the largest count of a run. */
static void add_runs(struct stats_moments *m, const struct stats_design *d,
                     const struct stats_row *row)
{
    struct stats_sum count = {0}, samples = {0};

    for (size_t i = 0; i < d->count; i++) {
        double x = valid_count(row->counts[i]);

        if (!(d->runs[i].samples > 0))
            continue;
        stats_sum_add(&count, x);
        stats_sum_add(&samples, d->runs[i].samples);
        if (stats_design_cell(d, i)->part > 0)
            m->most = fmax(m->most, x);
        m->all_most = fmax(m->all_most, x);
    }
    m->all_count = stats_sum_value(&count);
    m->all_share = m->all_count / stats_sum_value(&samples);
}

static void add_squares(struct stats_moments *m, const struct stats_design *d,
                        const struct stats_row *row, const struct counts *blocks)
{
    struct stats_sum squares = {0}, now = {0};

    for (size_t i = 0; i < d->count; i++) {
        const struct stats_cell *pair = &d->cells[2 * (size_t)d->runs[i].block];
        double n = d->runs[i].samples, e;
        int side = d->runs[i].side == STATS_NEW;

        if (!(n > 0))
            continue;
        e = valid_count(row->counts[i]) / n - fitted(m, pair, &blocks[d->runs[i].block], side);
        stats_sum_add(&squares, n * e * e);
        stats_sum_add(&now, d->runs[i].side == STATS_HISTORY ? 0 : n * e * e);
    }
    m->squares = stats_sum_value(&squares);
    m->now.squares = stats_sum_value(&now);
}

void stats_moments_of(struct stats_moments *m, const struct stats_design *d,
                      const struct stats_row *row)
{
    struct counts *blocks;
    double pooled;

    *m = (struct stats_moments){.inside = 1, .strata = 1};
    if (!stats_design_compares(d))
        return;
    blocks = add_counts(d, row);
    add_sides(m, d, blocks);
    m->own = row->pools ? (m->inside + 1) / 2 : 0;
    add_expected(m, d, blocks);
    add_squares(m, d, row, blocks);
    add_runs(m, d, row);
    free(blocks);
    pooled = stats_moments_unit(m->share, m->inside);
    m->strata = d->sides[0] && pooled > 0 ? m->strata / pooled : 1;
}
