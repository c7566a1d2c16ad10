/*
 * The index of a folder of reports: a page and an Atom feed, the newest report first.
 *
 *     index.html   all reports: date, title, what was measured, what stands out
 *     feed.xml     the newest reports, an entry each (RFC 4287)
 *
 * Links are relative and there are no scripts. Texts come from files that may be hostile, and are
 * escaped. The bytes depend on nothing but the arguments.
 */
#ifndef REPORT_INDEX_PAGES_H
#define REPORT_INDEX_PAGES_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/slice.h"
#include "base/vec.h"

/* What the index says of a report; all texts but `path` and `day` may be empty. */
struct index_entry {
    struct slice path;    /* of its directory, below the folder */
    struct slice page;    /* of its main file below that directory; empty if there is no page */
    struct slice picture; /* of its first graph, below the directory */
    struct slice day;     /* "2026-11-23": the date of the report, or of its file */
    struct slice date;    /* as the report has it */
    struct slice title, subtitle, measured;
    struct slice finding;  /* "Heaviest function of cpu-clock: main, 20.02 %" */
    struct slice compared; /* "2 worse, 1 better"; empty without a baseline */
};

struct report_index {
    struct arena memory;
    VEC(struct index_entry) entries; /* the newest first */
    struct slice title, version;
};

/* Sorts the entries: by day, then by path, both descending. */
void report_index_sort(struct report_index *index);

void report_index_page(const struct report_index *index, struct buf *out);
void report_index_feed(const struct report_index *index, struct buf *out);

/* True if a file was written by one of these functions. */
bool report_index_is_own(struct slice file);

#endif
