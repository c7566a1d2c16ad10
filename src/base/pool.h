/*
 * A parallel loop.
 *
 * pool_run() calls `job` once for each index, on several threads, and returns
 * after the last call. Jobs start in ascending order of their indexes. A job
 * must write only to data of its index, so that results do not depend on the
 * number of threads. `worker` (0 .. threads - 1) identifies the thread, for
 * scratch memory that a thread keeps between jobs. All threads work on the budget of
 * the caller (base/budget.h).
 */
#ifndef BASE_POOL_H
#define BASE_POOL_H

#include <stddef.h>

typedef void pool_job_fn(void *context, size_t index, unsigned worker);

/* Returns the number of processors that this process may run on, at least 1. */
unsigned pool_default_threads(void);

/* Uses at most `threads` threads, including the caller's; with 1 it starts none. */
void pool_run(unsigned threads, size_t count, pool_job_fn *job, void *context);

#endif
