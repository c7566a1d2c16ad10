/*
 * The kinds of the graphs that a recipe makes, and what follows from a kind:
 * which series are chosen, what the input must have, and the units of weights if
 * the input states none.
 */
#ifndef PREPARE_UNITS_H
#define PREPARE_UNITS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"
#include "prepare/recipe.h"

/* Returns the kind of a series: two counters, else the recipe's, else the recognised one. */
const struct kind *units_kind(const struct recipe *r, const struct profile *p, uint32_t series);

/*
 * Returns true if a series that the recipe wants is recognised as the recipe's
 * kind. Then only such series are chosen; else all series are of that kind.
 */
bool units_select(const struct recipe *r, const struct profile *p);

/* Returns false after reporting what the recipe's kind needs and the input lacks. */
bool units_check_input(const struct recipe *r, const struct profile *p, struct diag *diag);

/* Multiplies the weights of a series by `each`. Returns false if the total does not fit. */
bool units_multiply(struct profile *p, uint32_t series, uint64_t each);

/*
 * Gives two series the same unit if both measure time: converts the weights of the coarser unit to
 * the finer one. Returns false, and changes nothing, if the units measure different things or the
 * weights do not fit in 64 bits.
 */
bool units_match(struct profile *a, uint32_t series_a, struct profile *b, uint32_t series_b);

/*
 * Gives series the units of their kinds if neither the input nor the recipe
 * says what they count. Returns false after reporting that weights in the new
 * unit do not fit in 64 bits.
 */
bool units_apply(const struct recipe *r, struct profile *p, struct diag *diag);

/* Gives one series the unit of `k`. Conditions and result are those of units_apply(). */
bool units_give(const struct recipe *r, struct profile *p, uint32_t series, const struct kind *k,
                struct diag *diag);

#endif
