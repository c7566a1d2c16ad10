/*
 * Merges several inputs into one profile. --merge=file and --merge=host add a root
 * frame for each input.
 */
#ifndef PREPARE_MERGE_H
#define PREPARE_MERGE_H

#include <stdbool.h>

#include "base/diag.h"
#include "base/slice.h"
#include "prepare/recipe.h"

/* Returns true if each input gets a root frame. */
static inline bool merge_has_roots(enum merge_by by)
{
    return by == MERGE_FILE || by == MERGE_HOST;
}

/*
 * Adds `part`, the profile read from the file `name`, to `whole`. May change `part`.
 * Returns false after reporting why the two cannot be added up.
 */
bool merge_add(enum merge_by by, struct profile *whole, struct profile *part, struct slice name,
               struct diag *diag);

#endif
