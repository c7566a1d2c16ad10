/*
 * Pages of lists in the look of a report, without scripts: trends, the index of a folder, digests.
 * They are filled from templates/lists.
 */
#ifndef REPORT_LIST_PAGE_H
#define REPORT_LIST_PAGE_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/slice.h"
#include "report/render.h"

/* What head.html.mustache of these templates shows. */
struct list_page {
    struct slice generator; /* "flamepress 1.2" */
    struct slice title;
    struct slice root;  /* leads to the directory of the feed and of trends.css: "../" or "" */
    struct slice style; /* in the page, or empty: it is in trends.css */
    struct slice feed;  /* title of feed.xml */
};

/* Appends the template `name`, filled with a page's head, or NULL, and with a record. */
void list_page_write(struct slice name, const struct list_page *head, struct scope content,
                     struct buf *out);

/* Returns a name without invisible characters; the template escapes it. */
struct slice list_page_text(struct arena *memory, struct slice name);
/* Returns "1 label", "2 labels". */
struct slice list_page_count(struct arena *memory, size_t count, const char *what);

/* Appends the style of all such pages: that of reports, and what lists add to it. */
void list_page_style(struct buf *out);

#endif
