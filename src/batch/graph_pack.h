/*
 * Packs the data of a graph of a report, so that thousands of graphs take little memory.
 *
 * The tables, facts, runs and image map are packed. The summary, the findings and the index in
 * report.json do not need them.
 */
#ifndef BATCH_GRAPH_PACK_H
#define BATCH_GRAPH_PACK_H

#include <stdbool.h>

#include "output/pack.h"
#include "report/graph.h"

void graph_pack(struct report_graph *g);

/*
 * Fills `full`, which is zeroed, with the complete graph, and with the data that the report has
 * added to `g` since it was packed. Returns false if `g` is not packed. Release `full`; `g` must
 * outlive it. `u` may be NULL.
 */
bool graph_pack_open(struct pack_opener *u, const struct report_graph *g,
                     struct report_graph *full);

/* Appends a packed graph. */
void graph_pack_write(const struct report_graph *g, struct buf *out);

/* Reads what graph_pack_write() wrote into `g`, which is zeroed. Returns false if it is damaged. */
bool graph_pack_read(struct pack_opener *u, struct slice *in, struct report_graph *g);

#endif
