/*
 * The texts that graph and diff write about a picture: a snippet for a ticket (-o slow.md), and a
 * text for readers who do not see the picture (--alt).
 */
#ifndef CLI_PICTURE_TEXTS_H
#define CLI_PICTURE_TEXTS_H

#include <stdbool.h>

#include "cli/command.h"
#include "report/graph.h"

/* Whether an output is a snippet: its name ends in ".md". */
bool picture_texts_takes(const char *path);

/* Appends what the picture is of: "new.perf against old.perf". */
void picture_texts_name(const struct options *o, struct buf *out);

/* The address of the picture at `picture` from a file at `from`; `memory` owns it. */
struct slice picture_texts_address(const char *picture, const char *from, struct arena *memory);

/*
 * Writes the snippets and the text of --alt. `picture` is the path that snippets show, and `svg`
 * that of an interactive graph which is written, too, or NULL. Returns false after reporting an
 * error.
 */
bool picture_texts_write(const struct command_job *job, const struct strings *snippets,
                         const struct report_graph *graph, const char *picture, const char *svg);

#endif
