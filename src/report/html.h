/*
 * HTML: escaping, and the report as a page.
 *
 * The page is the report's Markdown run through libcmark, so that both say the
 * same. libcmark knows no tables: where the Markdown template includes a block
 * that has an HTML form of its own (a table, a picture), that form is rendered
 * aside and enters libcmark's tree as a custom block. Raw HTML in Markdown is
 * never let through.
 */
#ifndef REPORT_HTML_H
#define REPORT_HTML_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/diag.h"
#include "report/report.h"
#include "report/templates.h"

/* Appends `text` for HTML, between tags or inside a quoted attribute. */
void html_escape(struct buf *out, struct slice text);

/* Appends index.html. False, with `d` told, where a template is wrong. */
bool report_write_html(const struct report *r, const struct templates *t, struct buf *out,
                       struct diag *d);

#endif
