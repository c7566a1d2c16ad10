/*
 * The table of options that exclude or need each other.
 *
 * The table is checked when a plan is made (options/make.h): for a command, for each rule of the
 * settings of a report, and for the settings of the library. Conflicts that depend on the data (an
 * option for changes, a graph without changes) are in the table of draw/fit.h.
 */
#ifndef OPTIONS_CONFLICTS_H
#define OPTIONS_CONFLICTS_H

#include <stdbool.h>

#include "base/diag.h"
#include "options/options.h"

/*
 * Returns false after reporting, at `place` in the file that `diag` is about, the first two
 * options of `o` that cannot be combined, or an option that the command cannot have.
 */
bool conflicts_check(const struct options *o, struct diag_place place, struct diag *diag);

#endif
