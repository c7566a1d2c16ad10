/*
 * The names that templates may use, each with the member of the report that it stands for.
 */
#ifndef REPORT_FIELDS_H
#define REPORT_FIELDS_H

#include "base/slice.h"
#include "report/render.h"

/* struct report, struct report_graph */
extern const struct record fields_report, fields_graph;

/* What page.mustache can use besides the report. */
struct fields_page {
    struct slice style;   /* page.css */
    struct slice script;  /* page.js */
    struct slice content; /* the report as HTML */
    struct slice policy;  /* the page's content security policy; empty with the user's templates */
    struct slice style_file, script_file; /* instead of style and script, in the page of a graph */
    struct slice title;                   /* of a graph with a page of its own; else empty */
};
extern const struct record fields_page;

/* What the page of a graph can use besides the graph and the report. */
struct fields_neighbours {
    struct slice report_title, title; /* of the report, of the graph */
    struct slice index;               /* link to the report's main text */
    struct slice front_matter;        /* for a site generator */
    struct {
        struct slice title, name, anchor;
    } previous, next; /* the graphs beside it in the report; empty without one */
};
extern const struct record fields_neighbours;

#endif
