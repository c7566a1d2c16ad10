/*
 * One comparison of a drawn service, as the program makes it: reference, noise, tests, findings.
 */
#ifndef STATISTICS_TRIAL_H
#define STATISTICS_TRIAL_H

#include <stdbool.h>
#include <stddef.h>

#include "statistics/world.h"
#include "stats/change.h"
#include "stats/discovery.h"
#include "stats/reference.h"
#include "stats/service.h"

struct trial {
    struct stats_change *changes; /* for each function */
    bool *findings;
    struct stats_row *rows;
    double *zeros;
    size_t functions;
    bool compared; /* `design` is in use */
    struct stats_design design;
    struct stats_noise noise;
    struct stats_discovery discovery;
};

void trial_init(struct trial *t, size_t functions);
void trial_release(struct trial *t);

/* Tests the functions; `reference` chooses the measure. */
void trial_compare(struct trial *t, const struct draw *d, bool reference);
/* Finds what changed in several services together. */
void trial_find(struct trial *services, size_t count);
/* The smallest visible change of a function with this share. */
double trial_smallest(const struct trial *t, double share);

#endif
