/*
 * Removes stacks and frames from a profile: idle stacks, filters and groups.
 */
#ifndef PREPARE_FRAMES_H
#define PREPARE_FRAMES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"
#include "prepare/recipe.h"

/*
 * Applies the recipe's filters to all series and adds the removed weights to each series'
 * removals. Warns of patterns that match nothing. Returns false after reporting that the profile
 * cannot be grouped.
 */
bool frames_apply(const struct recipe *r, struct profile *p, struct diag *diag);

/*
 * Returns true if a series had weight and the options removed all of it. A note in `diag` then
 * says which option removed most.
 */
bool frames_are_gone(const struct profile *p, uint32_t series, struct diag *diag);

#endif
