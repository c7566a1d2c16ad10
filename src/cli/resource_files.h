/*
 * The files of colours (--cp) and attributes (--nameattr) of function names.
 */
#ifndef CLI_RESOURCE_FILES_H
#define CLI_RESOURCE_FILES_H

#include <stdbool.h>

#include "cli/console.h"
#include "draw/resources.h"
#include "options/options.h"

/* Reads the files. Returns false after reporting; release `r` with resources_release() anyway. */
bool resource_files_read(struct resources *r, const struct options *o, struct console *console);

/* Adds new colours to the file of colours. Returns false after reporting an error. */
bool resource_files_save(struct resources *r, const struct color_map *added,
                         struct console *console);

#endif
