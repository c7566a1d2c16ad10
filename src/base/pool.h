/*
 * Work for all cores: a parallel loop.
 *
 * pool_run() calls `job` once for each index, from several threads, and
 * returns when all are done. Indexes are handed out in ascending order. What a
 * job writes belongs to its index, so that results do not depend on the number
 * of threads; `worker` (0 .. threads - 1) is there for scratch memory that a
 * thread keeps from one job to the next.
 */
#ifndef BASE_POOL_H
#define BASE_POOL_H

#include <stddef.h>

typedef void pool_job_fn(void *context, size_t index, unsigned worker);

/* The number of processors this process may run on, at least 1. */
unsigned pool_default_threads(void);

/* Runs with at most `threads` threads, the caller's among them; 1 runs right here. */
void pool_run(unsigned threads, size_t count, pool_job_fn *job, void *context);

#endif
