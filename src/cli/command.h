/*
 * The commands, a row and a file each.
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
    /* Does the work; what happened goes into `outcome`, messages to the console. */
    void (*run)(const struct options *o, struct console *console, struct outcome *outcome);
};

/* Ended by a row without a name; the first is the one that runs if none is named. */
extern const struct command commands[];

/* The command of that name, or NULL. */
const struct command *command_find(const char *name);

void command_report(const struct options *o, struct console *console, struct outcome *outcome);
void command_graph(const struct options *o, struct console *console, struct outcome *outcome);
void command_diff(const struct options *o, struct console *console, struct outcome *outcome);
void command_fold(const struct options *o, struct console *console, struct outcome *outcome);
void command_top(const struct options *o, struct console *console, struct outcome *outcome);
void command_formats(const struct options *o, struct console *console, struct outcome *outcome);

#endif
