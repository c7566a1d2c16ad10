/*
 * The function whose self share is much larger in one graph than in all others.
 *
 * Graphs of different services have different functions, so a function counts only if at least
 * two of the graphs list it. In a graph that does not list a function, it has at most the weight
 * of the last function that is listed, and at most what all listed ones leave. The gap between the
 * largest share and the next one must be ten points at least, and more than chance: four standard
 * errors of both shares, each that of a binomial proportion, sqrt(p (1 - p) / n), where n is the
 * number of samples. Graphs that do not know it, or have fewer than REPORT_LEAST_SAMPLES, are left
 * out, as are differential ones and idle CPUs.
 *
 * A hash stands for the name of a function (report_leading): packed graphs keep it for each row.
 */
#ifndef REPORT_OUTLIER_H
#define REPORT_OUTLIER_H

#include <stdbool.h>

#include "report/report.h"

/* A part of a graph: of its total, or 0 of 0. */
struct outlier_share {
    const struct report_graph *graph;
    uint64_t weight;
};

struct outlier {
    const struct report_function *function; /* a row of `most.graph` */
    struct outlier_share most;
    struct outlier_share next; /* no other graph has a larger share */
    size_t others;             /* graphs compared with `most.graph`, 1 at least */
};

/*
 * Finds the function with the largest gap among the graphs for which `comparable` returns true.
 * Returns false if there is none.
 */
bool outlier_find(const struct report *r,
                  bool comparable(const void *context, const struct report_graph *g),
                  const void *context, struct outlier *out);

/* Adds the functions of `g->by_self` to `g->leading`. */
void outlier_add_leading(struct report_graph *g);

/* Whether a function of this self weight can be found: a packed graph keeps its row. */
bool outlier_needs(const struct report_graph *g, uint64_t self);

#endif
