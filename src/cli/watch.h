/*
 * report --watch: makes a report, and makes it again whenever something changes.
 *
 * Each report is made by a process of its own, which enters a sandbox as any run
 * does and takes over from the earlier report what has not changed. The process
 * that watches reads no profile. It waits until files are closed and nothing has
 * changed for a moment, so that a file is not read while it is being written; if a
 * half-written file is read nevertheless, because another one changed, it is read
 * again when it is complete.
 */
#ifndef CLI_WATCH_H
#define CLI_WATCH_H

#include "cli/command.h"

/*
 * Calls `report` in each of the processes. Returns after SIGINT, SIGTERM or SIGHUP, with the
 * outcome of the last report that was not interrupted; or at once, if the command line is wrong or
 * nothing can be watched.
 */
void watch_report(const struct command_job *job, void (*report)(const struct command_job *job));

#endif
