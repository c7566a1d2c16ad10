/*
 * Pages of lists: HTML that is written as it is, without templates and scripts, in the look of a
 * report. Trends and the index of a folder are such pages.
 */
#ifndef REPORT_PLAIN_PAGE_H
#define REPORT_PLAIN_PAGE_H

#include "base/buf.h"
#include "base/slice.h"

/* The head of a page. Texts are escaped. */
struct plain_page {
    struct slice generator; /* "flamepress 1.2" */
    struct slice title;
    const char *root;       /* leads to the directory of the feed: "../" or "" */
    const char *style_file; /* below `root`, or NULL: the style is in the page */
    const char *feed;       /* title of feed.xml, which is text without markup */
};

/* Appends a name without invisible characters, escaped for HTML and XML. */
void plain_page_add_text(struct buf *out, struct slice text);

/* Appends the page up to its heading, and its end. */
void plain_page_open(const struct plain_page *page, struct buf *out);
void plain_page_close(struct buf *out);

/* Appends the beginning of a table; a head that begins with '#' is of a column of numbers. */
void plain_page_open_table(const char *label, const char *const *heads, size_t count,
                           struct buf *out);
void plain_page_close_table(struct buf *out);

/* Appends the style of all such pages: that of reports, and what lists add to it. */
void plain_page_add_style(struct buf *out);

#endif
