/*
 * The kinds of the graphs that a recipe makes, and what follows from them:
 * which series are meant, what the input must have, and the units of weights
 * of which the input says nothing.
 */
#ifndef PREPARE_UNITS_H
#define PREPARE_UNITS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"
#include "prepare/recipe.h"

/* What a series is drawn as: two counters, or what the recipe says, or what is recognised. */
const struct kind *units_kind(const struct recipe *r, const struct profile *p, uint32_t series);

/*
 * Whether a series that the recipe wants is recognised as its kind: then such
 * series are meant and no others, else it is the kind of all.
 */
bool units_select(const struct recipe *r, const struct profile *p);

/* Returns false after reporting what the input lacks of what the recipe's kind needs. */
bool units_check_input(const struct recipe *r, const struct profile *p, struct diag *diag);

/*
 * Gives series the units of their kinds if neither the input nor the recipe
 * says what they count. Returns false after reporting that weights in the new
 * unit do not fit in 64 bits.
 */
bool units_apply(const struct recipe *r, struct profile *p, struct diag *diag);

/* Gives one series the unit of `k`, under the same conditions and with the same failure. */
bool units_give(const struct recipe *r, struct profile *p, uint32_t series, const struct kind *k,
                struct diag *diag);

#endif
