/*
 * Man pages, in roff with the man macros: one for the program and one for each
 * command, made of the option table and the command table.
 */
#ifndef CLI_MAN_H
#define CLI_MAN_H

#include "base/buf.h"
#include "cli/command.h"

/* Writes flamepress.1: the commands, the settings file, the exit status. */
void man_overview(struct buf *out);

/* Writes flamepress-COMMAND.1: what the command does and all of its options. */
void man_command(struct buf *out, const struct command *command);

#endif
