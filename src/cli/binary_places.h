/*
 * Where the binaries are that a recording of perf names. Their paths are in the recording, which
 * is hostile input and is read in the sandbox. So before that only the first bytes of the inputs
 * are looked at: if one is a recording, the run may read all that may hold programs, but not the
 * files of the system (/dev, /etc, /proc, /run, /sys), or, with --symfs, only that directory.
 */
#ifndef CLI_BINARY_PLACES_H
#define CLI_BINARY_PLACES_H

#include <stdbool.h>

#include "base/arena.h"
#include "options/options.h"

/* True if the input at `path` ("-" is standard input) is or may be a recording; takes no bytes. */
bool binary_places_needed(const char *path);

/* Adds the places for a run with such an input; the paths are in `memory`. */
void binary_places_add(const struct options *o, struct strings *out, struct arena *memory);

#endif
