/*
 * Entry of the room: one file in, one profile out.
 *
 * Opens the file, recognises its format and reads it. The result says what happened; the
 * diag says why, and what was skipped.
 */
#ifndef INPUT_READ_H
#define INPUT_READ_H

#include "base/diag.h"
#include "input/core/options.h"
#include "profile/profile.h"

enum input_result {
    INPUT_READ, /* `out` holds at least one stack; an error in the diag says that much is missing */
    INPUT_UNKNOWN, /* no format claims it; the diag has a note with its first line */
    INPUT_EMPTY,   /* no bytes, no samples, or no stack among what was measured; the diag says so */
    INPUT_FAILED,  /* the diag says why: unreadable, damaged, or refused */
    INPUT_LARGE,   /* failed because it needs more memory than its limit; the diag says so */
};

/*
 * Reads `path` ("-" is standard input) into `out`, which is initialised and
 * empty. The result does not depend on `threads`.
 */
enum input_result input_read(const char *path, const struct input_options *options,
                             unsigned threads, struct profile *out, struct diag *diag);

/* Reads `bytes`, the whole content of a file, in the same way. */
enum input_result input_read_memory(struct slice bytes, const struct input_options *options,
                                    unsigned threads, struct profile *out, struct diag *diag);

#endif
