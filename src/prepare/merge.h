/*
 * Several inputs made one profile, each below a root frame of its own where
 * --merge asks for it.
 */
#ifndef PREPARE_MERGE_H
#define PREPARE_MERGE_H

#include <stdbool.h>

#include "base/diag.h"
#include "base/slice.h"
#include "prepare/recipe.h"

/* Whether inputs get a root frame. */
static inline bool merge_has_roots(enum merge_by by)
{
    return by == MERGE_FILE || by == MERGE_HOST;
}

/*
 * Adds `part`, what was read of an input, to `whole`; `name` is the file's. May
 * change `part`. Returns false after reporting why the two cannot be added up.
 */
bool merge_add(enum merge_by by, struct profile *whole, struct profile *part, struct slice name,
               struct diag *diag);

#endif
