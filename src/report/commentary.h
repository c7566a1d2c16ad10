/*
 * Makes a user's Markdown safe to include in the report.
 *
 * libcmark parses the text and writes it anew, so it cannot affect the text
 * after it: code blocks and lists are closed and reference links resolved.
 * Headings are moved below the report's own. Raw HTML and links that run
 * scripts are removed. Relative links are kept. Images from another place become
 * links: to load them would tell that place who reads the report.
 */
#ifndef REPORT_COMMENTARY_H
#define REPORT_COMMENTARY_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/diag.h"
#include "base/slice.h"
#include "report/site.h"

/* A text that is larger or nests deeper is left out with a warning. */
enum { COMMENTARY_MAX_SIZE = 1 << 20, COMMENTARY_MAX_NESTING = 64 };

struct commentary {
    struct slice heading;  /* the text of a level-1 heading at the start, or empty */
    struct slice markdown; /* the rest, without a line end */
    struct slice headings; /* the texts of its headings, one per line */
};

/*
 * Fills `c`, with texts in `memory`. Headings of level 1 and 2 get level `top`,
 * and deeper ones the levels below it. Warns in `d`, whose path is the file's,
 * of the first raw HTML that is removed.
 */
void commentary_read(struct commentary *c, struct slice markdown, int top, struct arena *memory,
                     struct diag *d);

/*
 * Appends a commentary's Markdown for a page in another directory: relative links and images get
 * `up`, which leads to the directory that they are relative to. Links to a place on the page stay.
 */
void commentary_write_below(struct buf *out, struct slice markdown, const char *up);

/*
 * Appends a commentary's Markdown for a site generator: entities replace what its parser would read
 * as markup, or before which it would show the backslash (MkDocs: '<', '&' and '='), and code that
 * it would expand is written so that it stays. `up` leads from the page to the directory of the
 * report: links out of that directory become HTML where the generator would copy what they name.
 */
void commentary_write_for_site(struct buf *out, struct slice markdown, enum report_site site,
                               struct slice up);

#endif
