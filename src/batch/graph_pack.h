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

/*
 * Packs a graph, for the record that a later report reads (batch/reuse.h). Unless it stays `whole`,
 * only the summary stays in memory beside the packed bytes.
 */
void graph_pack(struct report_graph *g, bool whole);

/* Removes from a packed graph what is not in the summary. */
void graph_pack_shorten(struct report_graph *g);

/* Makes a packed graph, to which the report has added nothing yet, complete again. */
void graph_pack_complete(struct report_graph *g);

/*
 * Fills `full`, which is zeroed, with the complete graph, and with what the report has set in `g`
 * since it was packed. Returns false if `g` is complete itself. Release `full`; `g` must outlive
 * it. `u` may be NULL.
 */
bool graph_pack_open(struct pack_opener *u, const struct report_graph *g,
                     struct report_graph *full);

/* Appends a packed graph. */
void graph_pack_write(const struct report_graph *g, struct buf *out);

/*
 * Reads what graph_pack_write() wrote into `g`, which is zeroed and is as after graph_pack().
 * Returns false if it is damaged; release `g` then, too.
 */
bool graph_pack_read(struct pack_opener *u, struct slice *in, bool whole, struct report_graph *g);

#endif
