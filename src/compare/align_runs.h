/*
 * Gives generated functions one name in several runs of a service that become one graph.
 *
 * A virtual machine numbers the classes that it generates anew in each run: "A$$Lambda$14.run" of
 * one run and "A$$Lambda$15.run" of another may be one function, and would split a graph of both
 * runs. If functions have names with one key (compare_run_name_add()), and some are not in every
 * run, the key becomes the name of all of them. Other names are not changed.
 *
 * Runs that are one profile each are learnt as they are merged, then the result is renamed:
 *
 *     struct align_runs a = {0};
 *     align_runs_learn(&a, part);      for each run that is merged into `whole`
 *     align_runs_rename(&a, whole);
 *     align_runs_release(&a);
 */
#ifndef COMPARE_ALIGN_RUNS_H
#define COMPARE_ALIGN_RUNS_H

#include <stdint.h>

#include "base/intern.h"
#include "base/vec.h"
#include "profile/service.h"

/* A name of a generated function. */
struct align_name {
    uint32_t key;  /* id in `keys` */
    uint32_t runs; /* that have the name */
    uint32_t last; /* the number of the last of them */
};

/* A zeroed struct has learnt no run. */
struct align_runs {
    struct intern names, keys;
    VEC(struct align_name) by_name;
    uint32_t runs;
};

/* Learns the names of a run. */
void align_runs_learn(struct align_runs *a, const struct profile *p);

/* Renames functions of a profile: the sum of the runs that were learnt. */
void align_runs_rename(const struct align_runs *a, struct profile *p);

void align_runs_release(struct align_runs *a);

/* Renames the functions of a service, whose runs have not been added up yet. */
void align_runs_of_service(struct service *s);

#endif
