/*
 * A graph of two counters of the CPU: instructions per cycle (IPC), or the share of
 * cycles that were stalled.
 *
 * The name of an event says what it counts, as perf and pmcstat write it:
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

/* Returns what an event called `name` counts. */
enum counter counters_role(struct slice name);

/* Returns the kind of graph that two counters make, or PAIR_CHANGE if they make none. */
enum pair_kind counters_kind(enum counter cycles, enum counter other);

/*
 * Among the series that the recipe wants, makes instructions, or else stalled cycles, the base of
 * the cycles. Returns the id of the cycles, or SERIES_NONE if one of the counters is missing.
 */
uint32_t counters_join(const struct recipe *r, struct profile *p);

/*
 * Names the units of both sides of a graph of two counters if the input has only numbers of
 * samples: "cycles samples" after the event, or "cycles" if the input names no event.
 */
void counters_name_units(struct profile *p, uint32_t series);

/*
 * Adds a series "CPI" of cycles and instructions, or of cycles and stalled cycles, and keeps the
 * series of both. Adds one for each process, thread or CPU if the two are split. Returns false
 * after reporting that the weights do not fit in 64 bits.
 */
bool counters_add_graphs(struct profile *p, struct diag *diag);

/* Returns true if counters_add_graphs() made the series, so that the input does not have it. */
bool counters_is_added(const struct series *s);

/* Reports that counters are missing, and which counters the input has. Returns false. */
bool counters_tell_missing(const struct profile *p, struct diag *diag);

#endif
