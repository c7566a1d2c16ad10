/*
 * Texts made of the option table and the command table: --help, the man pages
 * and the completion scripts of the shells.
 */
#ifndef CLI_HELP_H
#define CLI_HELP_H

#include <stdbool.h>

#include "base/buf.h"
#include "cli/command.h"
#include "options/table.h"

/*
 * Writes the commands and the groups of options. With `group` (a name of
 * options_groups, or "all") writes the options of that group, of all commands.
 */
void help_overview(struct buf *out, const char *group);

/*
 * Writes the usage of a command and those groups of its options that are
 * shown for it. With `group`, writes that group alone, or all of them.
 */
void help_command(struct buf *out, const struct command *command, const char *group);

/*
 * Writes the file that `what` names: bash, zsh, fish; man for the overview
 * and man-COMMAND for the page of a command; commands for their names, a line
 * each. Returns false if there is no such file.
 */
bool help_generate(struct buf *out, const char *what);

/* The parts of an option's description, for the writers of these texts: */

/* Appends "--output PATH", or "-o, --output PATH" if `letter` is not 0. */
void help_write_spelling(struct buf *out, const struct option_row *row, char letter);

/* Appends the description: what the option does, the words it accepts, and its default. */
void help_write_about(struct buf *out, const struct option_row *row);

/* Returns true if the group has an option that one of `takers` (command_ids) accepts. */
bool help_group_applies(enum option_group group, unsigned takers);

#endif
