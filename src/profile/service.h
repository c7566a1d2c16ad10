/*
 * Runs and services.
 *
 * A run is one series of one profile: one recording of a program. A service is a set of runs that
 * measure the same thing, so that they can be added up and compared. It keeps the stacks of all
 * runs in one profile, with one series for each run, so a function has one symbol id in all of
 * them. Two sets of runs are compared in one service: they are added to it one after the other.
 *
 * Runs are in the order in which they were added, with names that differ. Callers add them in the
 * order of their names, so that nothing depends on the order of files. The service owns all its
 * data; texts are copied.
 */
#ifndef PROFILE_SERVICE_H
#define PROFILE_SERVICE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/intern.h"
#include "profile/profile.h"

/* Keys of facts (struct fact) that comparisons use, whatever format a run has. */
#define RUN_HOST "hostname"
#define RUN_KERNEL "os release"
#define RUN_CPU "cpudesc"
#define RUN_COMMAND "command"
#define RUN_TIME "captured on"
#define RUN_PERIOD "period"
#define RUN_REQUESTS "requests"
#define RUN_COMMIT "commit"
#define RUN_BUILD "build"
#define RUN_NOTE "note"

struct service {
    struct slice name;        /* "orders" */
    struct slice event;       /* the name of the series: "cpu-clock" */
    struct slice owner, link; /* empty if the settings do not say */
    struct unit unit;
    bool exact;             /* weights are counts of all events, not estimates from samples */
    struct profile profile; /* one series for each run, and those of service_sum() */
    struct runs runs;       /* `series` is of `profile` */
    struct intern names;    /* of the runs */
    uint64_t total;         /* the sum of the runs, at most UINT64_MAX */
};

/* Copies `name`. Event, unit and `exact` are those of the first run. */
void service_init(struct service *s, struct slice name);
void service_release(struct service *s);

/* Whether the series can be a run of the service: its event and its unit are those of the runs. */
bool service_takes(const struct service *s, const struct profile *p, uint32_t series);

/* Whether a run has the name. */
static inline bool service_has_run(const struct service *s, struct slice name)
{
    return intern_find(&s->names, name) != MAP_NONE;
}

/*
 * Adds a series of `part` as the run `name`, which no run has yet; if `part` consists of runs, the
 * series is one of them and keeps its facts. service_takes() is true. May change which
 * frames of `part` are owners (reshape_match_owners()). Returns false and adds no run if the
 * weights do not fit in 64 bits or there are too many distinct stacks.
 */
bool service_add_run(struct service *s, struct slice name, struct profile *part, uint32_t series);

/*
 * Makes a service of one series of a profile, as its only run, without a copy: the service is valid
 * as long as the profile is unchanged. Release it with service_release_view().
 */
void service_view(struct service *s, struct slice name, struct slice run,
                  const struct profile *profile, uint32_t series);
void service_release_view(struct service *s);

/*
 * Adds a series `name`, which must be new, with the sum of the runs `first` to `last - 1`. Returns
 * its id, or SERIES_NONE if the sum does not fit in 64 bits.
 */
uint32_t service_sum(struct service *s, struct slice name, size_t first, size_t last);

/* Adds a fact of a run, or replaces its value. */
void service_set_fact(struct service *s, size_t run, struct slice key, struct slice value);
/* Returns the value of a fact of a run, or an empty slice. */
struct slice service_fact(const struct run *run, struct slice key);

#endif
