/*
 * Changes the frames of a profile: idle stacks, new names, filters and groups.
 */
#ifndef PREPARE_FRAMES_H
#define PREPARE_FRAMES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"
#include "prepare/recipe.h"

/* The key of the fact with the number of functions that --rename renamed. */
#define FACT_RENAMED "renamed"

/*
 * Drops idle stacks, renames frames and then applies the filters of the recipe to all series. Adds
 * the removed weights to each series' removals, and the number of renamed functions to the facts
 * of the profile. Warns of patterns that match nothing. Returns false after reporting that the
 * profile cannot be grouped, or that a pattern takes too much work.
 */
bool frames_apply(const struct recipe *r, struct profile *p, struct diag *diag);

/*
 * Returns true if a series had weight and the options removed all of it. A note in `diag` then
 * says which option removed most.
 */
bool frames_are_gone(const struct profile *p, uint32_t series, struct diag *diag);

#endif
