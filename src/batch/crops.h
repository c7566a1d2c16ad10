/*
 * Crops: pictures of the functions of a graph with the most self weight, for tickets. Each is what
 * `flamepress graph --crop FUNCTION --preset=ticket` draws, byte for byte.
 *
 * A crop of the graph NAME is the file "graphs/NAME@crop1.png" of the report, and so on by rank.
 */
#ifndef BATCH_CROPS_H
#define BATCH_CROPS_H

#include <stdbool.h>

#include "base/diag.h"
#include "batch/plan.h"
#include "batch/stage.h"
#include "draw/resources.h"
#include "profile/profile.h"
#include "report/graph.h"
#include "text/fonts.h"

enum { CROPS_MOST = 3 }; /* of a graph */

struct crops {
    const struct plan *plan;
    uint64_t memory_limit; /* bytes that a crop may take, as of struct draw_request */
    const struct profile *profile;
    uint32_t series;
    struct fonts *fonts;
    const struct resources *resources;
    struct slice source; /* what the pictures call the input */
    struct stage *stage;
    struct slice name; /* of the graph */
    struct diag *diag;
};

/*
 * Writes the crops of `graph` and adds their paths to its functions by self weight. There are no
 * crops of functions in which a CPU idles, and none of graphs that cannot be cropped: changes,
 * charts, heat maps and graphs that are merged from the leaves or show one function. Returns false
 * after reporting an error.
 */
bool crops_write(const struct crops *c, struct report_graph *graph);

#endif
