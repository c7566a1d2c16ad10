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

struct targets {
    VEC(struct target) pictures;
    struct strings snippets; /* paths of Markdown files that show one of the pictures */
    const char *shown;       /* the picture that they show */
};

void targets_release(struct targets *targets);

/*
 * Adds a file; `path` "-" or NULL means standard output. --format or the ending of `path` decides
 * the format; one that ends in ".md" is a snippet. Returns false after reporting that the format is
 * unknown or that standard output cannot take it.
 */
bool target_add(const struct options *o, const char *path, struct targets *targets,
                struct diag *diag);

/*
 * Completes the targets once all are added: if no picture for the snippets is among them, adds a
 * PNG, or an SVG if --format says so, beside the first snippet; `memory` owns its path. Returns
 * false after reporting options that do not fit the targets.
 */
bool targets_complete(const struct options *o, struct targets *targets, struct arena *memory,
                      struct diag *diag);

/* Appends the paths of all files that target_draw() writes; `memory` owns new ones. */
void target_list(const struct options *o, const struct targets *targets, struct arena *memory,
                 struct strings *paths);

/* Draws a graph into all targets. `source` names the input in the file's metadata. */
void target_draw(const struct command_job *job, const struct library_graph *g, struct slice source,
                 const struct targets *targets);

#endif
