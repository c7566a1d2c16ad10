/*
 * The columns and attributes of Caliper that are weights.
 *
 * Sums, scaled sums and counts are weights, of a region without its children or inclusive. Their
 * names begin with what was done, last first: "sum#inclusive#sum#time.duration", of the event
 * "time.duration". Minimums, maximums, averages and percentages do not add up and are dropped.
 */
#ifndef INPUT_FORMATS_HPC_CALIPER_METRIC_H
#define INPUT_FORMATS_HPC_CALIPER_METRIC_H

#include <stdbool.h>

#include "base/slice.h"
#include "profile/unit.h"

struct caliper_metric {
    struct slice event;
    bool time;
    bool inclusive; /* the value of a region contains those of its children */
};

/* Returns whether a column is a weight. */
bool caliper_metric_of(struct slice column, struct caliper_metric *m);

/* Whether an exclusive metric measures what the inclusive one does, so that it is not needed. */
bool caliper_metric_replaces(const struct caliper_metric *exclusive,
                             const struct caliper_metric *inclusive);

/*
 * Returns the unit of a metric: as stated, if `word` is not empty, or as the end of its name says,
 * "time.duration.ns". Times without a unit are `seconds` or, in files of Caliper 1, microseconds.
 */
struct unit caliper_metric_unit(const struct caliper_metric *m, struct slice word, bool seconds);

/*
 * Finds the unit that tools of high-performance computing call "sec", "usec" or "B". Returns false
 * for a word that is none of time or memory.
 */
bool caliper_metric_unit_of_word(struct slice word, struct unit *unit);

#endif
