/*
 * Writes the report as an HTML page, and escapes text for HTML.
 *
 * libcmark makes the page from the report's Markdown, so both say the same.
 * libcmark knows no tables: if the Markdown template includes a block that has
 * an HTML form (a table, a picture), libcmark's tree has a custom block in its
 * place, and the HTML is written together with the page. Raw HTML in Markdown is
 * dropped.
 */
#ifndef REPORT_HTML_H
#define REPORT_HTML_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/diag.h"
#include "base/flush.h"
#include "report/pages.h"
#include "report/report.h"
#include "report/templates.h"

/* Appends `text`, escaped for use between tags or in a quoted attribute. */
void html_escape(struct buf *out, struct slice text);

/*
 * Appends index.html, and hands finished parts to `flush`. Returns false after reporting an
 * error in `d`.
 */
bool report_write_html(const struct report *r, const struct templates *t, struct buf *out,
                       const struct flush *flush, struct diag *d);

/* Appends the page of a graph, pages/NAME.html. Returns false after reporting an error in `d`. */
bool report_write_graph_html(const struct graph_page *page, const struct templates *t,
                             struct buf *out, struct diag *d);

#endif
