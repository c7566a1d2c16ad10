/*
 * Which series of a profile become graphs.
 */
#ifndef PREPARE_CHOOSE_H
#define PREPARE_CHOOSE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/diag.h"
#include "base/vec.h"
#include "prepare/recipe.h"

struct series_ids VEC_OF(uint32_t);

/*
 * Appends the series that the recipe asks for and that hold anything, of one kind if some are
 * recognised as the recipe's. Returns false after reporting that there is none.
 */
bool choose_all(const struct recipe *r, const struct profile *p, struct series_ids *chosen,
                struct diag *diag);

/*
 * Returns the one series that the recipe asks for: the first if it names no event, else the sum of
 * those that it names, which is added to the profile. Returns SERIES_NONE after reporting that
 * there is none.
 */
uint32_t choose_one(const struct recipe *r, struct profile *p, struct diag *diag);

/* Appends the names of all graphs of a profile except one, a few at most. */
void choose_write_others(const struct profile *p, uint32_t except, struct buf *out);

/* The name of a series, for messages: folded stacks do not say what was counted. */
struct slice choose_shown_name(const struct profile *p, uint32_t series);

#endif
