/*
 * What a run may read beside a recording of perf or gprof, or a profile with addresses only.
 *
 * The recording is hostile input and is read in the sandbox; before that only the first bytes of
 * the inputs are looked at. If one is or may be such a file, or is compressed, the run may read the
 * installed debug information, perf's cache of binaries (~/.debug) and the symbols of the kernel,
 * and the broker opens the binaries that the recording names or that are beside it
 * (broker_open_named()). With --symfs, which is for another machine, that directory replaces all of
 * these but the kernel's symbols.
 */
#ifndef CLI_BINARY_PLACES_H
#define CLI_BINARY_PLACES_H

#include <stdbool.h>

#include "base/arena.h"
#include "options/options.h"

/*
 * Returns true if the input at `path` ("-" is standard input), or a file below that directory, is
 * or may be a recording. Consumes no bytes. `follow` is that of struct walk_options.
 */
bool binary_places_needed(const char *path, bool follow);

/* Adds the places for a run with such an input; the paths are in `memory`. */
void binary_places_add(const struct options *o, struct strings *out, struct arena *memory);

#endif
