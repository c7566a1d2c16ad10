/*
 * The shares of all functions of all services over the labels of a history, and where they changed
 * their level.
 *
 * A function has a series of self and one of total shares, if either is `min_share` in a label.
 * Levels are sought (stats/series.h) in services with STATS_SERIES_LEAST labels at least, in the
 * largest TRENDS_SERIES series: STATS_SERIES_MOST^2 steps for each shift of these at most. The
 * noise of labels is read from all self shares (stats/prior.h). A shift counts if it is
 * `min_change` at least. A service that changed shifts many of its functions, so false discoveries
 * are limited by service (Benjamini and Hochberg), and within a service by Bonferroni: over series,
 * the many true shifts of one service would admit false ones of others.
 *
 * Shares are parts of the total, so one function that grows makes others shrink, and small shifts
 * are dated less exactly: `leads` marks the most informative shift of a service within a few
 * labels.
 */
#ifndef COMPARE_TRENDS_H
#define COMPARE_TRENDS_H

#include "compare/comparison.h"
#include "compare/table.h"
#include "stats/series.h"

enum {
    TRENDS_LABELS_LEAST = STATS_SERIES_LEAST, /* with which changes are looked for */
    TRENDS_SERIES = 4000,                     /* of a service, in which they are looked for */
    TRENDS_NEAR = 3,                          /* labels within which shifts are one change */
};

/* A function whose share changed its level. */
struct trend_shift {
    size_t series;           /* of the service */
    size_t label;            /* the first one at the new level */
    size_t earliest, latest; /* the interval of `label` */
    size_t came, went;       /* labels, if the change was undone or undoes one; or equal */
    double before, after;    /* shares */
    double p;
    bool leads; /* the most informative of its service within TRENDS_NEAR labels */
};

struct trend_series {
    struct slice function, module;
    enum compare_scope scope;
    struct compare_level *levels; /* by label */
    double p;                     /* of the best shift; 1 if none was sought */
    double most;                  /* the largest share */
};

/* The runs of a service in one label. */
struct trend_runs {
    size_t runs; /* 0: the label does not have the service */
    uint64_t samples;
};

struct trend_service {
    struct slice name, event, owner;
    struct trend_runs *labels;       /* by label */
    VEC(struct trend_series) series; /* self and total of a function, one after the other */
    VEC(struct trend_shift) shifts;  /* the newest first, then by what they tell */
};

struct trends {
    struct arena memory;
    size_t labels;
    VEC(struct trend_service) services; /* by name, then event */
};

/* Takes the tables of each label, in the order of time; they must outlive the trends. */
void trends_init(struct trends *t, const struct function_tables *labels, size_t count,
                 const struct stats_settings *settings);
void trends_release(struct trends *t);

/*
 * Whether two shifts of a service are one change: of two series, within TRENDS_NEAR labels, and
 * neither series has a shift that is nearer to the other one.
 */
bool trends_are_one(const struct trend_service *s, const struct trend_shift *a,
                    const struct trend_shift *b);

#endif
