/*
 * What is asked of the data: the recipe that makes graphs of a profile.
 *
 * The command line makes a recipe once, from the options and the settings
 * file; from then on nothing is a word that would have to be parsed again:
 * kinds are rows of a table, times are nanoseconds, patterns are compiled. A
 * recipe does not change while profiles are prepared, so threads share it. How
 * a graph is drawn is not its business.
 *
 * Texts are borrowed: whoever makes a recipe keeps them as long as it lives.
 */
#ifndef PREPARE_RECIPE_H
#define PREPARE_RECIPE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/slice.h"
#include "base/vec.h"
#include "prepare/kind.h"
#include "profile/profile.h"
#include "tree/filter.h"

/* Several inputs in one graph. */
enum merge_by {
    MERGE_OFF,   /* a report: a graph for each; elsewhere they are added up all the same */
    MERGE_PLAIN, /* added up */
    MERGE_FILE,  /* with a root frame for each file */
    MERGE_HOST,  /* with a root frame for the host that each names */
};

struct names_wanted VEC_OF(struct slice);

/* A time since the first sample, in nanoseconds. */
struct recipe_time {
    bool given;
    uint64_t ns;
};

struct recipe {
    /* what the graphs are for */
    bool one_graph;  /* the first, or the sum of the events; else each series is a graph */
    bool needs_pair; /* the graph must show a change, or two counters */
    bool as_counted; /* counts get no other unit: for programs that read stacks */

    /* which series */
    struct names_wanted events; /* empty: those of the kind, else all */
    const struct kind *kind;    /* NULL: each is what it is recognised as */

    /* hot and cold (prepare/hotcold.h) */
    bool side_by_side;
    unsigned frequency; /* samples a second, where weights are samples; 0: unknown */

    /* which samples, and which of their frames */
    struct recipe_time from, to;
    bool moments; /* samples are needed one by one, in the order of time */
    bool drop_idle;
    struct filter filter;
    /* What reading was restricted to, for captions: processes, threads and their states. */
    struct names_wanted processes, threads, states;

    /* the named searches whose shares every graph states */
    struct search_list searches;

    /* changes and counters */
    bool normalize; /* scale the base to the total of the new one */
    bool negate;    /* the base is the new one */

    /* several inputs */
    enum merge_by merge;

    /* how stacks are merged into a tree */
    struct slice around; /* only this function, its callers and its callees; empty: all */
    bool reverse;        /* from the leaves */

    /* how weights are shown */
    struct slice count_name; /* what they count, whatever the profile says; empty: that */
    double factor;
};

/* A recipe that asks for nothing special. */
void recipe_init(struct recipe *r);
void recipe_release(struct recipe *r);

/* Whether the recipe is for a graph of that kind, whatever the input says. */
static inline bool recipe_is_of(const struct recipe *r, enum kind_id kind)
{
    return r->kind == &kinds[kind];
}

/*
 * Whether the events of the recipe name the series: by its event or its own
 * name; "all" and no event at all name every series. "cycles" is also
 * "cycles:u" if there is no event "cycles".
 */
bool recipe_wants(const struct recipe *r, const struct profile *p, const struct series *s);

/* Whether `event` of the recipe names the series. */
bool recipe_event_is(const struct profile *p, const struct series *s, struct slice event);

/* How weights of the series are shown. */
struct unit_scale recipe_scale(const struct recipe *r, const struct profile *p, uint32_t series);

#endif
