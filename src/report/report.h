/*
 * The content of a report, as data.
 *
 * A report is filled once (report/build.h fills its graphs from trees) and then
 * written three times: as Markdown, HTML and JSON. The writers add no content,
 * so the three say the same.
 *
 * Each graph has its own arena and may be built on its own thread.
 * report_add_graph() takes it over; the report shows graphs in the order of
 * these calls. All other arguments are copied.
 *
 * Text for people goes through report/display.h when it is added: control
 * characters and direction overrides become visible, and a name of 100,000
 * characters is cut and ends in its length. JSON has the complete name.
 */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/intern.h"
#include "base/slice.h"
#include "base/vec.h"
#include "report/changes.h"
#include "report/graph.h"
#include "report/site.h"

/* Graphs of fewer samples say nothing about shares. */
enum { REPORT_LEAST_SAMPLES = 20 };

/* One named search of the report: a column of the summary. */
struct report_search {
    struct slice name, pattern;
    struct slice expression; /* the complete pattern, for addresses */
    bool ignore_case;
};

/* One finding (report/findings.h). The texts belong to the graphs. */
struct report_finding {
    struct slice key;       /* stable word for JSON: "heaviest_function" */
    struct slice what;      /* "Heaviest function" */
    struct slice function;  /* the function it is about, */
    struct slice address;   /* and that function's complete name; */
    struct slice search;    /* or a search; all empty if it is about the graph */
    struct slice percent;   /* share of the graph's total */
    struct slice elsewhere; /* the largest share in other graphs, or empty */
    struct slice how;       /* "self (1,844 samples)" */
    uint64_t samples;       /* of the graph; 0 if the number is unknown */
    struct slice graph_title, graph_name, graph_anchor, graph_svg;
};

struct report_text {
    struct slice text;
};

/* An input that could not be drawn. */
struct report_failure {
    struct slice path;
    VEC(struct report_text) messages;
};

/* An input of which some content is in no graph. The texts belong to a graph. */
struct report_incomplete {
    struct slice path;
    struct report_omissions omissions;
};

/* A file that is no profile. */
struct report_unrecognised {
    struct slice path;
    struct slice reason; /* "the file is empty" */
};

/* Whether each graph has a page of its own: above REPORT_PAGES_ABOVE graphs, unless said. */
enum report_pages { REPORT_PAGES_AUTO, REPORT_PAGES_ONE, REPORT_PAGES_EACH };
enum { REPORT_PAGES_ABOVE = 50 };

struct report {
    struct arena memory;
    enum report_site site;
    bool is_site[REPORT_SITE_COUNT]; /* `site`, for templates */
    bool titled;                     /* the text begins with the title as a heading */
    bool html_links;                 /* links to a place in the page are raw HTML */
    bool paged;                      /* each graph has a page of its own (report/pages.h) */
    bool svg_images; /* Markdown shows the SVGs, which follow the reader's dark setting */
    struct slice title, subtitle;
    struct slice introduction;           /* Markdown that is safe to include */
    struct slice date;                   /* as given, or empty: the report never reads the clock */
    struct slice calendar_date;          /* `date` if it is one such as 2026-11-21, else empty */
    struct slice version;                /* of flamepress */
    struct slice front_matter;           /* for a site generator */
    struct slice place, place_name;      /* the report's directory, and a page's name for it */
    struct slice place_index;            /* the file of that page */
    struct slice missing_glyphs;         /* "U+4E2D U+65E5"; empty for none */
    bool has_samples;                    /* some graph has samples_apart */
    bool has_hottest;                    /* some graph has a hottest function */
    struct slice small_graphs;           /* "12 graphs of fewer than 20 samples"; or empty */
    struct slice small_anchor;           /* of their list in Markdown */
    struct slice measured;               /* "14 graphs: 10 of cpu-clock, 4 of page-faults" */
    struct report_comparison comparison; /* with a baseline */
    VEC(struct report_finding) findings;
    VEC(struct report_search) searches;
    VEC(struct report_graph) graphs;
    VEC(struct report_failure) failures;
    VEC(struct report_unrecognised) unrecognised;
    VEC(struct report_incomplete) incomplete;
    struct intern anchors; /* those of the Markdown headings so far */
};

/* `version` is the program's. `title` and `date` may be empty. */
void report_init(struct report *r, struct slice title, struct slice version, struct slice date);
void report_release(struct report *r);

/*
 * Sets who reads the Markdown, and whether its pictures follow the reader's dark setting. Call it
 * before the first graph is added.
 */
void report_set_site(struct report *r, enum report_site site, bool dark_images);

/* Names the directory of the report, for generators whose links begin outside it. */
void report_set_place(struct report *r, struct slice directory);

/* Fills what front matter says of the report. Texts are the report's or in `memory`. */
void report_fill_front(const struct report *r, struct arena *memory, struct site_front *front);

/* Writes the front matter for the site generator. Call it after the findings are added. */
void report_add_front_matter(struct report *r);

/*
 * Sets the introduction from the user's Markdown. Removes raw HTML (with one
 * warning in `d`, whose path is the file's) and moves headings below the
 * report's own. Removes a heading of level 1 from the start; it becomes the
 * title if the report has none. Call it before the first graph is added.
 */
void report_set_introduction(struct report *r, struct slice markdown, struct diag *d);
void report_set_subtitle(struct report *r, struct slice subtitle);

/* Sets the characters that no font has and that pictures show as boxes. `count` may be 0. */
void report_set_missing_glyphs(struct report *r, const uint32_t *characters, size_t count);

void report_add_search(struct report *r, struct slice name, struct slice pattern, bool ignore_case);

/* Adds a comparison, which must outlive the report. Call it before the first graph is added. */
void report_set_comparison(struct report *r, const struct comparison *c);

/* Makes room for `count` graphs at once. */
void report_expect_graphs(struct report *r, size_t count);

/* Moves the content of `g` into the report and leaves `g` initialised. */
void report_add_graph(struct report *r, struct report_graph *g);
/*
 * Moves graphs that are known to have fewer than `samples` samples into one list, unless they have
 * a commentary or show a difference, or the report has no other graphs. Call it after all graphs
 * are added.
 */
void report_fold_small_graphs(struct report *r, unsigned samples);

/* Adds an input that failed, with the messages of `d` except notes. `path` is shown. */
void report_add_failure(struct report *r, struct slice path, const struct diag *d);
void report_add_stranger(struct report *r, struct slice path, struct slice reason);

#endif
