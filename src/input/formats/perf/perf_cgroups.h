/*
 * The control groups of a recording (perf record --all-cgroups): samples have their number, and
 * records give the path of each number.
 */
#ifndef INPUT_FORMATS_PERF_PERF_CGROUPS_H
#define INPUT_FORMATS_PERF_PERF_CGROUPS_H

#include <stdint.h>

#include "base/arena.h"
#include "base/map.h"
#include "base/slice.h"
#include "base/vec.h"

struct perf_cgroup {
    uint64_t id;
    struct slice path;
};

/* All zero at the start. */
struct perf_cgroups {
    struct arena texts;
    struct map index; /* by id */
    VEC(struct perf_cgroup) items;
};

void perf_cgroups_release(struct perf_cgroups *c);

/* A group that was met; a later path replaces an earlier one. */
void perf_cgroups_add(struct perf_cgroups *c, uint64_t id, struct slice path);

/* The path of a group, valid until the release, or "unknown", as perf script prints it. */
struct slice perf_cgroups_find(const struct perf_cgroups *c, uint64_t id);

#endif
