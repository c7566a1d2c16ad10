/*
 * The picture files that graph and diff write.
 */
#ifndef CLI_TARGET_H
#define CLI_TARGET_H

#include <stdbool.h>
#include <stdint.h>

#include "cli/command.h"
#include "library/graph.h"
#include "output/writer.h"

/* One picture file to write. */
struct target {
    const char *path; /* NULL for standard output */
    const struct writer *writer;
};

struct targets VEC_OF(struct target);

/*
 * Adds a file; `path` "-" or NULL means standard output. --format or the ending of `path` decides
 * the format. Returns false after reporting that the format is unknown or that standard output
 * cannot take it.
 */
bool target_add(const struct options *o, const char *path, struct targets *targets,
                struct diag *diag);

/* Appends the paths of all files that target_draw() writes; `memory` owns new ones. */
void target_list(const struct options *o, const struct targets *targets, struct arena *memory,
                 struct strings *paths);

/* Draws a graph into all targets. `source` names the input in the file's metadata. */
void target_draw(const struct command_job *job, const struct library_graph *g, struct slice source,
                 const struct targets *targets);

#endif
