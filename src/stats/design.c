#include "stats/design.h"

#include <math.h>

#include "base/die.h"
#include "stats/sum.h"

/* More samples than any recorder takes; beyond that, a count is not believed. */
static const double most_samples = 9007199254740992.0; /* 2^53 */

static double valid_samples(double n)
{
    return n > 0 ? fmin(n, most_samples) : 0;
}

static void add_cells(struct stats_design *d)
{
    struct stats_sum *sums = xcalloc(4 * d->blocks, sizeof(*sums));

    for (size_t i = 0; i < d->count; i++) {
        struct stats_cell *c = stats_design_cell(d, i);
        double n = d->runs[i].samples;

        stats_sum_add(&sums[c - d->cells], n);
        c->runs += n > 0;
        c->compared |= d->runs[i].side != STATS_HISTORY;
    }
    for (size_t c = 0; c < 2 * d->blocks; c++)
        d->cells[c].samples = stats_sum_value(&sums[c]);
    for (size_t i = 0; i < d->count; i++) {
        const struct stats_cell *c = stats_design_cell(d, i);
        double part = c->samples > 0 ? d->runs[i].samples / c->samples : 0;

        stats_sum_add(&sums[2 * d->blocks + (size_t)(c - d->cells)], part * part);
    }
    for (size_t c = 0; c < 2 * d->blocks; c++)
        d->cells[c].squares = stats_sum_value(&sums[2 * d->blocks + c]);
    free(sums);
}

static double pair_weight(const struct stats_cell *pair)
{
    double base = pair[STATS_BASE].samples, new = pair[STATS_NEW].samples;

    if (!pair[STATS_BASE].compared || !(base > 0) || !(new > 0))
        return 0;
    return base * new / (base + new);
}

/* Sets the part of each block and returns the sum of their weights. */
static double add_parts(struct stats_design *d)
{
    struct stats_sum sum = {0}, plain[2] = {0}, surplus[2] = {0}, samples[2] = {0};
    double whole;

    for (size_t b = 0; b < d->blocks; b++)
        stats_sum_add(&sum, pair_weight(&d->cells[2 * b]));
    whole = stats_sum_value(&sum);
    if (!(whole > 0))
        return 0;
    for (size_t c = 0; c < 2 * d->blocks; c++) {
        struct stats_cell *cell = &d->cells[c];

        cell->part = pair_weight(&d->cells[c & ~(size_t)1]) / whole;
        if (!(cell->part > 0))
            continue;
        stats_sum_add(&plain[c & 1], cell->part * cell->part / cell->samples);
        stats_sum_add(&surplus[c & 1],
                      cell->part * cell->part * (cell->squares - 1 / cell->samples));
        stats_sum_add(&samples[c & 1], cell->samples);
        d->sides[c & 1] += cell->runs;
    }
    for (int side = 0; side < 2; side++) {
        d->plain[side] = stats_sum_value(&plain[side]);
        d->surplus[side] = fmax(0, stats_sum_value(&surplus[side]));
        d->samples[side] = stats_sum_value(&samples[side]);
    }
    return whole;
}

/* 1 - h of a run; `whole` is the sum of the blocks' weights. */
static double left_over(const struct stats_design *d, size_t run, double whole)
{
    const struct stats_cell *cell = stats_design_cell(d, run);
    const struct stats_cell *pair = &d->cells[(size_t)(cell - d->cells) & ~(size_t)1];
    double n = d->runs[run].samples, both = pair[0].samples + pair[1].samples, other, lever;

    if (!(n > 0))
        return 0;
    lever = 1 / both;
    if (cell->part > 0) {
        other = both - cell->samples;
        lever += other / both * (other / both) / whole;
    }
    return fmax(0, 1 - n * lever);
}

void stats_design_init(struct stats_design *d, const struct stats_run *runs, size_t count,
                       size_t blocks)
{
    struct stats_sum all = {0}, compared = {0}, *sums;
    double whole;

    *d = (struct stats_design){.count = count, .blocks = blocks, .unit = 1};
    d->runs = xreallocarray(NULL, count, sizeof(*runs));
    d->cells = xcalloc(2 * blocks, sizeof(*d->cells));
    for (size_t i = 0; i < count; i++) {
        BUG_ON(runs[i].block >= blocks);
        d->runs[i] = runs[i];
        d->runs[i].samples = valid_samples(runs[i].samples);
    }
    add_cells(d);
    whole = add_parts(d);

    sums = xcalloc(4 * blocks, sizeof(*sums));
    for (size_t i = 0; i < count; i++) {
        size_t c = (size_t)(stats_design_cell(d, i) - d->cells);
        double left = left_over(d, i, whole);

        stats_sum_add(&sums[2 * c], left);
        stats_sum_add(&sums[2 * c + 1], left * (d->runs[i].samples - 1));
        stats_sum_add(&all, left);
        if (d->cells[c].compared)
            stats_sum_add(&compared, left);
    }
    for (size_t c = 0; c < 2 * blocks; c++) {
        d->cells[c].freedom = stats_sum_value(&sums[2 * c]);
        d->cells[c].surplus = fmax(0, stats_sum_value(&sums[2 * c + 1]));
    }
    d->freedom = stats_sum_value(&all);
    d->compared = stats_sum_value(&compared);
    free(sums);
}

void stats_design_release(struct stats_design *d)
{
    free(d->runs);
    free(d->cells);
    *d = (struct stats_design){0};
}
