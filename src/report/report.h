/*
 * What a report says, as data.
 *
 * A report is filled once (report/build.h does it from trees) and then written
 * three times: as Markdown, as HTML and as JSON. The writers add nothing of
 * their own, so the three say the same.
 *
 * Each graph has its own arena and is built on its own thread; report_add_graph()
 * takes it over, in the order in which the report shall show them. Everything
 * given to a function here is copied.
 *
 * Text for people goes through report/display.h on its way in: control
 * characters and direction overrides are visible, and a name of 100,000
 * characters is cut with its length told. JSON has the whole name.
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
#include "report/graph.h"

/* One named search of the report: a column of the summary. */
struct report_search {
    struct slice name, pattern;
    struct slice expression; /* the pattern as it was given, for addresses */
    bool ignore_case;
};

/* What stands out over all graphs (report/findings.h). Texts are the graphs' own. */
struct report_finding {
    struct slice key;      /* stable word for JSON: "heaviest_function" */
    struct slice what;     /* "Heaviest function" */
    struct slice function; /* what it is about: a function, */
    struct slice address;  /* its whole name, */
    struct slice search;   /* or a search; neither where it is the graph */
    struct slice percent;  /* of the graph's total */
    struct slice change;   /* percentage points, instead of the share */
    struct slice how;      /* "by itself" */
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

/* A file that no reader claimed. */
struct report_stranger {
    struct slice path;
    struct slice reason; /* "the file is empty" */
};

/* Who reads the Markdown: a forge or an editor, beside the page, or a generator of sites. */
enum report_site { REPORT_PAGE, REPORT_HUGO, REPORT_MKDOCS };

struct report {
    struct arena memory;
    enum report_site site;
    bool hugo, mkdocs; /* the same, for templates */
    bool svg_images;   /* pictures in Markdown are the SVGs, light or dark by themselves */
    struct slice title, subtitle;
    struct slice introduction;   /* Markdown, made safe to include */
    struct slice date;           /* as given; empty for none: a report knows no clock */
    struct slice calendar_date;  /* the same where it is a date such as 2026-11-21; else empty */
    struct slice version;        /* of flamepress */
    struct slice missing_glyphs; /* "U+4E2D U+65E5"; empty for none */
    bool has_samples;            /* of any graph, where its total does not tell their number */
    struct slice measured;       /* "14 graphs: 10 of cpu-clock, 4 of page-faults" */
    VEC(struct report_finding) findings;
    VEC(struct report_search) searches;
    VEC(struct report_graph) graphs;
    VEC(struct report_failure) failures;
    VEC(struct report_stranger) strangers;
    struct intern anchors; /* of the Markdown's headings so far */
};

/* `version` is the program's; title and date may be empty. */
void report_init(struct report *r, struct slice title, struct slice version, struct slice date);
void report_release(struct report *r);

/*
 * Whose Markdown it will be, and whether its pictures follow the reader's dark setting: where HTML
 * may choose between two PNGs, there are both. Comes before the first graph.
 */
void report_set_site(struct report *r, enum report_site site, bool dark_images);

/*
 * The introduction, Markdown as the user wrote it. Raw HTML is taken out (one
 * warning in `d`, whose path is the file's), headings are moved below the
 * report's own. A heading of level 1 at its start becomes the title where the
 * report has none, and is left out where it says the same. Comes before the
 * first graph.
 */
void report_set_introduction(struct report *r, struct slice markdown, struct diag *d);
void report_set_subtitle(struct report *r, struct slice subtitle);

/* Characters that no font has, drawn as boxes in some picture; `count` may be 0. */
void report_set_missing_glyphs(struct report *r, const uint32_t *characters, size_t count);

void report_add_search(struct report *r, struct slice name, struct slice pattern, bool ignore_case);
/* Takes over what `g` holds and leaves it initialised. */
void report_add_graph(struct report *r, struct report_graph *g);
/* All messages of `d` but its notes, with their lines; `path` is the one to show. */
void report_add_failure(struct report *r, struct slice path, const struct diag *d);
void report_add_stranger(struct report *r, struct slice path, struct slice reason);

#endif
