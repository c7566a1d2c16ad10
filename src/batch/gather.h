/*
 * Makes services of the profiles of one group (batch/grouping.h).
 *
 * Each event of the profiles is a service of its own. Profiles are divided further, into services
 * of the same name, if an event has several units, or if only some profiles count it exactly.
 */
#ifndef BATCH_GATHER_H
#define BATCH_GATHER_H

#include <stdbool.h>

#include "base/diag.h"
#include "base/vec.h"
#include "batch/grouping.h"
#include "prepare/choose.h"
#include "profile/service.h"

struct services VEC_OF(struct service);

/*
 * Adds the series `graphs` of `p`, read from the file `shown`, to the services, each as a run.
 * Series that show a change are left out. Returns false after reporting that the runs together
 * exceed a limit.
 */
bool gather_add(struct services *services, const struct group *group, struct slice shown,
                struct profile *p, const struct series_ids *graphs, struct diag *diag);

/* Returns the bytes that the services take. */
uint64_t gather_footprint(const struct services *services);

void gather_release(struct services *services);

#endif
