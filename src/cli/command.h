/*
 * The commands: a row of a table, and a file, for each.
 */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

#include "cli/console.h"
#include "cli/exit.h"
#include "cli/options.h"

struct command {
    const char *name;
    enum command_id id;
    const char *operands; /* after the name in --help */
    const char *about;    /* one line without a full stop */
    const char *details;  /* for the man page: whole sentences */
    const char *example;
    /* Runs the command. Records success and failures in `outcome`; messages go to the console. */
    void (*run)(const struct options *o, struct console *console, struct outcome *outcome);
};

/* Ended by a row without a name. The first command runs if the user names none. */
extern const struct command commands[];

/* Returns the command called `name`, or NULL. */
const struct command *command_find(const char *name);

void command_report(const struct options *o, struct console *console, struct outcome *outcome);
void command_graph(const struct options *o, struct console *console, struct outcome *outcome);
void command_diff(const struct options *o, struct console *console, struct outcome *outcome);
void command_fold(const struct options *o, struct console *console, struct outcome *outcome);
void command_top(const struct options *o, struct console *console, struct outcome *outcome);
void command_formats(const struct options *o, struct console *console, struct outcome *outcome);

#endif
