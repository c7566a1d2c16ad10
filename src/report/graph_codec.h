/*
 * Writes what a report says of a graph as bytes, and reads it back, so that a later
 * report can take the graph over. The bytes depend on the graph alone.
 */
#ifndef REPORT_GRAPH_CODEC_H
#define REPORT_GRAPH_CODEC_H

#include <stdbool.h>

#include "base/buf.h"
#include "report/graph.h"

void graph_codec_write(const struct report_graph *g, struct buf *out);

/*
 * Reads a graph from the start of `*in` into `g`, which must be zeroed, and moves `*in` past it.
 * Returns false if the bytes are not those of a graph; release `g` then, too.
 */
bool graph_codec_read(struct slice *in, struct report_graph *g);

/* Numbers and texts, for what is kept beside graphs. */
void graph_codec_write_number(struct buf *out, uint64_t value);
void graph_codec_write_text(struct buf *out, struct slice text);
bool graph_codec_read_number(struct slice *in, uint64_t *value);
/* The text is a part of `*in`. */
bool graph_codec_read_text(struct slice *in, struct slice *text);

#endif
