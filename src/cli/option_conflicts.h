/*
 * The table of options that exclude or need each other.
 *
 * The table is checked once for the command line with the settings of a report,
 * and once for each rule of the settings; drawing does not check again. Conflicts
 * that depend on the data (an option for changes, a graph without changes) are not
 * in the table.
 */
#ifndef CLI_OPTION_CONFLICTS_H
#define CLI_OPTION_CONFLICTS_H

#include <stdbool.h>

#include "base/diag.h"
#include "cli/options.h"

/*
 * Returns false after reporting, at `place` in the file that `diag` is about, the first two
 * options of `o` that cannot be combined.
 */
bool option_conflicts_check(const struct options *o, struct diag_place place, struct diag *diag);

#endif
