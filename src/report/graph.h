/*
 * What the report says about one graph.
 *
 * Numbers are here twice: exact, for JSON, and as the text that tables show.
 * A graph owns its arena, in which all its texts are, so it is built on its own
 * thread (report/build.h) and then handed to the report.
 */
#ifndef REPORT_GRAPH_H
#define REPORT_GRAPH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/slice.h"
#include "base/vec.h"
#include "profile/unit.h"

/* A part of a graph's total. */
struct report_amount {
    uint64_t weight, base; /* in the graph's unit times 10^-decimals; base: before */
    struct slice number;   /* "272,959": the unit stands in the heading */
    struct slice percent;  /* "12.34", of the graph's total */
    /* only if differential: */
    struct slice change;     /* "+1.20" percentage points since the base */
    struct slice before;     /* the number before */
    struct slice difference; /* "-1,234": the number now less before */
    /* only if of two counters; `base` is the other one: */
    struct slice other; /* its number */
    struct slice ratio; /* "1.22" instructions a cycle, "45.30%" of the cycles; "-" of none */
};

struct report_fact {
    struct slice key, value;
};

struct report_function {
    struct slice name;    /* whole */
    struct slice shown;   /* for display */
    struct slice address; /* whole, where it is short enough for an address; else empty */
    struct slice kind;    /* "kernel", "jit", ...; empty for user space */
    struct slice module;
    struct slice state; /* "new" or "gone" where it is on one side only; else empty */
    unsigned rank;      /* from 1 */
    struct report_amount self, total;
};

/* What a search found in one graph, in the order of the report's searches. */
struct report_match {
    struct slice name, pattern;
    struct slice expression; /* the pattern as it was given, for addresses */
    bool ignore_case;
    struct report_amount amount;
    uint64_t symbols;   /* distinct functions that match */
    uint64_t exhausted; /* names given up at the work limit */
};

/* A row of the ledger: something that the picture or the tables do not show. */
struct report_gap {
    struct slice key;     /* stable word for JSON: "too_thin" */
    struct slice what;    /* "in frames too thin to draw" */
    struct slice much;    /* "1,234 samples", "12 lines" */
    struct slice percent; /* of the total or of the lines; empty where neither makes sense */
    struct slice exact;   /* the number alone, exact, for JSON */
    uint64_t weight;      /* 0 where it is no weight but a number of things */
};

/* A part of the picture that a click opens. */
struct report_area {
    struct slice coordinates; /* "10,40,300,55": left, top, right, bottom in CSS pixels */
    struct slice title;       /* "malloc (272,959 samples, 78.34%)" */
    struct slice place;       /* of an address: "#zoom=" and this */
};

/* A file of the graph, relative to the report. */
struct report_file {
    struct slice path;   /* empty where there is none */
    struct slice inside; /* its bytes as text, where the report is a single file */
    unsigned width, height;
};

enum report_picture {
    REPORT_SVG,
    REPORT_PNG,
    REPORT_PNG_2X,
    REPORT_PNG_DARK,
    REPORT_PNG_DARK_2X,
    REPORT_PICTURES,
};

struct report_graph {
    struct arena memory;
    struct slice name;   /* file stem, unique in the report (report/names.h); anchor in HTML */
    struct slice anchor; /* of the heading in Markdown, as GitHub makes it from the title */
    struct slice title, subtitle;
    struct slice source;     /* path of the input below the directory */
    struct slice format;     /* the reader's name */
    struct slice event;      /* empty where the input names none */
    struct slice kind;       /* what it is of, a word: "off-cpu"; empty for nothing special */
    struct slice kind_about; /* and in a line */
    struct slice unit;       /* "samples", "seconds", "bytes" */
    struct unit_scale scale;
    uint64_t total, base_total;
    struct slice total_text;    /* "272,959 samples", exact */
    struct slice total_plain;   /* the same, or "12.4 s" */
    struct slice total_short;   /* "273.0k samples" */
    struct slice total_sort;    /* the number alone, of seconds, bytes or things */
    struct slice base_text;     /* the total before; only if differential */
    struct slice other_unit;    /* of two counters: "instructions", "stalled cycles"; else empty */
    struct slice other_text;    /* "64,013,260 instructions"; likewise */
    struct slice ratio;         /* of both; likewise */
    bool stalls;                /* the other counts cycles that were stalled */
    struct slice duration_text; /* "12.345 s"; empty where unknown */
    uint64_t samples, duration_ns, functions;
    uint64_t samples_apart; /* the number of samples where the total does not tell it, else 0 */
    bool has_duration, differential;
    struct slice alt; /* what the picture shows, in a sentence or three */
    VEC(struct report_fact) facts;
    VEC(struct report_function) by_self, by_total;
    VEC(struct report_function) self_changes, total_changes; /* only if differential */
    struct slice difference;                                 /* of the total */
    VEC(struct report_match) matches;
    VEC(struct report_gap) gaps;
    VEC(struct report_area) areas;
    struct report_file pictures[REPORT_PICTURES];
    struct slice commentary; /* Markdown, made safe to include */
    struct slice headings;   /* of the commentary, a line each */
    /* Where another graph of the same input already has the commentary: its names. */
    struct slice notes_title, notes_name, notes_anchor;
};

void report_graph_init(struct report_graph *g);
void report_graph_release(struct report_graph *g);

#endif
