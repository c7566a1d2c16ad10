/*
 * All functions of one service, tested with one model of the noise.
 *
 * The p-values of all services of an event go to discovery.h together; a finding is what that
 * rejects and what changed by settings->min_change at least. Rows of self values must `pool`; rows
 * of totals must not, because the totals of one call path are the same samples again.
 */
#ifndef STATS_SERVICE_H
#define STATS_SERVICE_H

#include <stddef.h>

#include "stats/change.h"
#include "stats/design.h"
#include "stats/moments.h"
#include "stats/noise.h"

/* Fits the noise to the rows and writes one change for each row. */
void stats_service_test(struct stats_change *changes, struct stats_noise *noise,
                        const struct stats_design *d, const struct stats_row *rows, size_t count,
                        const struct stats_settings *settings);

#endif
