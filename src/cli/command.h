/*
 * The commands: a row of a table, and a file, for each.
 */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

#include "batch/plan.h"
#include "cli/console.h"
#include "cli/exit.h"
#include "options/options.h"

/* What a command works on. */
struct command_job {
    const struct options *options;
    const struct plan *plan; /* made from the options, but not for report, which has settings too */
    struct console *console;
    struct outcome *outcome;
    const struct strings *found; /* NULL, or paths that were found in directories, not named */
};

struct command {
    const char *name;
    enum command_id id;
    const char *operands; /* after the name in --help */
    const char *about;    /* one line without a full stop */
    const char *details;  /* for the man page: whole sentences */
    const char *example;
    /* Runs the command. Records success and failures in `outcome`; messages go to the console. */
    void (*run)(const struct command_job *job);
};

/* Ended by a row without a name. The first command runs if the user names none. */
extern const struct command commands[];

/* Returns the command called `name`, or NULL. */
const struct command *command_find(const char *name);

void command_report(const struct command_job *job);
void command_graph(const struct command_job *job);
void command_diff(const struct command_job *job);
void command_fold(const struct command_job *job);
void command_convert(const struct command_job *job);
void command_check(const struct command_job *job);
void command_digest(const struct command_job *job);
void command_top(const struct command_job *job);
void command_trends(const struct command_job *job);
void command_index(const struct command_job *job);
void command_archive(const struct command_job *job);
void command_formats(const struct command_job *job);

#endif
