/*
 * Two counters of the CPU made one graph: how many instructions its cycles
 * brought (IPC), or how many of them were stalled.
 *
 * Counters are told apart by their names, as perf and pmcstat have them:
 * "cycles", "CPU_CLK_UNHALTED.THREAD_P", "instructions", "INST_RETIRED.ANY",
 * "stalled-cycles-backend", "resource_stalls.any"; callgrind's instructions are
 * "Ir".
 */
#ifndef PREPARE_COUNTERS_H
#define PREPARE_COUNTERS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"
#include "prepare/recipe.h"
#include "profile/pair.h"

enum counter { COUNTER_OTHER, COUNTER_CYCLES, COUNTER_INSTRUCTIONS, COUNTER_STALLS };

/* What an event of that name counts. */
enum counter counters_role(struct slice name);

/*
 * What a graph of these two is, one of which counts cycles; PAIR_CHANGE where it would be none.
 */
enum pair_kind counters_kind(enum counter cycles, enum counter other);

/*
 * Finds cycles and another counter among the series of a profile and makes the other the base of
 * the cycles, whose id is returned: instructions where there are both, or what --event names.
 * SERIES_NONE where there are no two such counters.
 */
uint32_t counters_join(const struct recipe *r, struct profile *p);

/*
 * Gives both sides of a graph of two counters words of their own, where both count mere samples:
 * "cycles samples", or "cycles" where stacks say nothing of what they count.
 */
void counters_name_units(struct profile *p, uint32_t series);

/*
 * Adds a graph "CPI" of cycles and instructions, or stalled cycles, beside the graphs of these, for
 * each process, thread or CPU that they are split by; not where --kind says what is drawn, nor
 * where it is drawn in time. False, told, where there is no room.
 */
bool counters_add_graphs(struct profile *p, struct diag *diag);

/* Whether counters_add_graphs() made the series: the input does not have it. */
bool counters_is_added(const struct series *s);

/* Says which counters are missing, and which there are; returns false. */
bool counters_tell_missing(const struct profile *p, struct diag *diag);

#endif
