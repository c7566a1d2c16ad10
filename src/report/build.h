/*
 * A graph of the report, filled from its tree.
 *
 * The tree is the whole graph, root first, nothing pruned, whatever is drawn of
 * it: top functions and searches count all of it, each search as the union of
 * its stacks. Runs on any thread; a graph is built by one.
 *
 * report_graph_build() comes first, then the calls that add what only the
 * drawing knows, in any order.
 */
#ifndef REPORT_BUILD_H
#define REPORT_BUILD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"
#include "report/report.h"
#include "match/search.h"
#include "tree/tree.h"

enum { REPORT_DEFAULT_ROWS = 15 };

/* A named search, compiled; `search` is shared by all graphs. */
struct report_query {
    struct slice name, pattern;
    bool ignore_case;
    const struct search *search;
};

struct report_source {
    struct slice name;             /* NAME of report/names.h */
    struct slice path;             /* of the input, as the reader of the report shall see it */
    struct slice title, subtitle;  /* an empty title: the commentary's heading, else the name */
    bool several;                  /* graphs in the input: a title gets the event behind it */
    struct slice form;             /* "Icicle graph"; empty for a flame graph */
    struct slice made;             /* how it is merged and what it is of; or empty */
    struct slice commentary;       /* Markdown as the user wrote it; empty for none */
    struct slice kind, kind_about; /* what the graph is of; empty for nothing special */
    struct unit_scale scale;       /* how weights are shown */
    unsigned rows;                 /* in the tables of top functions; 0: REPORT_DEFAULT_ROWS */
    const struct report_query *queries;
    size_t query_count;
};

/*
 * Fills an initialised graph. `d`, whose path is the commentary's, is told of
 * raw HTML taken out of the commentary.
 */
void report_graph_build(struct report_graph *g, const struct report_source *source,
                        const struct tree *t, struct diag *d);

/* A file that was drawn: path relative to the report ("graphs/mysql.png"), size in CSS pixels. */
void report_graph_set_picture(struct report_graph *g, enum report_picture which, struct slice path,
                              unsigned width, unsigned height);

/* The same, its bytes as text instead of a path: nothing stands beside the report. */
void report_graph_set_inside(struct report_graph *g, enum report_picture which, struct slice text,
                             unsigned width, unsigned height);

/* A box of the picture that may be pointed at, from corner to corner. */
void report_graph_add_area(struct report_graph *g, const int32_t corners[static 4],
                           struct slice name, struct slice share, struct slice place);

#endif
