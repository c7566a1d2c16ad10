/*
 * The ledger of a graph: what of its input the picture does not show.
 *
 * Each row is a weight of the graph or a number of records, with the key under
 * which report.json has it; rows of nothing are left out. Texts live in the
 * graph's memory.
 */
#ifndef REPORT_GAPS_H
#define REPORT_GAPS_H

#include <stdint.h>

#include "report/graph.h"
#include "tree/tree.h"

/*
 * What filters took, what is in `[unknown]`, and what reading could not use.
 * `g` has its totals already; `t` is the whole graph.
 */
void report_gaps_build(struct report_graph *g, const struct tree *t);

/* Names on which a search reached its limit of work. */
void report_gaps_add_exhausted(struct report_graph *g, uint64_t names);

/* Weight of frames narrower than --minwidth; weight of frames above --max-depth. */
void report_gaps_add_thin(struct report_graph *g, uint64_t weight);
void report_gaps_add_above(struct report_graph *g, uint64_t weight);

#endif
