/*
 * Base against new: what changed in each service, whether that is more than noise, and since when.
 *
 * A comparison takes labels: the services of the base, of the new side, and of a history. Services
 * of the same name and event are compared function by function, self and total, by the methods of
 * src/stats; all tests of one event share one limit on false findings. A change is a finding if its
 * p-value is below that limit and if it is at least `min_change`. Of exact counts (callgrind) each
 * change of that size is a finding. Nothing else is called worse. If noise hides any change of a
 * typical function, nothing is a finding.
 *
 *     worse, better    a finding
 *     new, gone        a finding; only one side has the function
 *     renamed          the same function under another name, at the same cost
 *     moved            cost that went from one function to another of a module, below one caller
 *     inlined          a function that is now part of another one, whose net change is listed
 *     outlined         a function that was part of another one
 *
 * If one finding explains another, such as a caller of the function that changed, the explained one
 * has the function of the other in `through`. The verdict of a service follows from its findings
 * that no other one explains:
 *
 *     worse            one is worse or new, and not accepted
 *     better           one is better or gone
 *     accepted         one is worse or new, and all of these are accepted
 *     unchanged        no change was found; those of `smallest` or more would mostly have been
 *     undecided        it could not be judged; `reason` says why
 *
 * Shares and changes are parts of 1 and are measured as `measure` says.
 *
 * A comparison owns its texts, except those of its settings. Services need not outlive
 * comparison_init().
 */
#ifndef COMPARE_COMPARISON_H
#define COMPARE_COMPARISON_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/vec.h"
#include "compare/codeowners.h"
#include "compare/functions.h"
#include "compare/table.h"
#include "match/search.h"
#include "profile/service.h"
#include "stats/design.h"
#include "stats/noise.h"

enum compare_measure {
    COMPARE_REFERENCE, /* shares of the functions that did not change (stats/reference.h) */
    COMPARE_SHARE,     /* shares of the total */
    COMPARE_RATE,      /* weight per request, or per second of duration */
};

enum verdict {
    VERDICT_UNDECIDED,
    VERDICT_UNCHANGED,
    VERDICT_ACCEPTED,
    VERDICT_WORSE,
    VERDICT_BETTER,
    VERDICT_NEW,
    VERDICT_GONE,
    VERDICT_RENAMED,
    VERDICT_MOVED,
    VERDICT_INLINED,
    VERDICT_OUTLINED,
    VERDICTS,
};

enum compare_scope { COMPARE_SELF, COMPARE_TOTAL };

/* A change that is expected: findings of the function in the service do not count. */
struct compare_acceptance {
    struct slice service, function, reason; /* the service is a glob */
};

struct compare_acceptances VEC_OF(struct compare_acceptance);

/*
 * What a budget limits: the share of a function or a search, or the weight of a whole service, for
 * each request, second of duration or run.
 */
enum budget_kind {
    BUDGET_FUNCTION,
    BUDGET_SEARCH,
    BUDGET_PER_REQUEST,
    BUDGET_PER_SECOND,
    BUDGET_PER_RUN,
};

/*
 * A limit that the settings give for services. A growth counts as one if each new run has more than
 * each run of the base.
 */
struct compare_budget {
    enum budget_kind kind;
    struct slice service;         /* glob */
    struct slice name;            /* of the function or the search */
    const struct search *search;  /* of BUDGET_SEARCH */
    double max_share, max_growth; /* of the total, or of that of the base; 1: no limit */
};

struct compare_budgets VEC_OF(struct compare_budget);

/* Lists and their texts are borrowed. */
struct compare_settings {
    enum compare_measure measure;
    struct stats_settings stats; /* min_share, min_count, min_change, rate */
    unsigned min_runs;           /* that each side needs if there is no history */
    struct rename_list renames;  /* of names as they are compared; pictures keep theirs */
    struct compare_acceptances accepted;
    struct compare_budgets budgets;
    const struct codeowners *codeowners; /* or NULL */
};

struct compare_settings compare_settings_default(void);

/* The share of a function in one label: a point of a series. */
struct compare_level {
    struct slice label;
    double share;    /* part of everything */
    double variance; /* of the share, for each unit of share (1 - share) */
    double samples;  /* 0: the label does not have the service, and the share is not known */
};

struct compare_levels VEC_OF(struct compare_level);

struct finding {
    struct slice function, module;
    struct slice file;  /* of the source; or empty */
    uint32_t line;      /* a line of the function in it; 0 if unknown */
    struct slice link;  /* to the line, by the settings of the service; or empty */
    struct slice owner; /* of the file, by CODEOWNERS; or empty: that of the service */
    struct slice key;   /* the name as it is compared: the same in all builds */
    enum compare_scope scope;
    enum verdict verdict;
    double base, new;                 /* shares */
    double change, low, high;         /* low and high are the change if the count is exact */
    double p, q;                      /* 0 if the count is exact */
    uint64_t base_weight, new_weight; /* of an average run, in the unit of the service */
    struct slice through;             /* the function that explains the change; or empty */
    struct slice renamed_from;        /* or empty */
    struct slice since; /* the first label at the new level; or empty if it is not known */
    struct slice since_earliest, since_latest; /* the interval of `since` */
    struct slice undoes; /* the first label of the level that ends with `since`; or empty */
    double since_p;      /* that the level did not change; 1 if it was not tested */
    struct compare_levels levels; /* of the newest COMPARE_LEVELS labels; empty without a history */
    bool confirmed;               /* the newest label of the history had the finding, too */
    struct slice accepted;        /* the reason of the setting that accepts it; or empty */
};

/* A budget of one service, and whether it holds. */
struct budget_result {
    enum budget_kind kind;
    struct slice service, event, name;
    struct slice title; /* of the service */
    double base, new;   /* shares, or parts of the base's total; 0 if not known of that side */
    double max_share, max_growth;
    bool share_broken, growth_broken;
};

/* The runs of one side, added up. */
struct compared_side {
    size_t runs;
    uint64_t samples; /* 0: not known of all runs */
    uint64_t weight;
};

/* What a service costs (costs.h), in its unit. Changes are parts of the base. */
struct compared_cost {
    enum budget_kind basis; /* BUDGET_PER_REQUEST, BUDGET_PER_SECOND or BUDGET_PER_RUN */
    double base, new;       /* 0: not known */
    double change, low, high;
    bool has_interval;  /* low and high are known */
    double exposure[2]; /* requests, seconds or runs of an average run of base and new */
};

struct compared_service {
    struct slice name, event, owner;
    struct slice title; /* by which messages name it: "orders", or "orders (cycles)" */
    struct unit unit;
    unsigned decimals;
    bool exact;
    struct compared_side sides[2]; /* base, new */
    struct compared_cost cost;
    bool tested; /* the noise between runs is known */
    enum compare_measure measure;
    double rho;
    double smallest; /* the smallest visible change of a function of 5 %; 1: none was visible */
    enum verdict verdict;
    struct slice reason; /* why the service is undecided; or empty */
    /* Functions with several names that are compared as one, and two names of one of them. */
    size_t normalized;
    struct slice normalized_names[2];
    /* The function with the largest self weight of the new runs, and its self shares. */
    struct slice heaviest;
    struct compare_levels levels;
    VEC(struct slice) warnings;
    VEC(struct finding) findings; /* causes first, the largest change first */
};

enum {
    COMPARE_LEVELS = 26,       /* labels of a series that are shown */
    COMPARE_NOISE_LABELS = 26, /* newest labels of the history that noise is read from */
};

struct comparison {
    struct arena memory;
    bool has_history;       /* there are labels before the base, or several labels are the base */
    struct slice base, new; /* the labels */
    struct compare_settings settings;
    VEC(struct compared_service) services; /* by name, then event */
    VEC(struct budget_result) budgets;     /* by service */
};

/* The services of one label: a week, a build, a commit. */
struct compare_label {
    struct slice name;
    const struct service *services;
    size_t count;
    enum stats_side side; /* STATS_HISTORY: contributes to the noise and to `since` only */
    const struct function_tables *tables; /* of the history, in place of services; or NULL */
};

/*
 * Compares labels, which are in the order of time. A label of the history needs tables of functions
 * only; its services are not looked at if it has tables. Services that only the history has are
 * left out.
 */
void comparison_init(struct comparison *c, const struct compare_label *labels, size_t count,
                     const struct compare_settings *settings);
void comparison_release(struct comparison *c);

/*
 * Marks findings as confirmed that the label before the new one has, too. That label is compared
 * with the base labels before it; if there are none, with the newest label before it that has
 * services.
 */
void comparison_confirm(struct comparison *c, const struct compare_label *labels, size_t count,
                        const struct compare_settings *settings);

/* Returns "worse", "undecided", ... */
struct slice compare_verdict_word(enum verdict verdict);
struct slice compare_scope_word(enum compare_scope scope);
struct slice compare_measure_word(enum compare_measure measure);

static inline bool budget_is_broken(const struct budget_result *b)
{
    return b->share_broken || b->growth_broken;
}

/*
 * Sets the titles of services and budgets: the name, with the event if several services have one
 * name. A title without an event has the unit.
 */
void comparison_set_titles(struct comparison *c);

/* Whether only one side has runs of a service: it is undecided because nothing was compared. */
static inline bool compared_is_one_sided(const struct compared_service *s)
{
    return !s->sides[STATS_BASE].runs || !s->sides[STATS_NEW].runs;
}

/* Returns the verdict that follows from the reason and the findings of a service. */
enum verdict comparison_verdict(const struct compared_service *s);

/* How many services have this verdict. */
size_t comparison_count(const struct comparison *c, enum verdict verdict);

/* Whether a function is part of another one, `through`, on one side. */
static inline bool finding_is_inlined(const struct finding *f)
{
    return f->verdict == VERDICT_INLINED || f->verdict == VERDICT_OUTLINED;
}

/* Whether a function has another name or place, which is no change of its cost. */
static inline bool finding_is_noted(const struct finding *f)
{
    return f->verdict >= VERDICT_RENAMED;
}

/* Whether a finding is worse or new, not explained by another one, and not accepted. */
static inline bool finding_counts(const struct finding *f)
{
    return (f->verdict == VERDICT_WORSE || f->verdict == VERDICT_NEW) && !f->through.len &&
           !f->accepted.len;
}

#endif
