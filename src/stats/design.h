/*
 * The runs that are compared: how many samples each has, on which side and in which block it is.
 *
 * A run is one profile, the unit of evidence: samples of one run share what differs from run to
 * run. A block holds runs that are alike but for their side: one host, or all runs if hosts are
 * not told apart. A block with runs on both sides contributes to the change; all blocks contribute
 * to the noise between runs, so a label of a history is a block of its own.
 *
 * The change is Mantel and Haenszel's (J. Natl. Cancer Inst. 22, 1959): in block b, with N_b and
 * N_n samples on the two sides, the shares differ by D_b; then
 *     D = sum w_b D_b / sum w_b,   w_b = N_b N_n / (N_b + N_n)
 * which is also the least-squares estimate of y = block + side, weighted by samples. With one block
 * it is the difference of the two shares. The same fit gives each run the leverage h, and
 *     d = sum (1 - h) = runs - blocks - 1
 * degrees of freedom remain for the noise. A run without samples changes nothing.
 *
 * The order of runs changes no bit of any result. The design copies the runs; counts of functions
 * are arrays in the order of these runs.
 */
#ifndef STATS_DESIGN_H
#define STATS_DESIGN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum stats_side {
    STATS_BASE,
    STATS_NEW,
    STATS_HISTORY, /* neither side: contributes to the noise only */
};

struct stats_run {
    double samples; /* of equal weight that know as much as its samples */
    uint32_t block; /* small numbers, from 0: there is an array of blocks */
    enum stats_side side;
};

/* The runs of one side of a block; in a block of the history, of side STATS_BASE. */
struct stats_cell {
    double samples; /* sum n */
    double squares; /* sum n^2 / N^2: 1 / R for R runs of one size */
    double freedom; /* sum (1 - h) */
    double surplus; /* sum (1 - h) (n - 1) */
    double part;    /* of this block in the change: w_b / sum w_b; 0 without both sides */
    uint32_t runs;  /* with samples */
    bool compared;  /* is in the base or the new side */
};

struct stats_design {
    struct stats_run *runs;
    size_t count;
    struct stats_cell *cells; /* two per block: STATS_BASE, STATS_NEW */
    size_t blocks;
    double freedom;    /* d, of all runs */
    double compared;   /* part of d that the runs of base and new contribute */
    double samples[2]; /* of base and new, in blocks with both */
    size_t sides[2];   /* runs of base and new with samples, in blocks with both */
    /* Var P = v (plain + rho surplus) for each side; rho is the correlation of noise.h. */
    double plain[2], surplus[2];
    double
        unit; /* factor from shares to reported values; 1 unless they are relative to a reference */
    bool relative; /* changes are reported relative to the other functions (change.h) */
};

/* Copies the runs. Block numbers must be below `blocks`. */
void stats_design_init(struct stats_design *d, const struct stats_run *runs, size_t count,
                       size_t blocks);
void stats_design_release(struct stats_design *d);

/* Whether there are samples on both sides of at least one block. */
static inline bool stats_design_compares(const struct stats_design *d)
{
    return d->samples[STATS_BASE] > 0 && d->samples[STATS_NEW] > 0;
}

static inline struct stats_cell *stats_design_cell(const struct stats_design *d, size_t run)
{
    const struct stats_run *r = &d->runs[run];

    return &d->cells[2 * (size_t)r->block + (r->side == STATS_NEW)];
}

#endif
