/*
 * File systems that are mounted at or in a directory.
 *
 * Such a directory can be renamed, but not removed, or not even renamed. Without /proc or on
 * kernels before Linux 5.8 nothing is found.
 */
#ifndef BATCH_MOUNTS_H
#define BATCH_MOUNTS_H

#include <stdbool.h>

#include "base/buf.h"

/* True if a file system, or a part of one, is mounted at `path`. */
bool mounts_has(const char *path);

/* Appends the path of one that is mounted somewhere below the directory. */
bool mounts_find_below(const char *directory, struct buf *path);

#endif
