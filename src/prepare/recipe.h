/*
 * A recipe: which graphs to make from a profile.
 *
 * The command line makes a recipe once, from the options and the settings file,
 * and nothing is parsed after that: kinds are rows of a table, times are
 * nanoseconds, patterns are compiled. A recipe does not change while profiles
 * are prepared, so threads share it. struct look (draw/look.h) says how a graph
 * is drawn.
 *
 * Texts are borrowed: they must outlive the recipe.
 */
#ifndef PREPARE_RECIPE_H
#define PREPARE_RECIPE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/slice.h"
#include "base/vec.h"
#include "match/mark.h"
#include "match/rename.h"
#include "prepare/kind.h"
#include "profile/profile.h"
#include "tree/filter.h"

/* Several inputs in one graph. */
enum merge_by {
    MERGE_OFF,   /* a report draws a graph for each; other commands add them up */
    MERGE_PLAIN, /* add them up */
    MERGE_FILE,  /* add a root frame for each file */
    MERGE_HOST,  /* add a root frame for the host that each input names */
};

struct names_wanted VEC_OF(struct slice);

/* A time since the first sample, in nanoseconds. */
struct recipe_time {
    bool given;
    uint64_t ns;
};

struct recipe {
    /* number and form of the graphs */
    bool one_graph;   /* the first, or the sum of the events; else each series is a graph */
    bool needs_pair;  /* the graph must show a change, or two counters */
    bool only_stacks; /* the stacks are written for other programs; nothing is drawn */
    bool as_counted;  /* counts keep their unit, for programs that read folded stacks */

    /* bytes that a profile and its drawing may take (--max-memory); 0: no limit */
    uint64_t max_memory;

    /* which series */
    struct names_wanted events; /* empty: the events of the kind, or else all */
    const struct kind *kind;    /* NULL: each series has the kind it is recognised as */

    /* hot and cold (prepare/hotcold.h) */
    bool side_by_side;
    unsigned frequency; /* samples per second, if weights are numbers of samples; 0: unknown */

    /* which samples, and which of their frames */
    struct recipe_time from, to;
    bool timed; /* keep single samples, in order of time */
    bool drop_idle;
    struct rename_list renames; /* of frames, before filters and searches */
    struct filter filter;
    /* Processes, threads, states and labels that reading was restricted to, for captions. */
    struct names_wanted processes, threads, states, tags;

    /* the named searches whose shares every graph states */
    struct search_list searches;
    struct mark_list marks; /* functions that pictures point out */

    /* changes and counters */
    bool normalize; /* scale the base to the total of the new one */
    bool negate;    /* swap base and new */

    /* several inputs */
    enum merge_by merge;

    /* how stacks are merged into a tree */
    struct slice around; /* only this function, its callers and its callees; empty: all */
    struct slice zoom;   /* only this function's calls and all their callers; empty: all */
    struct slice crop;   /* only this function's calls and their nearest callers; empty: all */
    bool reverse;        /* merge from the leaves */

    /* how weights are shown */
    struct slice count_name; /* replaces the profile's unit, if not empty */
    double factor;           /* multiplies all weights that are shown */
};

/* Makes a recipe that chooses all series and filters nothing. */
void recipe_init(struct recipe *r);
void recipe_release(struct recipe *r);

/* Returns true if only stacks through one function are drawn, with their callers below it. */
static inline bool recipe_is_part(const struct recipe *r)
{
    return r->zoom.len || r->crop.len;
}

/* Returns true if the recipe names this kind. */
static inline bool recipe_is_of(const struct recipe *r, enum kind_id kind)
{
    return r->kind == &kinds[kind];
}

/*
 * Returns true if the events of the recipe name the series, by its event or its
 * own name. "all" names every series, and so does a recipe without events.
 * "cycles" also names "cycles:u" if there is no event "cycles".
 */
bool recipe_wants(const struct recipe *r, const struct profile *p, const struct series *s);

/* Returns true if `event`, one event of a recipe, names the series. */
bool recipe_event_is(const struct profile *p, const struct series *s, struct slice event);

/* Returns how to show weights of the series: unit, power of ten and factor. */
struct unit_scale recipe_scale(const struct recipe *r, const struct profile *p, uint32_t series);

#endif
