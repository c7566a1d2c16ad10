/*
 * Which stacks of a profile stay, and which of their frames: idle ones, filters and groups.
 */
#ifndef PREPARE_FRAMES_H
#define PREPARE_FRAMES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"
#include "prepare/recipe.h"

/*
 * Applies the recipe's filters to all series; what they take out is in the series' removals.
 * Warns of patterns that match nothing. Returns false after reporting that the profile cannot be
 * grouped.
 */
bool frames_apply(const struct recipe *r, struct profile *p, struct diag *diag);

/*
 * Whether everything was taken out of a series that had weight. A note in `diag` then says which
 * option took most.
 */
bool frames_are_gone(const struct profile *p, uint32_t series, struct diag *diag);

#endif
