/*
 * Counters that samples give as absolute values: by how much each has grown since it was given
 * last. A counter that child processes inherit counts each thread by itself.
 */
#ifndef INPUT_FORMATS_PERF_PERF_COUNTERS_H
#define INPUT_FORMATS_PERF_PERF_COUNTERS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/map.h"
#include "base/vec.h"

struct perf_counter {
    uint64_t id, last;
    uint32_t tid; /* 0 if it is not of one thread */
};

struct perf_counters {
    struct map index; /* by id and thread */
    VEC(struct perf_counter) items;
};

void perf_counters_release(struct perf_counters *c);

/*
 * Returns by how much a counter has grown, and keeps its value. A value that is lower than the last
 * one is that of a counter that began again.
 */
uint64_t perf_counters_growth(struct perf_counters *c, uint64_t id, uint32_t tid, uint64_t value);

#endif
