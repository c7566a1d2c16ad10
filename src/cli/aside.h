/*
 * Does work on hostile bytes in a process of its own, before the run enters its sandbox.
 *
 * That process is in a sandbox that reads at most one directory, and gives back nothing but bytes,
 * which the caller must not trust. Call it while the program has one thread.
 */
#ifndef CLI_ASIDE_H
#define CLI_ASIDE_H

#include <stdbool.h>

#include "base/buf.h"

/*
 * Calls `work` there, which may read below `readable` unless that is NULL, and appends to `out`
 * what `work` appends to its buffer, ASIDE_MOST bytes at most. Returns false if the process cannot
 * be started, or ends otherwise than by returning.
 */
enum { ASIDE_MOST = 64 << 20 };
bool aside_run(void (*work)(void *context, struct buf *out), void *context, const char *readable,
               struct buf *out);

#endif
