/*
 * A user's Markdown, made fit to stand inside the report.
 *
 * The text is read and written anew by libcmark, so that it cannot run into
 * what comes behind it: code blocks and lists are closed and reference links
 * resolved. Headings go below the report's own. Raw HTML and links that run
 * scripts are taken out. Relative links stay as they are.
 */
#ifndef REPORT_COMMENTARY_H
#define REPORT_COMMENTARY_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/diag.h"
#include "base/slice.h"

/* What is larger, or nests deeper, is left out with a warning. */
enum { COMMENTARY_MAX_SIZE = 1 << 20, COMMENTARY_MAX_NESTING = 64 };

struct commentary {
    struct slice heading;  /* the text of a level-1 heading that it began with; else empty */
    struct slice markdown; /* the rest, without a line end */
    struct slice headings; /* the texts of its headings, a line each */
};

/*
 * Fills `c`, its texts in `memory`; its headings of level 1 and 2 get
 * level `top` and the others as much lower. `d`, whose path is the file's, is
 * warned once of raw HTML, with the line.
 */
void commentary_read(struct commentary *c, struct slice markdown, int top, struct arena *memory,
                     struct diag *d);

/*
 * Appends such Markdown for Python-Markdown, which MkDocs uses: it shows the backslash before
 * '<', '&' and '=', so that entities stand in their place.
 */
void commentary_write_for_mkdocs(struct buf *out, struct slice markdown);

#endif
