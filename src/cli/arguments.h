/*
 * Reads the words of the command line as options and paths.
 */
#ifndef CLI_ARGUMENTS_H
#define CLI_ARGUMENTS_H

#include <stdbool.h>

#include "base/diag.h"
#include "options/table.h"

/* Returns the short form of an option for a command, or 0. */
char arguments_letter(const struct option_row *row, enum command_id command);

/* True if all parts of a report (batch/part.h) have the option in common. */
bool arguments_is_common(const struct option_row *row);

/*
 * Reads the words after the command's name. Words that are not options are
 * paths; "--" ends the options. Returns false after reporting the error with
 * the most similar option or value. Two outputs of a command that writes one, and
 * two searches with the same name, are errors. A report without an output gets one.
 */
bool arguments_parse(struct options *o, enum command_id command, int count, char *const *words,
                     struct diag *diag);

#endif
