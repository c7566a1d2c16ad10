/*
 * One graph, from its inputs to a picture or to folded stacks.
 *
 * The functions of flamepress.h, and the commands of the program that make one graph, call these
 * functions. batch/merging.h reads the inputs into `profile`.
 */
#ifndef LIBRARY_GRAPH_H
#define LIBRARY_GRAPH_H

#include <stdbool.h>

#include "base/diag.h"
#include "batch/plan.h"
#include "draw/resources.h"
#include "output/folded.h"
#include "output/picture.h"
#include "prepare/prepare.h"
#include "report/graph.h"
#include "text/fonts.h"

struct library_graph {
    struct profile profile;
    struct prepared made;
    bool headless; /* folded stacks get no head, as reference converters write them */
    bool prepared; /* `made` is filled, even if nothing is left to draw */
};

void library_graph_init(struct library_graph *g);
void library_graph_release(struct library_graph *g);

/* Returns the series that is the graph; requires that the graph is prepared. */
static inline uint32_t library_graph_series(const struct library_graph *g)
{
    return g->made.graphs.items[0];
}

/* Prepares the graph. Returns false after reporting why it cannot, or that nothing is left. */
bool library_graph_prepare(struct library_graph *g, const struct plan *plan, struct diag *diag);

/*
 * Prepares the graph from two inputs, of which `after` is the graph's own profile. Functions get
 * common names (compare/align.h), unless names are to be those of reference converters.
 */
bool library_graph_prepare_two(struct library_graph *g, const struct prepare_input *before,
                               const struct prepare_input *after, const struct plan *plan,
                               struct diag *diag);

/* Writes the folded stacks of the prepared graph. Returns false if the sink fails. */
bool library_graph_fold(const struct library_graph *g, folded_sink *sink, void *context);

/* How the prepared graph is drawn. */
struct library_drawing {
    const struct plan *plan;
    struct fonts *fonts;
    struct slice source;               /* name of the input, for the file's metadata */
    const struct resources *resources; /* may be NULL */
    struct color_map *added;           /* gets colours that the resources lack; may be NULL */
    struct slice name;                 /* of the graph, for `described` */
    unsigned threads;                  /* 0 counts as 1 */
    struct report_graph *described;    /* gets the graph's description for a report; may be NULL */
};

/* Uses the picture, which the drawing owns. */
typedef bool library_picture_fn(void *context, const struct picture *picture, struct diag *diag);

/* Draws the graph and passes its picture to `use`. Returns false on an error, or if `use` fails. */
bool library_graph_draw(const struct library_graph *g, const struct library_drawing *how,
                        library_picture_fn *use, void *context, struct diag *diag);

#endif
