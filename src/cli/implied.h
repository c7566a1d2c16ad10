/*
 * The command that is meant if the words name none, and what the name of a report's output implies.
 */
#ifndef CLI_IMPLIED_H
#define CLI_IMPLIED_H

#include "cli/command.h"

/*
 * Returns the command that is meant if the command line names none: graph or convert if the last
 * output has an ending that it writes, graph if a profile comes by standard input, and else report.
 */
const struct command *implied_command(int count, char *const *words);

/*
 * A report whose output ends in ".html" is a single file. Returns false after reporting an output
 * that is the name of a picture or of another file, which would become a directory.
 */
bool implied_check(struct options *o, struct diag *diag);

#endif
