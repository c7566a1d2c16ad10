/*
 * The names that templates know, and the members of the report behind them.
 */
#ifndef REPORT_FIELDS_H
#define REPORT_FIELDS_H

#include "base/slice.h"
#include "report/render.h"

/* struct report */
extern const struct record fields_report;

/* What page.mustache has besides the report. */
struct fields_page {
    struct slice style;   /* page.css */
    struct slice script;  /* page.js */
    struct slice content; /* the report as HTML */
};
extern const struct record fields_page;

#endif
