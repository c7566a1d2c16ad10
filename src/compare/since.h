/*
 * Since when a finding is there, from the shares of all labels (stats/series.h).
 */
#ifndef COMPARE_SINCE_H
#define COMPARE_SINCE_H

#include "compare/trial.h"

/* The runs of a trial and the labels that they are of. */
struct since_history {
    const struct trial *trial;
    const uint32_t *labels;    /* by run of the trial: index of the label */
    const struct slice *names; /* by label, in the order of time */
    size_t count;
};

/*
 * Sets `since` of each finding of the service whose share changed its level at a label. Copies
 * texts to `memory`.
 */
void since_add(struct compared_service *s, const struct since_history *h, struct arena *memory);

#endif
