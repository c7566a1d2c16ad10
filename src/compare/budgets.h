/*
 * Budgets limit the share of a function or a search, the growth of that share, and the growth of a
 * service's total.
 */
#ifndef COMPARE_BUDGETS_H
#define COMPARE_BUDGETS_H

#include "compare/comparison.h"

/*
 * Adds the result of each budget of the settings that applies to the service of these functions.
 * Adds a warning to the service for each budget whose numbers the runs do not have.
 */
void budgets_add(struct comparison *c, struct compared_service *s, const struct functions *f);

/* What a total is counted by: "request"; empty if the budget is not of a total. */
struct slice budgets_basis(enum budget_kind kind);

#endif
