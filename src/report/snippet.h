/*
 * A piece of Markdown to paste into a ticket: the picture of a graph with a text for readers who do
 * not see it, its top functions, and the command that draws the interactive graph.
 */
#ifndef REPORT_SNIPPET_H
#define REPORT_SNIPPET_H

#include "base/buf.h"
#include "report/graph.h"

struct snippet {
    const struct report_graph *graph;
    struct slice picture; /* its address, from the place of the snippet */
    struct slice link;    /* the address that a click on the picture opens; or empty */
    struct slice command; /* or empty */
};

void snippet_write(const struct snippet *s, struct buf *out);

#endif
