/*
 * Kinds of graph in options.
 */
#ifndef CLI_KIND_H
#define CLI_KIND_H

#include "cli/options.h"
#include "prepare/units.h"

/* Returns true if a kind is called `name`; else `why` says so and lists the kinds. */
bool kind_check(const char *name, struct buf *why);

static inline bool kind_is_heatmap(const struct options *o)
{
    return recipe_is_of(o->recipe, KIND_HEATMAP);
}

static inline const struct kind *kind_of(const struct options *o, const struct profile *p,
                                         uint32_t series)
{
    return units_kind(o->recipe, p, series);
}

#endif
