/*
 * Where a single result goes: a file that appears whole, or standard output.
 */
#ifndef CLI_SINK_H
#define CLI_SINK_H

#include <stdbool.h>

#include "base/slice.h"
#include "cli/console.h"

/*
 * Writes `bytes` to `path`; NULL is standard output. A reader that
 * has gone away (SIGPIPE) is no failure. Returns false after telling why not.
 */
bool sink_write(struct console *console, const char *path, struct slice bytes);

/* True where the result would go to a terminal. */
bool sink_is_terminal(const char *path);

#endif
