/*
 * The files and directories that a report is made of, watched with inotify.
 *
 * Of each directory that is named, the directories below it are watched, as far as
 * the report reads them; of each file, the directory that it is in, for the files
 * whose names begin like its own, which are its notes. A change counts when it is
 * complete: a file that was written has been closed, or has got its name, or has lost
 * it. The report itself, until it is removed, and hidden files do not count.
 *
 * A set never changes; directories that are new are in the set that is opened next.
 * With --follow, files that links lead to are not watched outside the directory.
 */
#ifndef CLI_WATCHED_H
#define CLI_WATCHED_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/slice.h"
#include "base/vec.h"
#include "options/options.h"

/* A watched directory. The kernel gives a directory one number, however often it is added. */
struct watched_directory {
    int id;
    const char *path;
    const char *leave_out; /* the name of the report in it, or NULL */
    struct slice stem;     /* how the names that count begin; empty: all count */
    const char *report;    /* only its removal counts; or NULL */
};

struct watched {
    int fd; /* readable when something has changed; -1 if nothing can be watched */
    struct arena memory;
    VEC(struct watched_directory) items;
    size_t missing; /* operands that do not exist */
};

/*
 * Watches what the options name. Reports directories that cannot be watched as a warning. Sets
 * w->fd to -1 after reporting an error if nothing can be. Release the set in any case.
 */
void watched_open(struct watched *w, const struct options *o, struct diag *diag);
void watched_release(struct watched *w);

/* Takes the events that have arrived. Returns true if one of them counts. Never waits. */
bool watched_take(struct watched *w);

#endif
