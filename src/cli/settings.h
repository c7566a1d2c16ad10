/*
 * Reads the file of settings that belongs to the inputs of a command.
 */
#ifndef CLI_SETTINGS_H
#define CLI_SETTINGS_H

#include <stdbool.h>

#include "batch/inputs.h"
#include "cli/config.h"
#include "cli/console.h"

/*
 * Lists the inputs for a command that reads them again, to find their settings: shows errors, and
 * leaves warnings to the later reading. Returns false after an error. Release `in` in either case.
 */
bool settings_list_inputs(struct inputs *in, const struct options *o, struct console *console);

/*
 * Reads `path`, which is NULL if there are no settings, into `config` and `o`. Unless --config
 * names the file, paths in it must lead below its directory. Returns false after reporting an
 * error.
 */
bool settings_read(struct config *config, struct options *o, const char *path,
                   struct console *console);

/*
 * Makes the plans of the report or comparison of `in`, and of each rule of the settings file
 * `path`; for commands that compare (`compare` is not NULL), also the settings of the comparison.
 * Call it in the sandbox: it compiles patterns and reads CODEOWNERS, which may come from somebody
 * else. Returns false after reporting an error.
 *
 * Warns of rules that match no input: a wrong name would never be noticed. Says nothing of them if
 * no input was found in a directory, because rules are about all files of one, and for one of the
 * parts of a report.
 */
bool settings_plan(struct config *config, struct plan *plan, const struct options *o,
                   const struct inputs *in, const char *path, struct compare_settings *compare,
                   struct console *console, struct diag *diag);

/*
 * Removes the excluded inputs. Returns false after reporting that to compare all rules of the
 * settings file `path` with all paths would take too long.
 */
bool settings_match_inputs(const struct config *config, const struct options *o, struct inputs *in,
                           const char *path, struct console *console);

/* Writes the day of SOURCE_DATE_EPOCH, or today, as "2026-11-22" in UTC; empty if unknown. */
struct slice settings_today(char text[static 16]);

/* Returns --date, or the day of SOURCE_DATE_EPOCH, written to `text`, or nothing; never today. */
struct slice settings_date(const struct options *o, char text[static 16]);

#endif
