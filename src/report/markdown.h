/*
 * Writes the report as Markdown, and escapes text for Markdown.
 *
 * The dialect is that of GitHub and GitLab: CommonMark with pipe tables. Text
 * for a site generator is escaped for that generator's parser (report/site.h):
 * Hugo expands shortcodes even in code and replaces quotes and dashes; MkDocs
 * uses Python-Markdown, which knows fewer escapes.
 */
#ifndef REPORT_MARKDOWN_H
#define REPORT_MARKDOWN_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/diag.h"
#include "report/pages.h"
#include "report/report.h"
#include "report/templates.h"

enum markdown_style {
    MARKDOWN_TEXT,       /* running text that only this program reads */
    MARKDOWN_INERT,      /* running text in which mentions and addresses are code */
    MARKDOWN_CODE,       /* a code span, backticks included */
    MARKDOWN_CODE_TABLE, /* a code span in a pipe table, where '|' ends a cell even in code */
};

/*
 * Appends `text`, which must be valid UTF-8, so that it is shown unchanged in a
 * paragraph, a heading, a link's text or a cell. Line ends become spaces. Text
 * that runs from right to left is isolated from the text around it.
 */
void markdown_escape(struct buf *out, struct slice text, enum report_site reader,
                     enum markdown_style style);

/* Appends `text` for an attribute of HTML within Markdown, which some parsers read there, too. */
void markdown_escape_html(struct buf *out, struct slice text);

/* Appends the address of a link: within <> if it has blanks or brackets. */
void markdown_address(struct buf *out, struct slice address);

/*
 * Appends the anchor that GitHub gives a heading: lower case, hyphens for
 * blanks, no punctuation. The caller numbers repeated anchors.
 */
void markdown_anchor(struct buf *out, struct slice heading);

/* Appends report.md, or the site's index.md. Returns false after reporting an error in `d`. */
bool report_write_markdown(const struct report *r, const struct templates *t, struct buf *out,
                           struct diag *d);
/* Appends the Markdown of a graph's page. Returns false after reporting an error in `d`. */
bool report_write_graph_markdown(const struct graph_page *page, const struct templates *t,
                                 struct buf *out, struct diag *d);

/* Returns the name of the report's Markdown: "report.md", or what the site generator expects. */
struct slice markdown_index(const struct report *r);

#endif
