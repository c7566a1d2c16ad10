/*
 * Reads the inputs of graph, fold, top and diff, prepares them (library/graph.h) and prints the
 * messages about them.
 */
#ifndef CLI_LOAD_H
#define CLI_LOAD_H

#include <stdbool.h>
#include <stdint.h>

#include "cli/command.h"
#include "library/graph.h"

/*
 * Reads all paths, or standard input if there is none, merges them into `g`, which must be
 * initialised, and prepares the graph. Returns false after reporting that
 * there is no graph. Counts failures in the outcome.
 */
bool load_graph(const struct command_job *job, struct library_graph *g);

/*
 * Reads two sides at the same time and prepares them as one differential graph: two paths, of which
 * the first is the base, or the paths before and after --with, each side merged. Results are those
 * of load_graph().
 */
bool load_two(const struct command_job *job, struct library_graph *g);

#endif
