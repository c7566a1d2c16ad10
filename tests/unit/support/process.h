/*
 * The process of one test: runs the test's functions, and counts for the runner (run.c) what fails.
 */
#ifndef SUPPORT_PROCESS_H
#define SUPPORT_PROCESS_H

#include <stdatomic.h>

#include "unit/support/test.h"

/* The status of a test that went to its end; one that ends the process by itself has another. */
enum { PROCESS_ENDED = 100, PROCESS_REASON = 400 };

/* In memory that is shared with the runner and with the processes that the test forks. */
struct outcome {
    atomic_int failures, skipped;
    char reason[PROCESS_REASON]; /* of the skip */
};

/* The list of all tests, in no order. */
const struct test *test_first(void);

/* Called once, before the first test. Returns false if there is no descriptor left. */
bool process_prepare(void);

/* Called in the process that is forked for the test. */
void process_run(const struct test *t, struct outcome *o) __attribute__((noreturn));

#endif
