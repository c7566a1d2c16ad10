/*
 * The tests of one service: counts of its functions, the measure, the noise, and the changes.
 *
 * Row k of the table of functions is tested twice: changes[k] is its self value, and
 * changes[rows + k] its total. Findings are chosen later, over all services (comparison.c).
 */
#ifndef COMPARE_TRIAL_H
#define COMPARE_TRIAL_H

#include <stdbool.h>

#include "compare/comparison.h"
#include "compare/functions.h"
#include "compare/rights.h"
#include "stats/change.h"
#include "stats/discovery.h"

struct trial {
    struct rights rights;
    struct functions functions;
    struct compare_run *runs;
    size_t run_count, blocks;
    bool exact;
    enum compare_measure measure; /* that was used */
    struct stats_design design;
    struct stats_noise noise;
    struct stats_change *changes; /* two for each row of `functions` */
    double *q;                    /* by change */
    struct stats_discovery discovery;
    double *inside; /* total values among the reference; NULL without one */
};

/* Takes over `runs`. */
void trial_init(struct trial *t, struct compare_run *runs, size_t count, size_t blocks, bool exact,
                const struct compare_settings *settings);
void trial_release(struct trial *t);

/* Whether a change is a finding, once the discovery is known. */
bool trial_finds(const struct trial *t, size_t change, const struct compare_settings *settings);

/* Returns the counts of a change by run: self or total values. */
const double *trial_counts(const struct trial *t, size_t change);

/* Converts samples of a side to a share, in the measure of the trial. */
double trial_share(const struct trial *t, double samples, enum stats_side side);

#endif
