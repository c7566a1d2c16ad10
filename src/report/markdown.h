/*
 * Markdown: escaping, and the report as a Markdown file.
 *
 * The dialect is GitHub's and GitLab's: CommonMark with pipe tables. What is
 * written for a site generator is escaped for its reader: Hugo's finds
 * shortcodes even in code and makes quotes and dashes of what looks like them;
 * MkDocs' is Python-Markdown, which knows fewer escapes.
 */
#ifndef REPORT_MARKDOWN_H
#define REPORT_MARKDOWN_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/diag.h"
#include "report/report.h"
#include "report/templates.h"

enum markdown_style {
    MARKDOWN_TEXT,       /* as running text */
    MARKDOWN_CODE,       /* as a code span, its backticks included */
    MARKDOWN_CODE_TABLE, /* the same inside a pipe table, where '|' ends a cell even in code */
};

/*
 * Appends `text`, valid UTF-8, so that it reads as itself wherever a line of
 * Markdown may have it: in a paragraph, a heading, a link's text, a cell.
 * Line ends become spaces. What runs from right to left turns nothing around it.
 */
void markdown_escape(struct buf *out, struct slice text, enum report_site site,
                     enum markdown_style style);

/*
 * The anchor that GitHub gives a heading: lower case, blanks as hyphens,
 * punctuation gone. The caller numbers repeated ones.
 */
void markdown_anchor(struct buf *out, struct slice heading);

/* Appends report.md, or the site's index.md. False, with `d` told, where a template is wrong. */
bool report_write_markdown(const struct report *r, const struct templates *t, struct buf *out,
                           struct diag *d);

#endif
