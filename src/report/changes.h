/*
 * What a report says of a comparison: a row for each service, a card for each finding.
 *
 * Only a finding (compare/comparison.h) is called worse, better, new or gone, has a card, or comes
 * first. Cards of findings that count come before accepted ones, worse before better, larger
 * changes before smaller ones. A finding that another one explains is named on the card of that
 * one. Renamed functions and moved cost are notes, and services that were not compared are listed
 * with the reason.
 *
 * All numbers are also in report.json, exact. Texts are display_text() and live in the memory of
 * the report; the comparison must outlive the report.
 */
#ifndef REPORT_CHANGES_H
#define REPORT_CHANGES_H

#include "base/arena.h"
#include "base/vec.h"
#include "compare/comparison.h"
#include "report/graph.h"

/* The most cards; more findings are counted. */
enum { CHANGES_CARDS = 50 };

/* A row of the table of services. */
struct report_verdict {
    struct slice service, event, owner;
    struct slice verdict;                           /* "worse" */
    struct slice function, points, interval, since; /* of the first card; empty without one */
    struct slice card;                              /* its id, or empty */
    struct slice runs, samples;                     /* base and new: "3 and 3" */
    struct slice smallest;                 /* "2.1 points", "exact", "above 25 points"; or empty */
    struct slice reason;                   /* why nothing was tested, or empty */
    struct slice levels;                   /* path of a sparkline in a box of 100 by 20; or empty */
    struct slice levels_about;             /* what it shows */
    struct slice graph_name, graph_anchor; /* or empty */
};

/* A finding. */
struct report_change {
    struct slice id;      /* "finding-1" */
    struct slice service; /* its title (struct compared_service) */
    struct slice name;    /* of the service */
    struct slice owner, verdict;
    struct slice function, module, scope; /* scope: "self" or "total" */
    struct slice source, link;            /* "src/tax.c:12" and an address of it; or empty */
    struct slice function_address;        /* empty if it is too long for an address */
    struct slice base, new;               /* "2.31" per cent */
    struct slice points, interval;        /* "+13.59", "+10.43 to +16.96" */
    struct slice weight;                  /* "+3,400,006 instructions" of exact counts, or empty */
    struct slice bar, mark;               /* paths in a box of 200 by 12; zero is at 100 */
    struct slice since, renamed_from, accepted, through; /* or empty */
    struct slice runs, samples;
    struct slice ticket;            /* the finding in a sentence */
    struct slice about;             /* what the picture shows (verdicts_picture()) */
    struct slice age;               /* "confirmed", "new in w48", or empty without a history */
    struct report_file graph, crop; /* differential graph of the runs; the function in it */
    struct slice place;             /* of the function in the graph, for "#zoom=" */
    const struct compared_service *of;
    const struct finding *finding;
};

struct report_note {
    struct slice service, text;
};

struct report_comparison {
    const struct comparison *data; /* NULL without a baseline */
    struct slice headline;         /* empty without a baseline */
    struct slice base, new;        /* labels */
    struct slice measure;          /* what shares are parts of; empty if all counts are exact */
    struct slice exact_measure;    /* of exact counts; empty if there are none */
    bool quiet;                    /* no cards and no broken budgets */
    bool budgets_hold;             /* there are budgets, and it is known that each holds */
    bool has_owners, has_since, has_levels, has_samples;
    VEC(struct report_verdict) services;
    VEC(struct report_change) cards;
    size_t more; /* findings without a card */
    struct slice more_text;
    VEC(struct report_note) budgets, costs, notes, not_compared;
};

/* Fills `out`. The comparison must outlive it. */
void report_changes_init(struct report_comparison *out, const struct comparison *c,
                         struct arena *memory);
/* Links the services that a graph shows to the graph, whose texts must outlive the comparison. */
void report_changes_link(struct report_comparison *r, const struct report_graph *g);
void report_changes_release(struct report_comparison *r);

#endif
