/*
 * The files that a recording names: binaries, and maps of code compiled at run time.
 *
 * The recording is hostile input and may name any path. So only what such a file must be is
 * opened: a regular file that begins as a binary does, or one called perf-PID.map that is no
 * symbolic link. Secrets are neither.
 */
#ifndef INPUT_CORE_BINARY_FILE_H
#define INPUT_CORE_BINARY_FILE_H

/* Returns a descriptor that reads from the start, or -1. */
int binary_file_open(const char *path);

#endif
