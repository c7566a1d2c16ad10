/*
 * Applies the time options of a recipe: the period, and the order of samples.
 */
#ifndef PREPARE_TIMES_H
#define PREPARE_TIMES_H

#include <stdbool.h>

#include "base/diag.h"
#include "prepare/recipe.h"

/*
 * Sorts a profile's samples by time and keeps the samples of the recipe's period. Returns false
 * after reporting that the input has no times, or no sample in the period.
 */
bool times_apply(const struct recipe *r, struct profile *p, struct diag *diag);

#endif
