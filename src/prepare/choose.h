/*
 * Chooses which series of a profile become graphs.
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
 * Appends the series that the recipe asks for, without empty ones. If the recipe names a kind and
 * some series are recognised as that kind, appends only those. Reports events of the recipe that
 * the input does not have. Returns false after reporting that no series is left.
 */
bool choose_all(const struct recipe *r, const struct profile *p, struct series_ids *chosen,
                struct diag *diag);

/*
 * Returns one series: the first if the recipe names no event, else the sum of the series that the
 * recipe names, which is added to the profile. Returns SERIES_NONE after reporting why there is no
 * such series; messages call the profile `input`.
 */
uint32_t choose_one(const struct recipe *r, struct profile *p, struct slice input,
                    struct diag *diag);

/*
 * Appends the names of all graphs of a profile except one that the recipe could name; shortens a
 * long list.
 */
void choose_write_others(const struct recipe *r, const struct profile *p, uint32_t except,
                         struct buf *out);

/* Returns true if "all" is possible: the events that the recipe names can be added up. */
bool choose_can_add_all(const struct recipe *r, const struct profile *p);

/* Returns the name of a series for messages, or "stacks without an event" if it has none. */
struct slice choose_shown_name(const struct profile *p, uint32_t series);

#endif
