/*
 * The pages of graphs: if a report has many graphs, each has a page of its own (--pages).
 *
 *     index.html, report.md, report.json          the summary, with links to all pages
 *     pages/NAME.html, NAME.md, NAME.json         a page of each graph, linked to its neighbours
 *     pages/page.css, page.js                     style and script of these pages
 *     pages/NAME/index.md                         for a site generator, instead of NAME.md
 *
 * Site generators serve pages/NAME/index.md as pages/NAME/, so links of its text are from there.
 * Hugo makes addresses lower case; names of graphs differ in more than case. A wiki has its pages
 * in one place: pages/PLACE-NAME.md is PLACE-NAME; PLACE is the name of the report's directory.
 */
#ifndef REPORT_PAGES_H
#define REPORT_PAGES_H

#include "base/buf.h"
#include "report/fields.h"
#include "report/report.h"

#define PAGES_DIRECTORY "pages"
#define PAGES_STYLE PAGES_DIRECTORY "/page.css"
#define PAGES_SCRIPT PAGES_DIRECTORY "/page.js"

/* A graph with a page of its own. */
struct graph_page {
    const struct report *report;
    size_t index;                     /* of the graph in the report */
    const struct report_graph *graph; /* complete; the report's may lack its tables */
};

/* Appends what leads from the summary, or from a graph's page, to files of the report: "../". */
void pages_add_front(const struct report *r, bool inside, struct buf *out);

/*
 * Appends the path of a graph's file below the report. `ending` is ".html", ".md" or ".json";
 * Markdown for a site generator is "pages/NAME/index.md".
 */
void pages_path(const struct report *r, struct slice name, const char *ending, struct buf *out);

/* Whether the page of each graph is in a directory of its own. */
bool pages_have_directories(const struct report *r);

/* Appends the link to a graph from the summary, or from `inside` another graph's page. */
void pages_link(const struct report *r, struct slice name, const char *ending, bool inside,
                struct buf *out);

/* Fills what the templates of a graph's page use; `index` is the link to the summary. */
void pages_neighbours(const struct graph_page *page, struct slice index,
                      struct fields_neighbours *out);

/* Appends the link from a graph's page to the summary in Markdown. */
void pages_link_summary(const struct report *r, struct buf *out);

#endif
