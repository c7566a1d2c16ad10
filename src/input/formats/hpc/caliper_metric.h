/*
 * The columns and attributes of Caliper that are weights.
 *
 * Sums and counts of a region without its children are weights. Inclusive values, minimums,
 * maximums and averages do not add up and are dropped. "sum#time.duration" is called
 * "time.duration".
 */
#ifndef INPUT_FORMATS_HPC_CALIPER_METRIC_H
#define INPUT_FORMATS_HPC_CALIPER_METRIC_H

#include <stdbool.h>

#include "base/slice.h"
#include "profile/unit.h"

struct caliper_metric {
    struct slice event;
    bool time;
};

/* Returns whether a column is a weight. */
bool caliper_metric_of(struct slice column, struct caliper_metric *m);

/*
 * Returns the unit of a metric: as stated, if `word` is not empty. Times without a unit are
 * `seconds` or, in files of Caliper 1, microseconds.
 */
struct unit caliper_metric_unit(const struct caliper_metric *m, struct slice word, bool seconds);

#endif
