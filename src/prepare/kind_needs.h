/*
 * What a kind of graph needs of an input, and whether the input has it.
 *
 * A recipe's kind says what the input does not. If the input says itself what its
 * events are, and the kind is of none of them, the two contradict each other.
 */
#ifndef PREPARE_KIND_NEEDS_H
#define PREPARE_KIND_NEEDS_H

#include <stdbool.h>

#include "base/diag.h"
#include "prepare/recipe.h"

/* Returns false after reporting what the recipe's kind needs, if the input does not have it. */
bool kind_needs_check(const struct recipe *r, const struct profile *p, struct diag *diag);

#endif
