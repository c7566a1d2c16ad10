/*
 * Budgets: limits of the share of a function or a search, and of its growth.
 */
#ifndef COMPARE_BUDGETS_H
#define COMPARE_BUDGETS_H

#include "compare/comparison.h"

/* Adds the result of each budget of the settings that is about the service of these functions. */
void budgets_add(struct comparison *c, struct slice service, const struct functions *f);

#endif
