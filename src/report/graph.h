/*
 * The content of a report about one graph; its members are listed in report/records.h.
 *
 * Numbers are kept twice: exact, for JSON, and as the text that tables show.
 * All texts of a graph live in its own arena, so each graph can be built on a
 * thread of its own (report/build.h) before it is moved into the report.
 */
#ifndef REPORT_GRAPH_H
#define REPORT_GRAPH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/slice.h"
#include "base/vec.h"
#include "profile/unit.h"
#include "report/records.h"
#include "report/site.h"

enum report_picture {
    REPORT_SVG,
    REPORT_PNG,
    REPORT_PNG_2X,
    REPORT_PNG_DARK,
    REPORT_PNG_DARK_2X,
    REPORT_PICTURES,
};

RECORD_STRUCT(amount, REPORT_AMOUNT);
RECORD_STRUCT(fact, REPORT_FACT);
RECORD_STRUCT(run, REPORT_RUN);
RECORD_STRUCT(function, REPORT_FUNCTION);
RECORD_STRUCT(leading, REPORT_LEADING);
RECORD_STRUCT(match, REPORT_MATCH);
RECORD_STRUCT(omission, REPORT_OMISSION);
RECORD_STRUCT(area, REPORT_AREA);
RECORD_STRUCT(file, REPORT_FILE);
RECORD_STRUCT(export, REPORT_EXPORT);

struct report_omissions VEC_OF(struct report_omission);

struct report_graph {
    REPORT_GRAPH(RECORD_DECLARE, RECORD_DECLARE, RECORD_NOTHING, report_graph)
};

void report_graph_release(struct report_graph *g);

/* Adds the tags of a graph to the front matter of a page: its event and its kind. */
void report_graph_add_tags(const struct report_graph *g, struct site_front *front,
                           struct arena *memory);

/* Appended to a heading under which functions of idle CPUs would have more weight. */
#define REPORT_IDLE_LEFT_OUT ", idle left out"

/* Returns the function with the most self weight in which no CPU idles, or NULL. */
const struct report_function *report_graph_busiest(const struct report_graph *g);

#endif
