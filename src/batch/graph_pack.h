/*
 * Packs what a report says of a graph, so that thousands of graphs take little memory.
 *
 * A packed graph still has what the summary, the findings and report.json's index say of it; its
 * tables, facts, runs and image map are packed.
 */
#ifndef BATCH_GRAPH_PACK_H
#define BATCH_GRAPH_PACK_H

#include <stdbool.h>

#include "report/graph.h"

void graph_pack(struct report_graph *g);

/*
 * Fills `full`, which is zeroed, with the complete graph, and with what the report has added to `g`
 * since it was packed. Returns false if `g` is not packed. Release `full`; `g` must outlive it.
 */
bool graph_pack_open(const struct report_graph *g, struct report_graph *full);

#endif
