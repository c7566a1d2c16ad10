/*
 * The part of a recipe that looks at samples in time: a period, and the order of samples.
 */
#ifndef PREPARE_TIMES_H
#define PREPARE_TIMES_H

#include <stdbool.h>

#include "base/diag.h"
#include "prepare/recipe.h"

/*
 * Brings a profile's samples into the order of time and keeps those of the recipe's period.
 * Returns false after reporting that the input has no times, or no sample in the period.
 */
bool times_apply(const struct recipe *r, struct profile *p, struct diag *diag);

#endif
