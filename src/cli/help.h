/*
 * What can be read out of the option table and the command table: the help
 * texts, the man page and the completion scripts of the shells.
 */
#ifndef CLI_HELP_H
#define CLI_HELP_H

#include <stdbool.h>

#include "base/buf.h"
#include "cli/command.h"

#define FLAMEPRESS_VERSION "0.1.0"

/* The overview of all commands. */
void help_overview(struct buf *out);
/* One command with its options. */
void help_command(struct buf *out, const struct command *command);
/* The file that `what` names (man, bash, zsh, fish); false where there is none. */
bool help_generate(struct buf *out, const char *what);

#endif
