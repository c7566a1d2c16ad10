/*
 * The trends of a history as a site: an index, a page a service, an Atom feed, JSON.
 *
 *     index.html            all services, their last changes, all labels
 *     services/NAME.html    changes and functions of a service
 *     feed.xml              changes, a service and label an entry (RFC 4287)
 *     trends.json           all numbers of all pages; schema "flamepress-trends/1"
 *     trends.css            the style of all pages
 *
 * Links are relative and there are no scripts. The bytes depend on nothing but the arguments.
 */
#ifndef REPORT_TREND_PAGES_H
#define REPORT_TREND_PAGES_H

#include "base/buf.h"
#include "compare/trends.h"

struct trend_label {
    struct slice name, date, commit, note; /* empty if unknown */
};

struct trend_report {
    const struct trends *trends;
    const struct trend_label *labels; /* by label, in the order of time */
    const struct slice *left_out;     /* names of labels that could not be read */
    size_t left_out_count;
    const struct slice *pages; /* by service: NAME of its page */
    struct slice title, version;
};

void report_trend_index(const struct trend_report *r, struct buf *out);
void report_trend_service(const struct trend_report *r, size_t service, struct buf *out);
/* Changes of one service at one label. */
struct trend_change {
    size_t service;
    const struct trend_shift *shift; /* the one that leads */
};

/* Returns the changes of all services, the newest and largest first. The caller frees them. */
struct trend_change *report_trend_changes(const struct trend_report *r, size_t *count);

/* Adds "came with LABEL, went with LABEL" of a shift that was undone or undoes one. */
void report_trend_undone(struct buf *out, const struct trend_report *r,
                         const struct trend_shift *shift);

void report_trend_feed(const struct trend_report *r, struct buf *out);
void report_trend_json(const struct trend_report *r, struct buf *out);

#endif
