/*
 * Draws the findings of a comparison.
 *
 * Each service with a finding on a card gets one differential graph of all its runs, as SVG, and
 * each card a PNG of the stacks with its function, which can be pasted into a ticket. Frames whose
 * change is no finding are pale, unless `all_changes` is set. Exact counts are compared as they
 * are; samples of the base are scaled to the total of the new runs, as shares are compared.
 *
 * Files are named after the service: graphs/NAME@change.svg and graphs/NAME@finding-1.png. A single
 * file contains the PNGs only. Results do not depend on the number of threads.
 */
#ifndef BATCH_CHANGE_GRAPHS_H
#define BATCH_CHANGE_GRAPHS_H

#include <stdbool.h>

#include "base/diag.h"
#include "batch/gather.h"
#include "batch/plan.h"
#include "batch/stage.h"
#include "draw/resources.h"
#include "report/report.h"
#include "text/fonts.h"

struct change_graphs {
    struct services *base, *new; /* the compared ones; each gets a series with its sum */
    const struct plan *plan;
    const struct resources *resources;
    struct fonts *fonts;
    struct stage *stage; /* NULL if the report is a single file */
    unsigned threads;
    size_t most; /* the first cards that get a picture of their function; 0: all */
    bool all_changes;
};

/*
 * Draws the pictures of the report's cards and adds them to the cards. Returns false after
 * reporting the first error in `diag`; the other pictures are drawn.
 */
bool change_graphs_draw(const struct change_graphs *g, struct report *report, struct diag *diag);

#endif
