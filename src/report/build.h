/*
 * Fills one graph of the report from its tree.
 *
 * The tree is complete and parents come before their children; nothing is
 * pruned from it, whatever the picture leaves out. So top functions and searches
 * count everything; a search counts each stack once. One thread builds a graph,
 * and any thread may be that one.
 *
 * Call report_graph_build() first, then, in any order, the functions that add
 * what is known only after drawing. All texts live in the graph's memory.
 */
#ifndef REPORT_BUILD_H
#define REPORT_BUILD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"
#include "profile/service.h"
#include "report/report.h"
#include "tree/share.h"
#include "tree/tree.h"

enum { REPORT_DEFAULT_ROWS = 15, REPORT_MOST_GRAPHS = 500 };

struct report_source {
    struct slice name;             /* NAME of report/names.h */
    struct slice path;             /* of the input, as the report shows it */
    struct slice title, subtitle;  /* an empty title: the commentary's heading, else the name */
    bool several;                  /* the input has several graphs: titles end in the event */
    struct slice form;             /* "Icicle graph"; empty for a flame graph */
    struct slice made;             /* how it is merged and filtered; or empty */
    struct slice commentary;       /* Markdown as the user wrote it; empty for none */
    struct slice kind, kind_about; /* such as "off-cpu", and in a line; or empty */
    struct unit_scale scale;       /* how weights are shown */
    unsigned rows;                 /* in the tables of top functions; 0: REPORT_DEFAULT_ROWS */
    const struct share *shares;    /* of the named searches, in the tree of the graph */
    size_t share_count;
};

/*
 * Fills an initialised graph. If the tree is a part (tree/zoom.h), functions and the heaviest stack
 * are those of the part, and shares are of the whole graph, as in its picture. Warns in `d`, whose
 * path is the commentary's, of raw HTML that was removed from the commentary.
 */
void report_graph_build(struct report_graph *g, const struct report_source *source,
                        const struct tree *t, struct diag *d);

/* Adds a line to the ledger of the input: a graph of it that is not drawn, and its weight. */
void report_graph_add_undrawn(struct report_graph *g, struct slice name,
                              const struct unit_scale *scale, uint64_t weight);

/* Adds a file in the format of another tool; copies its path below the report. */
void report_graph_add_export(struct report_graph *g, struct slice title, const char *name,
                             struct slice path);
/* Adds a drawn picture; copies its path below the report ("graphs/mysql.png") or its bytes. */
void report_graph_set_picture(struct report_graph *g, enum report_picture which,
                              const struct report_file *file);

/*
 * Describes the picture in words again if it does not show the tree of report_graph_build(), but
 * `drawn`: merged from the leaves, around one function, or a part.
 */
void report_graph_set_drawn(struct report_graph *g, const struct report_source *source,
                            const struct tree *drawn);

/* Adds a box of the image map: `corners` are left, top, right, bottom in CSS pixels. */
void report_graph_add_area(struct report_graph *g, const int32_t corners[static 4],
                           struct slice name, struct slice share, struct slice place);

/* Adds to the ledger the weight of frames narrower than --minwidth. */
void report_graph_add_thin(struct report_graph *g, uint64_t weight);
/* Adds to the ledger the weight of frames above --max-depth. */
void report_graph_add_above(struct report_graph *g, uint64_t weight);

/* Adds the service that a graph shows, and its runs if there are several. */
void report_graph_set_service(struct report_graph *g, const struct service *s);

#endif
