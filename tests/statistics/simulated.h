/*
 * One comparison of a drawn service, as the program makes it: reference, noise, tests, findings.
 */
#ifndef STATISTICS_SIMULATED_H
#define STATISTICS_SIMULATED_H

#include <stdbool.h>
#include <stddef.h>

#include "statistics/world.h"
#include "stats/change.h"
#include "stats/discovery.h"
#include "stats/reference.h"
#include "stats/service.h"

struct simulated {
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

void simulated_init(struct simulated *t, size_t functions);
void simulated_release(struct simulated *t);

/* Tests the functions; `reference` chooses the measure. */
void simulated_compare(struct simulated *t, const struct draw *d, bool reference);
/* Finds what changed in several services together. */
void simulated_find(struct simulated *services, size_t count);
/* The smallest visible change of a function with this share. */
double simulated_smallest(const struct simulated *t, double share);

#endif
