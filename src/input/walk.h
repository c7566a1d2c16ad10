/*
 * The files below a directory, sorted by the bytes of their relative paths.
 *
 * Names that begin with a dot are left out with everything below them, and so
 * is one directory that the caller names (the output), and, with a note, every
 * directory below `dir` that has a certain file, by which it is known as an
 * earlier output. A symbolic link is
 * followed only to a regular file below the directory, because the directory
 * may come from somebody else: other links are reported and left out. With
 * `follow` every link is followed, and each directory is visited once, under its
 * own path if it has one below `dir`, so that links that form loops end. A
 * directory that is a recording (input/core/recording.h) is one file. What is
 * neither a file nor a directory is reported and left out. The walk keeps its own
 * list and does not recurse.
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
    VEC(struct slice) items;      /* each followed by a NUL */
    VEC(struct slice) unreadable; /* directories that could not be read, each followed by a NUL */
};

void walk_paths_release(struct paths *p);

struct walk_options {
    const char *leave_out; /* NULL, or a directory that need not exist */
    const char *marker;    /* NULL, or the name of a file: directories that have it are left out */
    bool follow;           /* all links */
};

/*
 * Adds every file below `dir`. Returns false after reporting an error if `dir`
 * itself cannot be read; a directory below it that cannot be read is reported
 * as a warning and added to `unreadable`. `options` may be NULL for the defaults.
 */
bool walk_directory(const char *dir, const struct walk_options *options, struct paths *out,
                    struct diag *diag);

#endif
