/*
 * The names that templates may use, each with the member of the report that it stands for.
 */
#ifndef REPORT_FIELDS_H
#define REPORT_FIELDS_H

#include "base/slice.h"
#include "report/render.h"

/* struct report */
extern const struct record fields_report;

/* What page.mustache can use besides the report. */
struct fields_page {
    struct slice style;   /* page.css */
    struct slice script;  /* page.js */
    struct slice content; /* the report as HTML */
    struct slice policy;  /* the page's content security policy; empty with the user's templates */
};
extern const struct record fields_page;

#endif
