/*
 * Checks whether an input has the data that a kind of graph needs.
 *
 * A recipe may name a kind if the input does not say what it measured. If the input names
 * its events, and none of them can be of that kind, recipe and input contradict
 * each other.
 */
#ifndef PREPARE_KIND_NEEDS_H
#define PREPARE_KIND_NEEDS_H

#include <stdbool.h>

#include "base/diag.h"
#include "prepare/recipe.h"

/* Returns false after reporting what the recipe's kind needs and the input lacks. */
bool kind_needs_check(const struct recipe *r, const struct profile *p, struct diag *diag);

#endif
