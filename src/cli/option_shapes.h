/*
 * The options about shape and time: which of them go together.
 */
#ifndef CLI_OPTION_SHAPES_H
#define CLI_OPTION_SHAPES_H

#include <stdbool.h>

#include "base/diag.h"
#include "cli/options.h"

/*
 * False, told, where options contradict each other. What the command line says for a heat map and
 * would have no effect there is an error, too; in a report's settings it may be for other graphs.
 */
bool option_shapes_check(const struct options *o, struct diag *diag);

#endif
