/*
 * The files embedded in the program: templates and fonts.
 *
 * A file is found by its name below the project's top, "templates/page.mustache"
 * or "fonts/RobotoCondensed-Regular.ttf"; "graph/script", "graph/style" and
 * "graph/policy" are made of the templates by assets/graph.sh. The bytes are
 * read-only, live as long as the program, and are followed by a NUL byte that
 * their length does not count. The table is made at build time by
 * assets/embed.sh.
 */
#ifndef ASSETS_ASSET_H
#define ASSETS_ASSET_H

#include <stdbool.h>
#include <stddef.h>

#include "base/slice.h"

/* Finds a file by name; false, with `*content` empty, when there is none. */
bool asset_find(struct slice name, struct slice *content);

/* The number of files, and the name of the file at `index`, in the order of their names. */
size_t asset_count(void);
struct slice asset_name(size_t index);

#endif
