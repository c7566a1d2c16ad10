/*
 * Links unchanged files from the earlier report. If the earlier report at the same place has a file
 * with the same bytes, the stage gets a hard link to that file instead of a copy. Most of the CPU
 * time of an unchanged report is the kernel's, which looks for free inodes; a link needs none, and
 * readers of the report find the file's old time.
 *
 * Once the report is published, the earlier name is removed, so that each file has
 * one name again. A file that the program writes in parts must never be a link:
 * its next part would change the earlier report.
 */
#ifndef BATCH_STAGE_LINK_H
#define BATCH_STAGE_LINK_H

#include <sys/stat.h>

#include "batch/stage.h"

/*
 * Gives the file at `path` of the earlier report the same path in the stage. Returns false, with
 * nothing done, if it is not a regular file of this user with one name, in the report's directory
 * or in a directory of it. Requires a process that may write at both places. `path` is untrusted:
 * it may come from a process that an attacker controls.
 */
bool stage_link(struct stage *s, struct slice path);

/* Opens a file of the earlier report, with its state. Returns the descriptor, or -1. */
int stage_link_look(const struct stage *s, const char *path, struct stat *st);

/* As stage_link_look(), for a file that the stage may have as its own; else returns -1. */
int stage_link_find(const struct stage *s, const char *path, struct stat *st);

/* Returns true if an open file goes on with exactly these bytes. */
bool stage_link_has(int fd, struct slice bytes);

/*
 * Links a file that stage_link_find() opened, now, later or not at all (batch/stage_same.h).
 * Returns false if it cannot be linked, and is still the caller's.
 */
bool stage_link_file(struct stage *s, const char *path, int fd, const struct stat *st);

/* As stage_link_file(), of any file of the earlier report; copies one that cannot be linked. */
void stage_link_or_copy(struct stage *s, const char *path, int fd, const struct stat *st);

/* Links the file if the earlier report has it with these bytes. Returns true if it was linked. */
bool stage_link_same(struct stage *s, const char *path, struct slice bytes);

/*
 * Links the file if the earlier report still has the one that is open as `read`. Returns true if it
 * was linked, or waits for it; then `read` is no longer the caller's.
 */
bool stage_link_read(struct stage *s, const char *path, int read);

/* Prepares to put links off. */
void stage_link_open(struct stage *s);

/*
 * Makes the links that were put off: if another process makes them, it is asked for many at once.
 * A file that cannot be linked any more is copied. Call it before files of the stage are read.
 */
void stage_link_settle(struct stage *s);

/* Closes what stage_link() opened, and forgets links that were put off. */
void stage_link_close(struct stage *s);

#endif
