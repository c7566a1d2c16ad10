/*
 * Runs another program and waits for its end.
 */
#ifndef CLI_CHILD_H
#define CLI_CHILD_H

#include "base/buf.h"

enum { CHILD_NOT_STARTED = 127 }; /* as shells have it */

/*
 * Runs words[0], which is searched for in PATH; NULL ends the words. Appends what the program
 * prints, on standard output and on standard error, to `output`. Returns its exit status,
 * CHILD_NOT_STARTED, or 128 plus the number of the signal that ended it.
 */
int child_run(const char *const *words, struct buf *output);

#endif
