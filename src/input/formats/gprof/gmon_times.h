/*
 * From the calls and the self times of a program's functions to a call graph with times, as
 * gprof computes it.
 *
 * The time of a function and its callees is divided among its callers in proportion to the
 * numbers of their calls. Functions that call each other in a circle are a cycle: their time is
 * divided among the callers outside of it, and calls within it have no time. So times go from
 * callees to callers, one strongly connected component after the other (Tarjan's algorithm).
 *
 * Source: Graham, Kessler, McKusick: gprof, a Call Graph Execution Profiler, 1982.
 */
#ifndef INPUT_FORMATS_GPROF_GMON_TIMES_H
#define INPUT_FORMATS_GPROF_GMON_TIMES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "input/build/call_graph.h"

struct gmon_call {
    uint32_t caller, callee; /* functions of the graph */
    uint64_t count;
};

struct gmon_calls VEC_OF(struct gmon_call);

/*
 * Adds the calls to the graph, which has the functions and, as event 0, their self times in ns,
 * at most INT64_MAX together. Returns false if a sum exceeds 63 bits.
 */
bool gmon_times_add(struct call_graph *g, const struct gmon_calls *calls);

#endif
