/*
 * The content of a report about one graph.
 *
 * Numbers are kept twice: exact, for JSON, and as the text that tables show.
 * All texts of a graph live in its own arena, so each graph can be built on a
 * thread of its own (report/build.h) before it is moved into the report.
 */
#ifndef REPORT_GRAPH_H
#define REPORT_GRAPH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/slice.h"
#include "base/vec.h"
#include "profile/unit.h"
#include "report/site.h"

/* A part of a graph's total. */
struct report_amount {
    uint64_t weight, base; /* in the graph's unit times 10^-decimals; base: in the base */
    struct slice number;   /* "272,959"; the heading of the column names the unit */
    struct slice percent;  /* "12.34", of the graph's total */
    /* only if differential: */
    struct slice change;     /* "+1.20" percentage points since the base */
    struct slice before;     /* the number in the base */
    struct slice difference; /* "-1,234": number - before */
    /* only for two counters, of which `base` is the second: */
    struct slice other; /* what the second counted */
    struct slice ratio; /* "1.22" (IPC), "45.30%" stalled, "1.20 × average", or "-" */
};

struct report_fact {
    struct slice key, value;
};

/* One run of the service that a graph shows. */
struct report_run {
    struct slice name, host, date; /* empty if unknown */
    struct slice samples_text;     /* "1,125"; empty if unknown */
    struct slice duration_text;    /* "2.25 s"; empty if unknown */
    struct slice remark;           /* "commit 3f0c1e2, 125,000 requests"; or empty */
    uint64_t samples, duration_ns, lost;
    VEC(struct report_fact) facts;
};

struct report_function {
    struct slice name;    /* complete */
    struct slice shown;   /* for display */
    struct slice address; /* the complete name; empty if it is too long for an address */
    struct slice kind;    /* "kernel", "jit", ...; empty for user space */
    struct slice module;
    struct slice state; /* "new" or "gone" if only one side has it; else empty */
    struct slice crop;  /* path of its crop (batch/crops.h), or empty; only in `by_self` */
    bool idle;          /* an idle CPU is in it */
    unsigned rank;      /* from 1 */
    struct report_amount self, total;
};

/* A function of `by_self`, for comparisons between graphs (report/outlier.h). */
struct report_leading {
    uint64_t name_hash; /* the same on every machine */
    uint64_t weight;    /* self */
    bool idle;
};

/* What one search found in a graph. A graph has them in the order of the report's searches. */
struct report_match {
    struct slice name, pattern;
    struct slice expression; /* the complete pattern, for addresses */
    bool ignore_case;
    struct report_amount amount; /* empty if the search was given up */
    uint64_t symbols;            /* distinct functions that match */
    uint64_t exhausted;          /* names left when the search was given up, else 0 */
};

/* A row of a ledger: something that neither picture nor tables show. */
struct report_gap {
    struct slice key;     /* stable word for JSON: "too_thin" */
    struct slice what;    /* "in frames too thin to draw" */
    struct slice much;    /* "1,234 samples", "12 lines" */
    struct slice percent; /* of the total or of all lines; empty if neither is known */
    struct slice exact;   /* the exact number, without unit, for JSON */
    uint64_t weight;      /* 0 if the row counts things */
};

struct report_gaps VEC_OF(struct report_gap);

/* A part of the picture that a click opens. */
struct report_area {
    struct slice coordinates; /* "10,40,300,55": left, top, right, bottom in CSS pixels */
    struct slice title;       /* "malloc (272,959 samples, 78.34%)" */
    struct slice place;       /* the SVG's address "#zoom=" takes it */
};

/* A file of the graph, relative to the report. */
struct report_file {
    struct slice path;   /* empty if there is no such file */
    struct slice inside; /* its bytes as text, if the report is a single file */
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

/* A file with the graph's stacks in the format of another tool. */
struct report_export {
    struct slice title; /* "pprof" */
    const char *name;   /* of the format, for JSON; not owned */
    struct slice path;
};

struct report_graph {
    struct arena memory;
    struct slice name;   /* file stem, unique in the report (report/names.h); its anchor in HTML */
    struct slice anchor; /* that of its heading in Markdown, as GitHub makes it from the title */
    struct slice title, subtitle;
    struct slice source;     /* path of the input below the directory */
    struct slice format;     /* the reader's name */
    struct slice event;      /* empty if the input names none */
    struct slice kind;       /* "off-cpu" and the like; empty for an ordinary graph */
    struct slice kind_about; /* what that kind means, in a line */
    struct slice unit;       /* "samples", "seconds", "bytes" */
    struct unit_scale scale;
    uint64_t total, base_total;
    struct slice total_text;    /* "272,959 samples" or "12.345678901 seconds", exact */
    struct slice total_plain;   /* "272,959 samples" or "12.4 s" */
    struct slice total_short;   /* "273.0k samples" */
    struct slice total_sort;    /* seconds, bytes or things, without the word */
    struct slice base_text;     /* the base's total; only if differential */
    struct slice other_unit;    /* only for two counters: "instructions", "stalled cycles" */
    struct slice other_text;    /* only for two counters: "64,013,260 instructions" */
    struct slice ratio;         /* only for two counters: that of the totals */
    bool stalls;                /* the second counter counts stalled cycles */
    bool relative;              /* ratios are multiples of that of the totals */
    struct slice duration_text; /* "12.345 s"; empty if it is not known */
    uint64_t samples;           /* 0 if it is not known */
    uint64_t duration_ns, functions;
    uint64_t samples_apart;     /* `samples`; 0 if the total is that number */
    struct slice records;       /* what `samples` counts: "samples", "threads", "waits" */
    struct slice records_label; /* the same as a heading: "Samples" */
    struct slice records_text;  /* "1,844 samples"; empty if the number is not known */
    struct slice records_cell;  /* the same below the heading "Samples": "1,844" or "427 waits" */
    bool exact;                 /* weights count all events */
    bool has_duration, differential;
    bool is_small;    /* in the list of small graphs (report.h) */
    struct slice alt; /* what the picture shows, in one to three sentences */
    VEC(struct report_fact) facts;
    struct slice service, owner; /* empty if they are unknown */
    VEC(struct report_run) runs; /* those that are merged; empty if the graph shows one file */
    struct slice run_count;      /* "3 runs"; empty if the graph shows one file */
    bool has_remarks;            /* of runs */
    VEC(struct report_export) exports;
    struct slice kept; /* path of the file with the exact stacks of the runs, or empty */
    VEC(struct report_function) by_self, by_total;
    VEC(struct report_leading) leading;
    /* The function with the most self weight, idle CPUs left out; empty if there is none. */
    struct slice hottest, hottest_address, hottest_percent;
    VEC(struct report_function) self_changes, total_changes; /* only if differential */
    struct slice difference;                                 /* total - base_total */
    VEC(struct report_match) matches;
    struct report_gaps gaps;
    struct report_gaps file_gaps; /* of its input, for all graphs */
    VEC(struct report_area) areas;
    struct report_file pictures[REPORT_PICTURES];
    struct slice commentary; /* Markdown that is safe to include */
    struct slice headings;   /* those of the commentary, one per line */
    struct slice packed; /* the complete graph, if this one lacks its tables (batch/graph_pack.h) */
    /* The graph of the same input that has the commentary, if it is another one: */
    struct slice notes_title, notes_name, notes_anchor;
};

void report_graph_release(struct report_graph *g);

/* Adds the tags of a graph to the front matter of a page: its event and its kind. */
void report_graph_add_tags(const struct report_graph *g, struct site_front *front,
                           struct arena *memory);

/* Appended to a heading under which functions of idle CPUs would have more weight. */
#define REPORT_IDLE_LEFT_OUT ", idle left out"

/* Returns the function with the most self weight in which no CPU idles, or NULL. */
const struct report_function *report_graph_busiest(const struct report_graph *g);

#endif
