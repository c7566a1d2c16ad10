/*
 * Dates findings: finds the label since which a finding exists, from the shares of all labels
 * (stats/series.h).
 */
#ifndef COMPARE_SINCE_H
#define COMPARE_SINCE_H

#include "compare/trial.h"

/* The labels of one service: the runs of a trial, and tables of the history. */
struct since_history {
    const struct trial *trial;
    const uint32_t *labels;                     /* by run of the trial: index of the label */
    const struct function_table *const *tables; /* by label; NULL: the runs of the trial have it */
    const struct slice *names;                  /* by label, in the order of time */
    size_t count;
    double noise; /* correlation between samples of one run (stats/noise.h) */
};

enum { SINCE_LEAST = 5 }; /* labels with which findings are dated */

/*
 * Sets `since_p` of each finding of the service; with SINCE_LEAST labels, also `since` and what
 * belongs to it, if the level of its share changed after the base. Sets the levels of the findings
 * and of the heaviest function. Copies texts to `memory`.
 */
void since_add(struct compared_service *s, const struct since_history *h, struct arena *memory);

/* Sets the point of a function in a table: `self` or total share. */
void since_point(struct compare_level *out, const struct function_table *t, size_t function,
                 enum compare_scope scope, double noise);

#endif
