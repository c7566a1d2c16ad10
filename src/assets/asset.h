/*
 * The files embedded in the program: templates and fonts.
 *
 * Files are named by their paths in the project, "templates/page.mustache" or
 * "fonts/RobotoCondensed-Regular.ttf". assets/assets.mk makes "graph/program",
 * "graph/style", "graph/script" and "graph/policy" of templates/bundle; assets/embed.sh
 * makes the table at build time. The bytes are read-only, live as long as the program,
 * and are followed by a NUL byte that their length does not count.
 */
#ifndef ASSETS_ASSET_H
#define ASSETS_ASSET_H

#include <stdbool.h>
#include <stddef.h>

#include "base/slice.h"

/* Finds a file by name. Returns false, with `*content` empty, if there is none. */
bool asset_find(struct slice name, struct slice *content);

/* Return the number of files, and the name of the file at `index`, in the order of names. */
size_t asset_count(void);
struct slice asset_name(size_t index);

#endif
