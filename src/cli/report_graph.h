/*
 * Finds the graph in a directory that is a report of flamepress, for commands that read one file.
 */
#ifndef CLI_REPORT_GRAPH_H
#define CLI_REPORT_GRAPH_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/diag.h"

/*
 * Sets `*file` to the file to read for `path`: the only graph of a report, in `memory`, or `path`
 * itself if it is not a report. Returns false after reporting that the report has no graph that can
 * be read, or several, whose files the message lists.
 */
bool report_graph_find(const char *path, struct arena *memory, const char **file,
                       struct diag *diag);

#endif
