/*
 * What a futex call in perf script waits for: a lock, a condition, or the end of a thread.
 *
 * All these waits are one system call. The functions in the stack tell them apart, by
 * their names in the C library, in the libraries of C++, Rust and Go, in HotSpot and in
 * CPython; without such a function, the operation's number does if it belongs to locks or
 * conditions alone (futex(2)). A lock function decides wherever it is in the stack: a
 * wait within it is for the lock. Otherwise the function next to the leaf decides.
 */
#ifndef INPUT_FORMATS_PERF_PERF_FUTEX_H
#define INPUT_FORMATS_PERF_PERF_FUTEX_H

#include <stdbool.h>
#include <stdint.h>

#include "base/slice.h"
#include "base/vec.h"
#include "input/formats/perf/perf_fields.h"
#include "profile/profile.h"

enum perf_futex_wait {
    PERF_FUTEX_LOCK,
    PERF_FUTEX_CONDITION, /* conditions, semaphores, barriers */
    PERF_FUTEX_JOIN,
    PERF_FUTEX_OTHER, /* neither the stack nor the operation says what is waited for */
    PERF_FUTEX_WAITS,
};

/* By symbol: an enum perf_futex_wait, or PERF_FUTEX_WAITS if the name was not looked at yet. */
struct perf_futex_names VEC_OF(unsigned char);

/*
 * Returns false for an operation that never waits; sets `wait` to what the operation says. An
 * operation that is not among the fields may wait.
 */
bool perf_futex_may_wait(const struct perf_fields *fields, enum perf_futex_wait *wait);

/* Returns what a call waits for, by its stack or, if that does not say, by its operation. */
enum perf_futex_wait perf_futex_find(struct perf_futex_names *names, const struct profile *p,
                                     uint32_t stack, enum perf_futex_wait operation);

/* Returns the name of the series: "futex lock wait". */
struct slice perf_futex_series(enum perf_futex_wait wait);

#endif
