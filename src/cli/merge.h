/*
 * Several inputs made one profile, each below a root frame of its own where
 * --merge asks for it.
 */
#ifndef CLI_MERGE_H
#define CLI_MERGE_H

#include <stdbool.h>

#include "base/diag.h"
#include "base/slice.h"
#include "cli/options.h"
#include "profile/profile.h"

/* Whether a report is to be one graph of all inputs. */
bool merge_all(const struct options *o);

/* Whether inputs get a root frame. */
bool merge_has_roots(const struct options *o);

/*
 * Adds what was read from an input, which may be changed by that; `name` is
 * the file's. False, told, where the two cannot be added up.
 */
bool merge_add(const struct options *o, struct profile *whole, struct profile *part,
               struct slice name, struct diag *diag);

#endif
