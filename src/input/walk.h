/*
 * The files below a directory, in an order that does not depend on the file
 * system: paths relative to the directory, sorted by bytes.
 *
 * Names that begin with a dot are left out with all that is below them, and so
 * is one directory that the caller names (the output). Symbolic links are
 * followed, and each directory is visited once, by its own path where it has
 * one below `dir`: so links that form loops end. What is neither a file nor a
 * directory is left out. The walk keeps its own list and does not recurse.
 */
#ifndef INPUT_WALK_H
#define INPUT_WALK_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/slice.h"
#include "base/vec.h"

struct paths {
    struct arena memory;
    VEC(struct slice) items; /* each followed by a NUL */
};

void walk_paths_init(struct paths *p);
void walk_paths_release(struct paths *p);

/*
 * Adds every file below `dir`. `leave_out` may be NULL or name a directory
 * that need not exist. Returns false where `dir` itself cannot be read, which
 * is told as an error; what cannot be read below it is told as a warning.
 */
bool walk_directory(const char *dir, const char *leave_out, struct paths *out, struct diag *diag);

#endif
